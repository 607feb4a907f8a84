"""What is inferred about a query (keys, kinds of change) must be true of its answers, with DuckDB as the judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headrace.changelog import Change, to_row_kinds

QUERIES = [
    "SELECT order_id, item FROM orders",
    "SELECT DISTINCT item FROM orders",
    "SELECT item, COUNT(*) AS n FROM orders GROUP BY item",
    "SELECT item, COUNT(DISTINCT user_id) AS n, MAX(user_id) AS m FROM orders GROUP BY item",
    "SELECT n, COUNT(*) AS c FROM (SELECT item, COUNT(*) AS n FROM orders GROUP BY item) GROUP BY n",
    "SELECT user_id, name FROM users",
    "SELECT name FROM users",
    "SELECT user_id AS a, user_id AS b, CAST(user_id AS STRING) AS c FROM users",
    "SELECT user_id, name FROM users WHERE age > 1",
    "SELECT DISTINCT name FROM users",
    "SELECT name, COUNT(*) AS n FROM users GROUP BY name",
    "SELECT name, age FROM users GROUP BY name, age HAVING COUNT(*) > 1",
    "SELECT CAST(age AS BIGINT) AS a, MIN(name) AS m FROM users GROUP BY age",
    "SELECT user_id, name FROM users UNION ALL SELECT order_id, item FROM orders",
    "SELECT name FROM users UNION SELECT item FROM orders",
    "SELECT user_id FROM (SELECT user_id, COUNT(*) AS n FROM orders GROUP BY user_id) WHERE n > 1",
    "SELECT order_id, name FROM orders JOIN users ON orders.user_id = users.user_id",
    "SELECT u.user_id, o.n FROM users u JOIN (SELECT user_id, COUNT(*) AS n FROM orders GROUP BY user_id) o "
    "ON u.user_id = o.user_id",
    "SELECT o.user_id, u.name FROM users u JOIN (SELECT user_id, item, COUNT(*) AS n FROM orders "
    "GROUP BY user_id, item) o ON u.user_id = o.user_id",
    "SELECT u.user_id, o.item FROM users u LEFT JOIN (SELECT DISTINCT user_id, item FROM orders) o "
    "ON u.user_id = o.user_id",
    "SELECT u.user_id, o.user_id AS buyer FROM (SELECT user_id, COUNT(*) AS n FROM orders GROUP BY user_id) o "
    "RIGHT JOIN users u ON u.user_id = o.user_id AND o.n > 1",
    "SELECT u.user_id, o.item FROM users u FULL JOIN (SELECT DISTINCT item FROM orders) o ON u.name = o.item",
    "SELECT a.user_id, b.user_id AS other FROM users a JOIN users b ON a.name = b.name AND a.age < b.age",
    "SELECT a.order_id, b.item FROM orders a JOIN orders b ON a.user_id = b.user_id",
    "SELECT order_id, item FROM orders WHERE user_id IN (SELECT order_id FROM orders)",
    "SELECT user_id, name FROM users WHERE user_id IN (SELECT user_id FROM orders)",
    "SELECT item FROM orders o WHERE NOT EXISTS (SELECT 1 FROM users u WHERE u.user_id = o.user_id AND u.age > 1)",
    "SELECT item, n FROM (SELECT item, COUNT(*) AS n FROM orders GROUP BY item) WHERE n < 2",
    "SELECT name, rn FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY age, user_id) AS rn FROM users) "
    "WHERE rn <= 2",
    "SELECT name, age FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY name ORDER BY age) AS rn FROM users) "
    "WHERE rn = 1",
    "SELECT user_id, name FROM users ORDER BY age, user_id LIMIT 2 OFFSET 1",
    "SELECT order_id, item FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY item ORDER BY order_id) = 2",
    "SELECT item FROM orders INTERSECT SELECT name FROM users",
    "SELECT item FROM orders EXCEPT SELECT name FROM users",
    "SELECT item FROM orders EXCEPT SELECT item FROM orders WHERE user_id > 1",
    "SELECT item FROM orders EXCEPT ALL SELECT name FROM users",
    "SELECT item FROM orders INTERSECT ALL SELECT item FROM orders WHERE user_id > 1",
    "SELECT item, user_id, COUNT(*) AS n FROM orders GROUP BY ROLLUP (item, user_id)",
    "SELECT u.user_id, (SELECT COUNT(*) FROM orders o WHERE o.user_id = u.user_id) AS n FROM users u",
    "SELECT o.order_id, (SELECT u.name FROM users u WHERE u.user_id = o.user_id) AS name FROM orders o",
    "SELECT user_id, age > (SELECT MAX(order_id) FROM orders) AS more FROM users",
    "SELECT user_id, EXISTS (SELECT 1 FROM orders o WHERE o.order_id > u.age) AS e FROM users u",
    "SELECT user_id, name IN (SELECT item FROM orders) AS e FROM users",
    "SELECT user_id FROM users u WHERE u.age NOT IN (SELECT o.user_id FROM orders o WHERE o.item = u.name)",
    "SELECT u.user_id, t.order_id FROM users u, LATERAL "
    "(SELECT o.order_id FROM orders o WHERE o.user_id = u.user_id ORDER BY o.order_id LIMIT 1) t",
    "SELECT u.user_id, o.order_id FROM users u CROSS JOIN (SELECT DISTINCT order_id FROM orders) o",
    "SELECT u.user_id, o.order_id FROM users u LEFT JOIN orders o ON u.age < o.order_id",
    "SELECT item, ROW_NUMBER() OVER (PARTITION BY item ORDER BY order_id) AS n FROM orders QUALIFY n <= 2",
    "SELECT name, GROUPING(name) AS g, MAX(age) AS m FROM users GROUP BY GROUPING SETS ((name), ())",
]

words = st.sampled_from(["x", "y", "z"])
small = st.integers(0, 3)
orders = st.lists(st.tuples(small, small, words), max_size=5)
users = st.dictionaries(small, st.tuples(words, small), max_size=4)


@pytest.fixture(scope="module")
def judge() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect()
    connection.execute("CREATE TABLE orders (order_id BIGINT, user_id BIGINT, item VARCHAR)")
    connection.execute("CREATE TABLE users (user_id BIGINT, name VARCHAR, age INT)")
    yield connection
    connection.close()


def answer(judge, sql: str, order_rows, user_rows) -> Counter:
    judge.execute("DELETE FROM orders")
    judge.execute("DELETE FROM users")
    for row in order_rows:
        judge.execute("INSERT INTO orders VALUES (?, ?, ?)", row)
    for key, values in user_rows.items():
        judge.execute("INSERT INTO users VALUES (?, ?, ?)", (key, *values))
    return Counter(judge.execute(sql).fetchall())


def differences(old: Counter, new: Counter) -> list[Change]:
    return [Change(row, new[row] - old[row]) for row in old | new if new[row] != old[row]]


@pytest.mark.parametrize("sql", QUERIES)
@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(before=st.tuples(orders, users), more=orders, users_after=users)
def test_keys_and_kinds_hold(plan, judge, sql, before, more, users_after):
    traits = plan(sql).root.traits
    names = plan(sql).sink.names
    order_rows, user_rows = before
    old = answer(judge, sql, order_rows, user_rows)
    new = answer(judge, sql, order_rows + more, users_after)
    for key in traits.keys:
        places = [names.index(name) for name in key]
        assert len({tuple(row[i] for i in places) for row in new}) == new.total()
    shown = None if traits.key is None else tuple(names.index(name) for name in traits.key)
    told = {kind for kind, _ in to_row_kinds(differences(old, new), shown)}
    assert told <= traits.mode.kinds
