import pytest

from headrace.plan.event_times import event_times


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT * FROM orders", {"event_time"}),
        ("SELECT event_time AS t, event_time AS u, item FROM orders", {"t", "u"}),
        ("SELECT item FROM orders", set()),
        ("SELECT event_time FROM orders WHERE price > 1", {"event_time"}),
        ("SELECT CAST(event_time AS TIMESTAMP(6)) AS t FROM orders", set()),
        ("SELECT MAX(event_time) AS t FROM orders", set()),
        ("SELECT event_time FROM orders GROUP BY event_time", set()),
        ("SELECT event_time FROM orders UNION ALL SELECT event_time FROM orders", set()),
        ("SELECT name FROM users", set()),
        (
            "SELECT o.event_time, p.event_time AS other FROM orders AS o JOIN orders AS p ON o.order_id = p.order_id",
            {"event_time", "other"},
        ),
        ("SELECT 1 AS event_time", set()),
    ],
)
def test_a_watermarked_column_that_is_passed_on(query, sql, expected):
    assert event_times(query(sql)) == expected


def test_a_column_nobody_read_is_none(plan):
    (scan,) = plan("SELECT item FROM orders").scans
    assert event_times(scan) == set()
