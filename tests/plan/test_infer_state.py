from dataclasses import replace

import pytest

from headrace.changelog import ChangelogMode
from headrace.plan.infer_state import is_stateful, state_kept
from headrace.plan.nodes import Aggregate, Field, Normalize, Scan
from headrace.types import BIGINT, STRING

APPEND, RETRACT = ChangelogMode.append(), ChangelogMode.retract()


@pytest.fixture
def users(table) -> Scan:
    return Scan(table("users"), (Field("user_id", BIGINT), Field("name", STRING)))


def aggregates(query, sql: str) -> Aggregate:
    return next(node for node in query(sql).walk() if isinstance(node, Aggregate))


def test_normalize_keeps_what_is_not_key(users):
    assert state_kept(Normalize(users, ("user_id",)), None) == "last row per key (name)"
    only_key = Scan(users.table, users.columns[:1])
    assert state_kept(Normalize(only_key, ("user_id",)), None) == "last row per key (key only)"


@pytest.mark.parametrize(
    ("calls", "mode", "state"),
    [
        ("COUNT(*)", APPEND, "1 accumulator per group"),
        ("COUNT(*), SUM(age)", RETRACT, "2 accumulators per group"),
        ("MAX(age)", APPEND, "1 accumulator per group"),
        ("MAX(age)", RETRACT, "1 accumulator per group, values of age with counts"),
        ("MIN(age), MAX(age)", RETRACT, "2 accumulators per group, values of age with counts"),
        (
            "COUNT(DISTINCT name), COUNT(DISTINCT age)",
            APPEND,
            "2 accumulators per group, values of age, name with counts",
        ),
        (
            "COUNT(DISTINCT name, age)",
            APPEND,
            "1 accumulator per group, values of (name, age) with counts",
        ),
        ("MAX(DISTINCT age)", APPEND, "1 accumulator per group"),
        ("FIRST_VALUE(age)", APPEND, "1 accumulator per group"),
        (
            "FIRST_VALUE(age), LAST_VALUE(age)",
            RETRACT,
            "2 accumulators per group, all values of age in order of arrival",
        ),
        (
            "LAST_VALUE(DISTINCT age), MAX(name)",
            RETRACT,
            "2 accumulators per group, values of name with counts, all values of age in order of arrival",
        ),
        (
            "LISTAGG(name)",
            APPEND,
            "1 accumulator per group, all values of name in order of arrival",
        ),
    ],
)
def test_aggregates_keep_values_only_where_they_must(query, calls, mode, state):
    node = aggregates(query, f"SELECT country, {calls} FROM users GROUP BY country")
    assert state_kept(node, mode) == state


def test_split_values_are_kept_in_buckets(query):
    node = aggregates(query, "SELECT COUNT(DISTINCT name) FROM users")
    assert state_kept(replace(node, buckets=4), APPEND) == (
        "1 accumulator per group, values of name with counts in 4 buckets"
    )


def test_distinct_keeps_a_count(query):
    assert state_kept(aggregates(query, "SELECT DISTINCT name FROM users"), RETRACT) == (
        "row count per group"
    )


def test_the_rest_keeps_nothing(query):
    nodes = query("SELECT name FROM users WHERE age > 3").walk()
    for node in nodes:
        assert state_kept(node, APPEND) == ""
        assert not is_stateful(node)


def test_what_keeps_state_is_stateful(users):
    assert is_stateful(Normalize(users, ("user_id",)))
    assert is_stateful(Aggregate(users, ("name",), ()))


def test_a_join_keeps_both_sides(plan):
    planned = plan("SELECT 1 FROM orders AS o JOIN users AS u ON o.user_id = u.user_id")
    (join,) = (item for item in planned.root.walk() if type(item.node).__name__ == "Join")
    assert join.traits.state == "rows of both sides per join key"
    assert join.traits.engine == "java"


@pytest.mark.parametrize(
    ("over", "state"),
    [
        ("PARTITION BY item ORDER BY price", "sorted rows per partition"),
        ("ORDER BY price", "all rows, sorted"),
    ],
)
def test_a_rank_keeps_its_rows(plan, over, state):
    planned = plan(f"SELECT item FROM orders QUALIFY ROW_NUMBER() OVER ({over}) < 3")
    (rank,) = (item for item in planned.root.walk() if type(item.node).__name__ == "Rank")
    assert (rank.traits.state, rank.traits.engine) == (state, "java")


def test_a_materialized_sink_keeps_rows_per_key(plan):
    planned = plan("INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users")
    (child,) = planned.root.inputs
    assert (child.traits.state, child.traits.engine) == ("rows per key of the sink", "java")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT x FROM orders CROSS JOIN UNNEST(ARRAY[1]) AS t (x)",
        "SELECT item FROM orders LIMIT 0",
    ],
)
def test_nothing_is_kept(plan, sql):
    assert all(not item.traits.state for item in plan(sql).root.walk())


@pytest.mark.parametrize("action", ["NOTHING", "ERROR"])
def test_a_sink_that_settles_conflicts_keeps_one_row(plan, action):
    sql = "INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users ON CONFLICT DO"
    (child,) = plan(f"{sql} {action}").root.inputs
    assert child.traits.state == "one row per key of the sink"


def test_a_join_without_keys_keeps_all_rows(plan):
    planned = plan("SELECT 1 FROM orders CROSS JOIN users")
    (join,) = (item for item in planned.root.walk() if type(item.node).__name__ == "Join")
    assert join.traits.state == "all rows of both sides"
