from headrace.plan.nodes import Collect, Normalize, Union
from headrace.plan.rules.normalize_upserts import normalize_upserts


def test_an_upsert_source_is_normalized_by_its_primary_key(scan):
    source = scan("users", "user_id", "name")
    assert normalize_upserts(Collect(source)) == Collect(Normalize(source, ("user_id",)))


def test_a_source_of_inserts_stays(scan):
    root = Collect(scan("orders", "item"))
    assert normalize_upserts(root) is root


def test_every_branch_is_looked_at(scan):
    users, orders = scan("users", "user_id"), scan("orders", "order_id")
    root = normalize_upserts(Union((orders, users, users)))
    assert [type(branch).__name__ for branch in root.branches] == ["Scan", "Normalize", "Normalize"]


def test_rows_of_several_tables_in_a_topic_are_told_apart(env, scan):
    env.execute_sql(
        """
        CREATE TABLE products (
          id BIGINT, at TIMESTAMP_LTZ(3) METADATA FROM 'value.source.timestamp' VIRTUAL,
          db STRING METADATA FROM 'value.source.database' VIRTUAL,
          tab STRING METADATA FROM 'value.source.table' VIRTUAL,
          PRIMARY KEY (id) NOT ENFORCED
        ) WITH (
          'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092',
          'format' = 'debezium-json'
        )"""
    )
    for columns, origin in (((), ("db", "tab")), (("id", "tab"), ("tab",)), (("id", "at"), ())):
        source = scan("products", *columns)
        assert normalize_upserts(source) == Normalize(source, ("id",), origin)


def test_a_condition_on_the_origin_is_asked_before_rows_are_kept(env, plan, shape):
    env.execute_sql(
        """
        CREATE TABLE products (
          id BIGINT, n STRING, tab STRING METADATA FROM 'value.source.table' VIRTUAL,
          PRIMARY KEY (id) NOT ENFORCED
        ) WITH (
          'connector' = 'kafka', 'topic' = 't', 'properties.bootstrap.servers' = 'b:9092',
          'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json'
        )"""
    )
    for condition, expected in (
        ("tab = 'a'", "Collect(Project(Normalize(Filter(Scan))))"),
        ("tab = 'a' AND n = 'x'", "Collect(Project(Filter(Normalize(Filter(Scan)))))"),
        ("tab = 'a' OR n = 'x'", "Collect(Project(Filter(Normalize(Scan))))"),
        ("n = 'x'", "Collect(Project(Filter(Normalize(Scan))))"),
    ):
        assert shape(plan(f"SELECT id FROM products WHERE {condition}").root) == expected
