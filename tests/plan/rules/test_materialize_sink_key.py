import pytest

from headrace.changelog import ChangelogMode
from headrace.plan.nodes import Collect, Conflict, Materialize, Normalize, Sink
from headrace.plan.rules.materialize_sink_key import materialize_sink_key, may_conflict


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users",
        "INSERT INTO users_copy SELECT MAX(user_id), country FROM users GROUP BY country",
        "INSERT INTO users_copy SELECT o.user_id, u.name FROM orders o JOIN users u ON o.user_id = u.user_id",
    ],
)
def test_another_key_than_the_sinks(plan, sql):
    node = plan(sql).sink.input
    assert isinstance(node, Materialize)
    assert node.key == ("user_id",)


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO users_copy SELECT user_id, name FROM users",
        "INSERT INTO users_copy SELECT user_id, item FROM orders",
        "INSERT INTO users_copy SELECT user_id, MAX(item) FROM orders GROUP BY user_id",
        "INSERT INTO totals SELECT CAST(COUNT(*) AS STRING), MAX(user_id) FROM users",
        "INSERT INTO console SELECT CAST(age AS BIGINT), name FROM users",
        "INSERT INTO lines SELECT order_id, item FROM orders",
    ],
)
def test_the_same_key_or_none_needed(plan, sql):
    assert not isinstance(plan(sql).sink.input, Materialize)


def test_a_select_has_no_sink_key(scan):
    root = Collect(scan("users"))
    assert materialize_sink_key(root) is root


def test_twice_changes_nothing_more(scan, project, table):
    source = project(scan("users"), user_id="CAST(age AS BIGINT)", name="name")
    once = materialize_sink_key(Sink(source, table("users_copy")))
    assert isinstance(once.input, Materialize)
    assert materialize_sink_key(once) == once


def test_never_and_always(env, plan):
    other_key = "INSERT INTO users_copy SELECT CAST(age AS BIGINT), name FROM users"
    same_key = "INSERT INTO users_copy SELECT user_id, name FROM users"
    env.execute_sql("SET 'table.exec.sink.upsert-materialize' = 'NONE'")
    assert not isinstance(plan(other_key).sink.input, Materialize)
    env.execute_sql("SET 'table.exec.sink.upsert-materialize' = 'FORCE'")
    forced = plan(same_key)
    assert isinstance(forced.sink.input, Materialize)
    # It subtracts old rows, which upserts alone do not show.
    assert any(isinstance(item.node, Normalize) for item in forced.root.walk())
    assert not isinstance(
        plan("INSERT INTO lines SELECT order_id, item FROM orders").sink.input, Materialize
    )


@pytest.mark.parametrize(
    ("action", "kept"), [("NOTHING", True), ("ERROR", True), ("DEDUPLICATE", False)]
)
def test_rows_that_only_arrive(plan, action, kept):
    made = plan(f"INSERT INTO users_copy SELECT user_id, item FROM orders ON CONFLICT DO {action}")
    assert isinstance(made.sink.input, Materialize) is kept
    # Nothing that was written is ever taken back.
    assert made.root.inputs[0].traits.mode == ChangelogMode.append()


@pytest.mark.parametrize(
    ("query", "own_key"),
    [
        ("SELECT CAST(age AS BIGINT), name FROM users", ()),
        ("SELECT COUNT(*), name FROM users GROUP BY name", ("name",)),
    ],
)
def test_versions_of_a_row_are_known_by_the_querys_key(plan, query, own_key):
    node = plan(f"INSERT INTO users_copy {query} ON CONFLICT DO ERROR").sink.input
    assert isinstance(node, Materialize)
    assert (node.conflict, node.own_key) == (Conflict.ERROR, own_key)
    assert node.table == "default_catalog.default_database.users_copy"


@pytest.mark.parametrize("action", ["NOTHING", "ERROR"])
def test_the_same_key_needs_no_action(plan, action):
    sql = f"INSERT INTO users_copy SELECT user_id, name FROM users ON CONFLICT DO {action}"
    assert not isinstance(plan(sql).sink.input, Materialize)


def test_conflicts_are_of_keys_that_hold_rows_apart(scan, project, table):
    same = Sink(scan("users"), table("users_copy"))
    assert not may_conflict(same)
    other = project(scan("users"), user_id="CAST(age AS BIGINT)", name="name")
    assert may_conflict(Sink(other, table("users_copy")))
