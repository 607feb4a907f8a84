from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.sql.dialect import parse_query, query_hints, table_hints


def table_options(query):
    return {
        table.name: {entry.key: entry.value for entry in table_hints(table)}
        for table in parse_query(query).find_all(exp.Table)
    }


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * FROM t /*+ OPTIONS('a' = 'b', 'c.d' = 'e;f') */",
        "SELECT * FROM t /*+ OPTIONS('a'='b','c.d'='e;f') */ AS x",
        "SELECT * FROM t /*+ OPTIONS('a'='b','c.d'='e;f') */ x WHERE 1 = 1",
        "SELECT * FROM t AS x /*+ OPTIONS('a'='b','c.d'='e;f') */",
        "SELECT * FROM t x /*+ OPTIONS('a'='b','c.d'='e;f') */ WHERE 1 = 1",
        "SELECT * FROM t /*+ options('a'='b'), OPTIONS('c.d'='e;f') */",
        "SELECT * FROM t /*+ OPTIONS('a'='b') */ AS x /*+ OPTIONS('c.d'='e;f') */",
        'SELECT * FROM t /*+ OPTIONS("a"="b", "c.d" = "e;f") */',
        "SELECT * FROM t /*+ OPTIONS(\n  'a' = 'b', -- why\n  'c.d' = 'e;f'\n) */",
    ],
)
def test_table_options_stay_with_the_table(query):
    assert table_options(query) == {"t": {"a": "b", "c.d": "e;f"}}


def test_each_table_of_a_join_has_its_own():
    query = """SELECT * FROM a /*+ OPTIONS('k'='1') */
        JOIN b /*+ OPTIONS('k'='2') */ FOR SYSTEM_TIME AS OF a.ts AS bb ON a.x = bb.x
        JOIN c ON c.x = a.x"""
    assert table_options(query) == {"a": {"k": "1"}, "b": {"k": "2"}, "c": {}}


def test_the_table_of_a_window_function_too():
    query = "SELECT * FROM TABLE(TUMBLE(TABLE t /*+ OPTIONS('k'='v') */, DESCRIPTOR(ts), INTERVAL '1' DAY))"
    assert table_options(query)["t"] == {"k": "v"}


def test_options_know_their_places():
    (table,) = parse_query("SELECT *\nFROM t /*+ OPTIONS('key' = 'value') */").find_all(exp.Table)
    (entry,) = table_hints(table)
    assert (entry.key_position.line, entry.key_position.column, entry.key_position.length) == (
        2,
        20,
        5,
    )
    assert (entry.value_position.line, entry.value_position.column) == (2, 28)


def test_hints_survive_a_copy_of_the_tree():
    query = parse_query("SELECT /*+ STATE_TTL('t'='1d') */ * FROM t /*+ OPTIONS('a'='b') */").copy()
    assert query_hints(query)["STATE_TTL"][0].value == "1d"
    assert table_hints(query.find(exp.Table))[0].value == "b"


def test_query_hints_by_name():
    query = parse_query(
        "SELECT /*+ STATE_TTL('l' = '1d', r = '6h'), broadcast(dim), LOOKUP('table'='x') */ a FROM l"
    )
    hints = query_hints(query)
    assert [(entry.key, entry.value) for entry in hints["STATE_TTL"]] == [("l", "1d"), ("r", "6h")]
    assert [(entry.key, entry.value) for entry in hints["BROADCAST"]] == [("dim", "")]
    assert [(entry.key, entry.value) for entry in hints["LOOKUP"]] == [("table", "x")]


def test_hints_belong_to_the_select_they_follow():
    query = parse_query("SELECT * FROM (SELECT /*+ STATE_TTL('t'='1d') */ a FROM t) x")
    assert query_hints(query) == {}
    assert "STATE_TTL" in query_hints(query.find(exp.Subquery).this)


def test_without_hints_there_is_nothing():
    query = parse_query("SELECT /* no hint */ a FROM t /* OPTIONS('a'='b') */")
    assert query_hints(query) == {}
    assert table_hints(query.find(exp.Table)) == ()


@pytest.mark.parametrize(
    ("query", "column", "length", "cure"),
    [
        ("SELECT * FROM t /*+ OPTION('a'='b') */", 21, 6, "did you mean OPTIONS?"),
        ("SELECT * FROM t /*+ STATE_TTL('a'='1d') */", 21, 9, None),
        ("SELECT /*+ STATETTL('a'='1d') */ 1", 12, 8, "did you mean STATE_TTL?"),
        ("SELECT /*+ OPTIONS('a'='b') */ 1", 12, 7, None),
        ("SELECT /*+ */ 1", 12, 2, None),
    ],
)
def test_an_unknown_hint_is_an_error(reject, place, query, column, length, cure):
    error = reject(query)
    assert "is not a hint that can stand here" in error.summary
    assert place(error) == (1, column, length)
    assert error.cure == cure


@pytest.mark.parametrize(
    ("query", "column"),
    [
        ("SELECT * FROM t /*+ OPTIONS('a') */ x JOIN", 43),
        ("SELECT * FROM t /*+ OPTIONS('a' = b) */", 35),
        ("SELECT * FROM t /*+ OPTIONS('a' = 'b' 'c' = 'd') */", 39),
        ("SELECT * FROM t /*+ OPTIONS('a' = 'b' */", 39),
        ("SELECT a /*+ OPTIONS('a'='b') */ FROM t", 10),
        ("SELECT * FROM (SELECT 1) /*+ OPTIONS('a'='b') */", 26),
    ],
)
def test_broken_and_misplaced_hints_are_pointed_at(reject, place, query, column):
    assert place(reject(query))[:2] == (1, column)


def test_a_value_without_quotes_is_explained_without_repeating_text(reject):
    error = reject("SELECT * FROM t /*+ OPTIONS('password' = hunter2) */")
    assert error.summary == "the value of 'password' is not in quotes"
    assert "hunter2" not in error.render()
