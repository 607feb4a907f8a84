from dataclasses import replace

import pytest

from headrace.plan.nodes import Collect, Filter, Normalize, Sink
from headrace.plan.rules.drop_needless_normalize import drop_needless_normalize


@pytest.fixture
def normalized(scan) -> Normalize:
    return Normalize(scan("users", "user_id", "name"), ("user_id",))


def keeps_state(root) -> bool:
    return any(isinstance(node, Normalize) for node in drop_needless_normalize(root).walk())


def test_a_copy_by_the_same_key_needs_no_state(normalized, project, table, shape):
    copy = project(normalized, user_id="user_id", name="UPPER(name)")
    assert shape(drop_needless_normalize(Sink(copy, table("users_copy")))) == "Sink(Project(Scan))"
    assert not keeps_state(Sink(normalized, table("users_copy")))


def test_the_key_may_be_renamed_on_the_way(normalized, project, table):
    renamed = project(project(normalized, id="user_id", n="name"), user_id="id", name="n")
    assert not keeps_state(Sink(renamed, table("users_copy")))


def test_a_filter_needs_the_old_row(normalized, expr, table):
    filtered = Filter(normalized, expr("name = 'x'", normalized))
    assert keeps_state(Sink(filtered, table("users_copy")))


def test_a_sink_of_another_key_needs_it(normalized, project, table):
    swapped = project(normalized, country="name", n="user_id")
    assert keeps_state(Sink(swapped, table("totals")))


def test_a_sink_of_any_change_and_a_client_need_it(normalized, table):
    assert keeps_state(Sink(normalized, table("console")))
    assert keeps_state(Collect(normalized))


def test_a_metadata_column_must_show_the_stored_row(env, scan, project, table):
    env.execute_sql(
        """
        CREATE TABLE stamped (
          user_id BIGINT, at TIMESTAMP_LTZ(3) METADATA FROM 'timestamp' VIRTUAL,
          PRIMARY KEY (user_id) NOT ENFORCED
        ) WITH (
          'connector' = 'upsert-kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092',
          'key.format' = 'json', 'value.format' = 'json'
        )"""
    )
    with_time = Normalize(scan("stamped"), ("user_id",))
    copy = project(with_time, user_id="user_id", name="CAST(at AS STRING)")
    assert keeps_state(Sink(copy, table("users_copy")))
    without = Normalize(scan("stamped", "user_id"), ("user_id",))
    copy = project(without, user_id="user_id", name="'x'")
    assert not keeps_state(Sink(copy, table("users_copy")))


def test_metadata_that_never_change_and_conditions_on_them_need_no_old_row(env, plan, shape):
    env.execute_sql(
        """
        CREATE TABLE products (
          id BIGINT, n STRING, tab STRING METADATA FROM 'value.source.table' VIRTUAL,
          at TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL,
          PRIMARY KEY (id) NOT ENFORCED
        ) WITH (
          'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092',
          'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
        )"""
    )
    for query, expected in (
        ("SELECT id, tab FROM products", "Sink(Project(Scan))"),
        ("SELECT id, n FROM products WHERE tab = 'a'", "Sink(Project(Filter(Scan)))"),
        ("SELECT id, CAST(at AS STRING) FROM products", "Sink(Project(Normalize(Scan)))"),
        (
            "SELECT id, CAST(at AS STRING) FROM products WHERE tab = 'a'",
            "Sink(Project(Normalize(Filter(Scan))))",
        ),
        (
            "SELECT id, n FROM products WHERE n = 'a' AND tab = 'a'",
            "Sink(Project(Filter(Normalize(Filter(Scan)))))",
        ),
    ):
        made = plan(f"INSERT INTO users_copy {query}")
        assert shape(made.root) == expected
        changes = [node.node.every_change for node in made.root.walk() if node.inputs == ()]
        assert changes == ["Normalize" not in expected]


def test_the_source_itself_stays_and_gives_every_change(normalized, table):
    root = drop_needless_normalize(Sink(normalized, table("users_copy")))
    assert not normalized.input.every_change
    assert root.input == replace(normalized.input, every_change=True)


def test_a_sink_that_always_keeps_its_rows_needs_the_old_ones(env, plan, shape):
    env.execute_sql("SET 'table.exec.sink.upsert-materialize' = 'FORCE'")
    made = plan("INSERT INTO users_copy SELECT user_id, name FROM users")
    assert shape(made.root).startswith("Sink(Materialize(")
    assert "Normalize" in shape(made.root)
