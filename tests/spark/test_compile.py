"""Whole queries on Spark: after every batch the sum of all changes is a database's answer to the same query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from headrace.changelog import WEIGHT
from headrace.plan.nodes import Normalize, Scan
from headrace.runtime.environment import TableEnvironment
from headrace.spark.compile import Compiler
from headrace.sql.dialect import parse_statement
from headrace.testing.spark import ScriptedQuery, ScriptedStream

pytestmark = pytest.mark.spark

OPTIONS = "'topic' = 't', 'properties.bootstrap.servers' = 'nowhere:1'"
TABLES = f"""
CREATE TABLE orders (order_id BIGINT, user_id BIGINT, item STRING)
WITH ('connector' = 'kafka', {OPTIONS}, 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE users (user_id BIGINT, name STRING, age BIGINT, PRIMARY KEY (user_id) NOT ENFORCED)
WITH ('connector' = 'upsert-kafka', {OPTIONS}, 'key.format' = 'json', 'value.format' = 'json');
CREATE TABLE sink (id BIGINT, word STRING, PRIMARY KEY (id) NOT ENFORCED)
WITH ('connector' = 'upsert-kafka', {OPTIONS}, 'key.format' = 'json', 'value.format' = 'json')
"""
SCHEMAS = {
    "orders": "order_id bigint, user_id bigint, item string",
    "users": "user_id bigint, name string, age bigint",
}
State = dict[str, Counter[tuple[Any, ...]]]
Fold = Callable[[Counter, tuple[Any, ...], int], None]

# The tables as they stand after each batch: rows come, change, go and come back, with copies and NULLs.
BATCHES: list[State] = [
    {
        "orders": Counter({(1, 1, "x"): 1, (2, 2, "y"): 2, (3, None, "x"): 1}),
        "users": Counter({(1, "x", 5): 1, (3, "z", None): 1}),
    },
    {
        "orders": Counter({(1, 1, "x"): 1, (2, 2, "y"): 3, (3, None, "x"): 1, (4, 3, "z"): 1}),
        "users": Counter({(1, "y", 6): 1, (2, "y", 6): 1, (3, "z", 1): 1}),
    },
    {
        "orders": Counter({(1, 1, "x"): 2, (2, 2, "y"): 3, (3, None, "x"): 1, (4, 3, "z"): 1}),
        "users": Counter({(2, "x", 6): 1, (4, None, 6): 1}),
    },
]
RANKED = "SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY age DESC NULLS LAST, user_id) AS rn FROM users"
QUERIES = {
    "inner": "SELECT o.order_id, u.name FROM orders o JOIN users u ON o.user_id = u.user_id",
    "left": "SELECT o.order_id, u.name FROM orders o LEFT JOIN users u ON o.user_id = u.user_id",
    "right": "SELECT o.item, u.user_id FROM orders o RIGHT JOIN users u ON o.user_id = u.user_id",
    "full": "SELECT o.item, u.name FROM orders o FULL JOIN users u ON o.user_id = u.user_id",
    "condition": "SELECT o.order_id, u.age FROM orders o LEFT JOIN users u "
    "ON o.user_id = u.user_id AND u.age > o.order_id + 1 WHERE o.order_id < 4",
    "computed keys": "SELECT o.item, u.user_id FROM orders o JOIN users u ON UPPER(o.item) = UPPER(u.name)",
    "comma": "SELECT a.user_id, b.user_id FROM users a, users b WHERE a.name = b.name AND a.user_id < b.user_id",
    "using": "SELECT user_id, name, item FROM users FULL JOIN orders USING (user_id)",
    "three tables": "SELECT o.order_id, u.name, v.age FROM orders o JOIN users u ON o.user_id = u.user_id "
    "LEFT JOIN users v ON v.name = u.name",
    "over groups": "SELECT u.name, o.n FROM users u JOIN "
    "(SELECT user_id, COUNT(*) AS n FROM orders GROUP BY user_id) o ON u.user_id = o.user_id",
    "in": "SELECT order_id FROM orders WHERE user_id IN (SELECT user_id FROM users WHERE age > 1)",
    "exists": "SELECT name FROM users u WHERE EXISTS "
    "(SELECT 1 FROM orders o WHERE o.user_id = u.user_id AND o.order_id < u.age)",
    "not exists": "SELECT order_id, item FROM orders o WHERE NOT EXISTS "
    "(SELECT 1 FROM users u WHERE u.user_id = o.user_id)",
    "top": f"SELECT name, user_id, rn FROM ({RANKED}) t WHERE rn <= 2",
    "first": f"SELECT name, age FROM ({RANKED}) t WHERE rn = 1",
    "limit": "SELECT user_id, name FROM users ORDER BY age DESC NULLS LAST, user_id LIMIT 2",
    "offset": "SELECT user_id FROM users ORDER BY user_id LIMIT 1 OFFSET 1",
    "limit of groups": "SELECT item, COUNT(*) AS n FROM orders GROUP BY item ORDER BY n DESC, item LIMIT 1",
    "union": "SELECT item FROM orders UNION SELECT name FROM users",
    "intersect": "SELECT item FROM orders INTERSECT SELECT name FROM users",
    "intersect all": "SELECT item FROM orders INTERSECT ALL SELECT name FROM users",
    "except": "SELECT name FROM users EXCEPT SELECT item FROM orders WHERE order_id > 1",
    "except all": "SELECT item FROM orders EXCEPT ALL SELECT name FROM users",
    "rollup": "SELECT item, user_id, COUNT(*) AS n, SUM(user_id) AS s FROM orders GROUP BY ROLLUP (item, user_id)",
    "sets": "SELECT name, age, GROUPING(name, age) AS g FROM users GROUP BY GROUPING SETS ((name), (age), (name, age))",
}


class ScriptedCompiler(Compiler):
    """Sources are streams fed by hand, of weighted rows, so that nothing is left for a Normalize to do."""

    def __init__(self, spark: Any) -> None:
        super().__init__(spark)
        self.streams: list[tuple[str, ScriptedStream]] = []

    def _compile(self, planned: Any) -> Any:
        node = planned.node.input if isinstance(planned.node, Normalize) else planned.node
        if not isinstance(node, Scan):
            return super()._compile(planned)
        name = node.table.identifier.name
        stream = ScriptedStream(self.spark, f"{SCHEMAS[name]}, {WEIGHT} bigint")
        self.streams.append((name, stream))
        return stream.frame.select(*node.names, WEIGHT)

    def feed(self, before: State, after: State) -> None:
        for name, stream in self.streams:
            rows = {*before[name], *after[name]}
            changes = [(*row, after[name][row] - before[name][row]) for row in rows]
            stream.add([change for change in changes if change[-1]])


def added_up(total: Counter, row: tuple[Any, ...], weight: int) -> None:
    total[row] += weight


def by_first_column(total: Counter, row: tuple[Any, ...], weight: int) -> None:
    """As an upsert sink folds: a row replaces the last one of its key."""
    for held in [held for held in total if held[0] == row[0]]:
        del total[held]
    if weight > 0:
        total[row] = weight


@pytest.fixture
def env() -> TableEnvironment:
    environment = TableEnvironment()
    for statement in TABLES.split(";"):
        environment.execute(parse_statement(statement.strip()))
    return environment


@pytest.fixture
def steps(spark, env, tmp_path) -> Callable[..., Iterator[tuple[State, Counter]]]:
    """The state after each batch, and what the changes of a query or an INSERT fold into."""

    def run(sql: str, fold: Fold = added_up) -> Iterator[tuple[State, Counter]]:
        (plan,) = env.plans(parse_statement(sql))
        compiler = ScriptedCompiler(spark)
        total: Counter = Counter()
        before: State = {name: Counter() for name in SCHEMAS}
        with ScriptedQuery(compiler.compile(plan), tmp_path / "checkpoint") as query:
            for after in BATCHES:
                compiler.feed(before, after)
                for *row, weight in query.step():
                    fold(total, tuple(row), weight)
                before = after
                yield after, Counter({row: n for row, n in total.items() if n})

    return run


@pytest.fixture(scope="module")
def judge() -> Iterator[Callable[[str, State], Counter]]:
    connection = duckdb.connect()
    for name, columns in SCHEMAS.items():
        connection.execute(f"CREATE TABLE {name} ({columns})")

    def answer(sql: str, state: State) -> Counter:
        for name, rows in state.items():
            connection.execute(f"DELETE FROM {name}")
            for row in rows.elements():
                connection.execute(f"INSERT INTO {name} VALUES (?, ?, ?)", row)
        return Counter(connection.execute(sql).fetchall())

    yield answer
    connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("name", QUERIES)
def test_the_answer_is_the_databases(steps, judge, name):
    sql = QUERIES[name]
    for state, total in steps(sql):
        assert total == judge(sql, state)


def test_one_row_per_key_of_the_sink(steps):
    sql = "INSERT INTO sink SELECT COALESCE(age, 0), name FROM users"
    for state, total in steps(sql, by_first_column):
        candidates = {(age or 0, name) for _, name, age in state["users"]}
        assert set(total) <= candidates
        assert sorted(age for age, _ in total) == sorted({age for age, _ in candidates})
        assert set(total.values()) == {1}


def test_items_of_a_collection(steps):
    sql = (
        "SELECT user_id, x, i FROM users LEFT JOIN "
        "UNNEST(CASE WHEN age > 5 THEN ARRAY[name, 'b'] END) WITH ORDINALITY AS t (x, i) ON TRUE"
    )
    for state, total in steps(sql):
        expected: Counter = Counter()
        for user, name, age in state["users"]:
            items = [(name, 1), ("b", 2)] if age is not None and age > 5 else [(None, None)]
            expected.update((user, *item) for item in items)
        assert total == expected
