"""Subqueries as values, joins without an equality, LATERAL and the like, each once: one streaming query over all of them.

The random queries of `grammar` combine them; this shows at a glance which one breaks.
"""

from __future__ import annotations

import pytest

from headrace.testing.spark import TEST_SETTINGS
from tests.oracle.harness import Case, Keep, Target, check
from tests.oracle.worlds import TABLES, Batch, Record

PER_WORLD = "i.w = u.w"
QUERIES = {
    "total": "SELECT w, k FROM users AS u WHERE u.a > (SELECT MIN(i.a) FROM items AS i)",
    "total per key": f"SELECT w, k, (SELECT SUM(i.b) FROM items AS i WHERE {PER_WORLD}) AS n FROM users AS u",
    "count of nothing": f"SELECT w, k, (SELECT COUNT(*) + 1 FROM items AS i WHERE {PER_WORLD} AND i.k = u.k) AS n "
    "FROM users AS u",
    "cell by key": f"SELECT w, k, (SELECT i.s FROM items AS i WHERE {PER_WORLD} AND i.k = u.k) AS c FROM users AS u",
    "first cell": f"SELECT w, k, (SELECT i.b FROM items AS i WHERE {PER_WORLD} ORDER BY i.k DESC LIMIT 1) AS c "
    "FROM users AS u",
    "over groups": "SELECT u.w, COUNT(*) AS n FROM users AS u GROUP BY u.w "
    f"HAVING COUNT(*) >= (SELECT COUNT(*) FROM items AS i WHERE {PER_WORLD})",
    "inside a call": f"SELECT w, SUM(u.a + (SELECT COUNT(*) FROM items AS i WHERE {PER_WORLD})) AS n FROM users AS u "
    "GROUP BY w",
    "exists as a value": f"SELECT w, k, EXISTS (SELECT 1 FROM items AS i WHERE {PER_WORLD} AND i.a > u.a) AS e "
    "FROM users AS u",
    "in as a value": f"SELECT w, k, u.a IN (SELECT i.a FROM items AS i WHERE {PER_WORLD}) AS e FROM users AS u",
    "under or": "SELECT w, k FROM users AS u WHERE u.k = 0 OR u.a IN (SELECT e.a FROM events AS e WHERE e.w = u.w) "
    "OR NOT EXISTS (SELECT 1 FROM items AS i WHERE i.w = u.w)",
    "in a case": "SELECT w, CASE WHEN EXISTS (SELECT 1 FROM items AS i WHERE i.w = u.w AND i.k = u.k) THEN 'yes' "
    "ELSE u.s END AS c FROM users AS u",
    "not in": "SELECT w, k FROM users AS u WHERE u.a NOT IN (SELECT i.a FROM items AS i WHERE i.w = u.w)",
    "not in anything": "SELECT w, a, s FROM ledger AS l WHERE l.a NOT IN (SELECT i.a FROM items AS i WHERE i.w = 1)",
    "greater than any": "SELECT w, k, u.a > ANY (SELECT i.a FROM items AS i WHERE i.w = u.w) AS e FROM users AS u",
    "at most all": "SELECT w, k FROM users AS u WHERE u.a <= ALL (SELECT i.a FROM items AS i WHERE i.w = u.w)",
    "equal to all": "SELECT w, k, u.a = ALL (SELECT i.a FROM items AS i WHERE i.w = u.w) AS e, "
    "u.a <> ANY (SELECT i.a FROM items AS i) AS f FROM users AS u",
    "not among all": "SELECT w, k FROM users AS u WHERE u.k <> ALL (SELECT i.k FROM items AS i WHERE i.w = u.w) "
    "OR u.k = ANY (SELECT e.k FROM events AS e WHERE e.w > u.w)",
    "in on": "SELECT u.w, u.k, i.k AS k2 FROM users AS u JOIN items AS i ON i.w = u.w AND u.a IN "
    "(SELECT e.a FROM events AS e WHERE e.k = i.k) AND i.b = (SELECT MAX(j.b) FROM items AS j)",
    "in on of an outer join": "SELECT u.w, u.k, i.k AS k2 FROM users AS u LEFT JOIN items AS i ON i.w = u.w "
    "AND EXISTS (SELECT 1 FROM events AS e WHERE e.w = u.w AND e.a = u.a) AND i.a > "
    "(SELECT MIN(j.a) FROM items AS j WHERE j.w = i.w) AND i.b NOT IN (SELECT l.a FROM ledger AS l)",
    "in group by": "SELECT w, (SELECT MAX(i.a) FROM items AS i WHERE i.w = u.w) AS g, COUNT(*) AS n FROM users AS u "
    "GROUP BY w, (SELECT MAX(i.a) FROM items AS i WHERE i.w = u.w)",
    "two levels": "SELECT w, k FROM users AS u WHERE EXISTS (SELECT 1 FROM items AS i WHERE i.w = u.w AND NOT EXISTS "
    "(SELECT 1 FROM events AS e WHERE e.a = u.a AND e.k = i.k))",
    "value through two levels": "SELECT w, k, (SELECT COUNT(*) FROM items AS i WHERE i.b > (SELECT COUNT(*) FROM "
    "ledger AS l WHERE l.a = u.a AND l.w = i.w)) AS n FROM users AS u",
    "total by more than equality": "SELECT w, k, (SELECT SUM(i.b) FROM items AS i WHERE i.a >= u.a AND i.w = u.w) AS n "
    "FROM users AS u",
    "first by more than equality": "SELECT w, k, (SELECT i.k FROM items AS i WHERE i.w <> u.w ORDER BY i.w, i.k LIMIT 1)"
    " AS c FROM users AS u",
    "outside in its list": "SELECT w, k, (SELECT COUNT(*) + u.a FROM items AS i WHERE i.w = u.w AND i.k = u.k) AS n, "
    "(SELECT u.a + 1) AS m FROM users AS u",
    "one row by luck": "SELECT w, k, (SELECT e.s FROM events AS e WHERE e.a = 1 AND e.w = u.w) AS c, "
    "(SELECT j.k FROM items AS j WHERE j.b = 5) AS d FROM users AS u",
    "null-safe": "SELECT u.w, u.k, i.k AS k2 FROM users AS u FULL JOIN items AS i ON u.a IS NOT DISTINCT FROM i.a "
    "AND u.w = i.w",
    "percentiles": "SELECT w, CAST(FLOOR(PERCENTILE(a, 0.3) * 1000 + 0.1) AS BIGINT) AS p, "
    "PERCENTILE(DISTINCT b, 0.5) AS q FROM items GROUP BY w",
    "cross": "SELECT u.w, u.k, i.k AS k2 FROM users AS u CROSS JOIN items AS i",
    "unequal": "SELECT u.w, u.k, i.k AS k2 FROM users AS u LEFT JOIN items AS i ON u.a < i.a AND u.w <> i.w",
    "exists anything": "SELECT w, a FROM ledger WHERE EXISTS (SELECT 1 FROM items WHERE a = 2)",
    "natural": "SELECT * FROM (SELECT w, k, a FROM users) AS u NATURAL JOIN (SELECT w, k, b FROM items) AS i",
    "lateral top": "SELECT u.w, u.k, t.b FROM users AS u, LATERAL (SELECT i.b FROM items AS i WHERE i.w = u.w "
    "ORDER BY i.b DESC, i.k LIMIT 2) AS t",
    "lateral total": "SELECT u.w, u.k, t.n FROM users AS u LEFT JOIN LATERAL "
    "(SELECT COUNT(*) AS n, MAX(i.a) AS m FROM items AS i WHERE i.w = u.w AND i.k = u.k) AS t ON TRUE",
    "lateral rows": "SELECT u.w, t.c FROM users AS u LEFT JOIN LATERAL "
    "(SELECT DISTINCT i.s AS c FROM items AS i WHERE i.w = u.w) AS t ON t.c <> u.s",
    "qualify an alias": "SELECT w, k, ROW_NUMBER() OVER (PARTITION BY w ORDER BY k DESC) AS n FROM users QUALIFY n <= 2",
    "no rank": "SELECT w, k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY w ORDER BY k) AS n FROM users) AS t "
    "WHERE n <= 0",
    "some ranks": "SELECT w, k FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY w ORDER BY k) AS n FROM users) AS t "
    "WHERE n > 1 AND n <= 3",
    "common tables": "WITH q AS (WITH users AS (SELECT w, a FROM items) SELECT w, MAX(a) AS a FROM users GROUP BY w) "
    "SELECT q.w, q.a, u.k FROM q JOIN users AS u ON u.w = q.w",
}
NAMES = ("k", "a", "b", "s")
CHANGES = (
    """users 0 0 1 . x | users 0 1 . . y | items 0 0 2 5 x | items 0 1 1 . y | ledger 0 . 1 . x | ledger 1 . . . y
    events 0 0 1 1 x | users 1 0 2 . . | items 1 0 . 0 xy""",
    """users 0 0 2 . y | users 0 2 1 . x | -items 0 1 | items 0 2 . 1 x | users 2 0 0 . x | events 0 2 . 1 y
    ledger 0 . 1 . x | ledger 2 . 2 . x | items 1 1 2 0 xy""",
    """-users 0 1 | -items 0 2 | items 0 0 . 5 y | items 2 0 0 1 x | -users 1 0 | users 1 1 2 . xy | -items 1 0
    -ledger 0 . 1 . x | -ledger 1 . . . y""",
)


def batch(text: str) -> Batch:
    """`[-]table w k a b s`, one after the other; a dot is NULL."""
    lines = (line for part in text.splitlines() for line in part.split("|"))
    return [_record(line.split()) for line in lines]


def _record(words: list[str]) -> Record:
    table = words[0].removeprefix("-")
    given = dict(zip(("w", *NAMES), words[1:], strict=False))
    cells = {name: _cell(name, given.get(name, ".")) for name in TABLES[table].columns}
    return Record(table, cells, -1 if words[0].startswith("-") else 1)


def _cell(name: str, word: str) -> str | int | None:
    if word == ".":
        return None
    return word if name == "s" else int(word)


def test_records_are_read():
    (first, second) = batch("users 0 1 . . y | -items 0 2")
    assert first == Record("users", {"w": 0, "k": 1, "a": None, "s": "y"}, 1)
    assert (second.weight, second.cells["k"], second.cells["b"]) == (-1, 2, None)


@pytest.mark.spark
@pytest.mark.slow
def test_the_answers_are_the_databases(interpreted, tmp_path):
    targets = [Target(sql, list(Keep)[number % 2]) for number, sql in enumerate(QUERIES.values())]
    case = Case(targets, "SELECT w FROM users", list(map(batch, CHANGES)))
    # A hundred operators: one task each is enough, since `test_oracle` tries them in several.
    interpreted.conf.set("spark.sql.shuffle.partitions", "1")
    try:
        check(interpreted, case, tmp_path)
    finally:
        interpreted.conf.set(
            "spark.sql.shuffle.partitions", TEST_SETTINGS["spark.sql.shuffle.partitions"]
        )
