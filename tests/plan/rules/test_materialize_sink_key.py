import pytest

from headrace.plan.nodes import Collect, Materialize, Sink
from headrace.plan.rules.materialize_sink_key import materialize_sink_key


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
