"""Changes of a key that lie together need no shuffle before an upsert sink."""

import pytest

from headrace.plan.infer_clustering import clustered_by

ORDERS = """CREATE TABLE orders (id BIGINT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = 'o', 'properties.bootstrap.servers' = 'b:1',
  'key.format' = 'json', 'value.format' = 'json')"""

CHANGES = """CREATE TABLE changes (id BIGINT, origin STRING METADATA FROM 'value.source.table' VIRTUAL,
  PRIMARY KEY (id) NOT ENFORCED) WITH ('connector' = 'kafka', 'topic' = 'c',
  'properties.bootstrap.servers' = 'b:1', 'scan.startup.mode' = 'earliest-offset', 'format' = 'debezium-json')"""


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("SELECT id, amount FROM orders WHERE amount > 1", {"id"}),
        ("SELECT id, origin FROM changes WHERE id > 1", {"id", "origin"}),
        ("SELECT id AS renamed FROM orders WHERE amount > 1", {"renamed"}),
        ("SELECT customer, COUNT(*) AS n FROM orders GROUP BY customer", {"customer"}),
        ("SELECT customer FROM orders GROUP BY customer HAVING COUNT(*) > 1", {"customer"}),
        ("SELECT UPPER(customer) AS c FROM orders GROUP BY customer", None),
        ("SELECT amount FROM orders WHERE amount > 1", None),
        ("SELECT COUNT(*) AS n FROM orders", set()),
        ("SELECT id FROM orders UNION ALL SELECT id FROM orders", None),
    ],
)
def test_columns_by_which_changes_lie_together(query, expected):
    from headrace.runtime.environment import TableEnvironment
    from headrace.sql.dialect import parse_statement

    env = TableEnvironment()
    env.execute_sql(ORDERS)
    env.execute_sql(CHANGES)
    (plan,) = env.plans(parse_statement(query))
    (child,) = plan.root.inputs
    assert clustered_by(child.node) == (None if expected is None else frozenset(expected))
