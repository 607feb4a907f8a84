from datetime import timedelta

import pytest

from headrace.plan.nodes import Aggregate, Collect, Normalize, Scan, Sink
from headrace.plan.plan import PlanSettings, annotate

AVERAGE = "SELECT country, AVG(age) FROM users GROUP BY country"


def only(plan, kind):
    (found,) = (item for item in plan.root.walk() if isinstance(item.node, kind))
    return found


def test_every_node_has_its_traits(plan, shape):
    made = plan("INSERT INTO totals SELECT country, COUNT(*) FROM users GROUP BY country")
    assert shape(made.root) == "Sink(Project(Aggregate(Project(Normalize(Scan)))))"
    assert [str(item.traits.mode) for item in made.root.walk()] == [
        "[I,UA,D]",
        "[I,UA,D]",
        "[I,UA,D]",
        "[I,UB,UA,D]",
        "[I,UB,UA,D]",
        "[I,UA,D]",
    ]
    assert [item.traits.engine for item in made.root.walk()] == [
        "native",
        "native",
        "java",
        "native",
        "java",
        "native",
    ]


def test_reasons(plan):
    made = plan("INSERT INTO totals SELECT country, COUNT(*) FROM users GROUP BY country")
    assert only(made, Aggregate).traits.reason == "-U omitted: the reader takes updates by key"
    assert only(made, Normalize).traits.reason == "-U emitted: the reader subtracts the old row"
    assert only(made, Scan).traits.reason == (
        "a record replaces the last one of its key; a null value deletes it"
    )
    distinct = plan("SELECT DISTINCT item FROM orders")
    assert only(distinct, Aggregate).traits.reason == "rows only arrive, so a result never changes"
    assert only(plan("SELECT item FROM orders"), Scan).traits.reason == ""


def test_the_time_to_live_is_of_stateful_nodes_only(query):
    day = timedelta(days=1)
    made = annotate(Collect(query(AVERAGE)), PlanSettings(state_ttl=day))
    assert {item.traits.state_ttl for item in made.root.walk() if item.traits.state} == {day}
    assert {item.traits.state_ttl for item in made.root.walk() if not item.traits.state} == {
        timedelta(0)
    }


@pytest.mark.parametrize(
    ("sql", "bounded", "streams"),
    [
        ("SELECT item FROM orders", False, True),
        ("SELECT word FROM numbers", True, True),
        ("SELECT word FROM numbers UNION ALL SELECT item FROM orders", False, True),
        ("SELECT 1", True, False),
        (
            "SELECT item FROM orders /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */",
            True,
            True,
        ),
    ],
)
def test_a_plan_ends_when_all_its_sources_do(plan, sql, bounded, streams):
    made = plan(sql)
    assert made.is_bounded is bounded
    assert made.has_stream is streams


def test_the_ends_of_a_plan(plan):
    made = plan("INSERT INTO console SELECT user_id, name FROM users")
    assert isinstance(made.sink, Sink)
    assert [scan.table.identifier.name for scan in made.scans] == ["users"]
    assert isinstance(plan("SELECT 1").sink, Collect)


def test_the_shortest_key_is_shown(plan):
    made = plan("SELECT user_id, user_id AS again, name FROM users")
    assert len(made.root.traits.keys) == 2
    assert made.root.traits.key in {("user_id",), ("again",)}
    assert plan("SELECT COUNT(*) FROM users").root.traits.key == ()
    assert plan("SELECT name FROM users").root.traits.key is None


def test_a_distinct_over_arriving_rows_asks_for_nothing(plan):
    made = plan("SELECT item, COUNT(*) FROM (SELECT DISTINCT item FROM orders) GROUP BY item")
    assert [str(i.traits.mode) for i in made.root.walk() if isinstance(i.node, Aggregate)] == [
        "[I,UB,UA]",
        "[I]",
    ]
