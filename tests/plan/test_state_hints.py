from datetime import timedelta

import pytest

from headrace.errors import HeadraceError
from headrace.plan.explain import explain_text
from headrace.plan.nodes import Aggregate, Join

DAY = timedelta(days=1)


def times(node) -> list[tuple[timedelta | None, timedelta | None]]:
    return [(j.left_ttl, j.right_ttl) for j in node.walk() if isinstance(j, Join)]


def test_each_side_of_a_join(query):
    node = query(
        "SELECT /*+ STATE_TTL('o' = '3d', 'users' = '90 s') */ 1 FROM orders AS o JOIN users "
        "ON o.user_id = users.user_id"
    )
    assert times(node) == [(3 * DAY, timedelta(seconds=90))]


def test_one_side_alone(query):
    node = query(
        "SELECT /*+ STATE_TTL('u' = '1d') */ 1 FROM orders o JOIN users u ON o.user_id = u.user_id"
    )
    assert times(node) == [(None, DAY)]


def test_several_joins(query):
    """What the first join gives has no name."""
    node = query(
        "SELECT /*+ STATE_TTL('o' = '1d', 'u' = '2d', 'c' = '3d') */ 1 FROM orders o "
        "JOIN users u ON o.user_id = u.user_id JOIN users_copy c ON c.user_id = u.user_id"
    )
    assert times(node) == [(None, 3 * DAY), (DAY, 2 * DAY)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT /*+ STATE_TTL('orders' = '1d') */ item, COUNT(*) FROM orders GROUP BY item",
        "SELECT /*+ STATE_TTL('o' = '24 h') */ COUNT(*) FROM orders AS o",
        "SELECT /*+ STATE_TTL('o' = '1d') */ DISTINCT item FROM orders AS o",
        "SELECT /*+ STATE_TTL('o' = '1d') */ item FROM orders AS o GROUP BY ROLLUP (item)",
    ],
)
def test_groups(query, sql):
    (aggregate,) = (item for item in query(sql).walk() if isinstance(item, Aggregate))
    assert aggregate.ttl == DAY


def test_it_ends_with_its_select(query):
    node = query(
        "SELECT /*+ STATE_TTL('t' = '1d') */ t.n FROM (SELECT item, COUNT(*) AS n FROM orders GROUP BY item) AS t "
        "JOIN users ON users.name = t.item"
    )
    (aggregate,) = (item for item in node.walk() if isinstance(item, Aggregate))
    assert aggregate.ttl is None
    assert times(node) == [(DAY, None)]


def test_a_subquery_has_its_own(query):
    node = query(
        "SELECT name FROM users AS u WHERE age > "
        "(SELECT /*+ STATE_TTL('o' = '1d') */ COUNT(*) FROM orders AS o WHERE o.user_id = u.user_id)"
    )
    (aggregate,) = (item for item in node.walk() if isinstance(item, Aggregate))
    assert aggregate.ttl == DAY


def test_the_plan_tells_it_for_each_node(plan):
    text = explain_text(
        plan(
            "SELECT /*+ STATE_TTL('o' = '3d', 'u' = '12h') */ o.item FROM orders o JOIN users u "
            "ON o.user_id = u.user_id"
        )
    )
    assert "rows of both sides per join key, left for 3 d, right for 12 h" in text
    assert "Join keeps its state for ever" not in text
    # The hint is about the join; what makes the users' old rows known has none.
    assert "Normalize keeps its state for ever" in text


def test_a_side_without_one_is_told(plan):
    made = plan(
        "SELECT /*+ STATE_TTL('o' = '3d') */ o.item FROM orders o JOIN users u ON o.user_id = u.user_id"
    )
    text = explain_text(made)
    assert "left for 3 d, right for ever" in text
    assert "Join keeps its state for ever" in text


@pytest.mark.parametrize(
    ("sql", "error", "place"),
    [
        (
            "SELECT /*+ STATE_TTL('order' = '1d') */ COUNT(*) FROM orders",
            "[UNKNOWN_TABLE] table 'order' does not exist (in STATE_TTL); did you mean 'orders'?",
            "1:22",
        ),
        (
            "SELECT /*+ STATE_TTL('orders' = '1d') */ COUNT(*) FROM orders AS o",
            "[UNKNOWN_TABLE] table 'orders' does not exist (in STATE_TTL)",
            "1:22",
        ),
        (
            "SELECT /*+ STATE_TTL('orders' = 'long') */ COUNT(*) FROM orders",
            "[INVALID_OPTION] STATE_TTL takes a length of time for 'orders'",
            "1:33",
        ),
        (
            "SELECT /*+ STATE_TTL('orders' = '1d') */ item FROM orders",
            "[UNUSED_HINT] STATE_TTL is about joins and groups, and this SELECT has neither",
            "1:1",
        ),
        (
            "SELECT /*+ BROADCAST(orders) */ COUNT(*) FROM orders",
            "[UNSUPPORTED_SQL] the hint BROADCAST is not supported yet",
            "1:1",
        ),
    ],
)
def test_refusals(query, sql, error, place):
    with pytest.raises(HeadraceError) as caught:
        query(sql)
    lines = caught.value.render().splitlines()
    assert lines[0].startswith(error.partition(";")[0])
    assert lines[1] == f"  at: <sql>:{place}"


def test_hints_of_views_are_theirs(env, query):
    env.execute_sql(
        "CREATE VIEW counted AS SELECT /*+ STATE_TTL('o' = '1d') */ item, COUNT(*) AS n FROM orders AS o GROUP BY item"
    )
    (aggregate,) = (
        item for item in query("SELECT n FROM counted").walk() if isinstance(item, Aggregate)
    )
    assert aggregate.ttl == DAY
