from __future__ import annotations

from collections import Counter

import pytest

from headrace.changelog import Change
from headrace.sql.dialect import parse_statement
from tests.oracle.harness import (
    Case,
    Difference,
    Keep,
    Oracle,
    Pipeline,
    Sink,
    Target,
    check,
    environment,
    report,
    to_duckdb,
)
from tests.oracle.worlds import Record, State


def sink(sql: str, *key: int) -> Sink:
    (plan,) = environment().plans(parse_statement(sql))
    return Sink(plan, key or None)


USERS = "SELECT w, k, a FROM users"


def test_rows_are_counted():
    rows = sink(USERS)
    rows.apply([Change(("0", "1", "5"), 2), Change(("0", "1", "6"), 1)])
    rows.apply([Change(("0", "1", "5"), -1)])
    assert rows.difference(Counter([("0", "1", "5"), ("0", "1", "6")])) is None
    assert rows.difference(Counter([("0", "1", "5")])) == Difference({("0", "1", "6"): 1}, {})


def test_a_missing_row_and_one_that_went_too_often_differ():
    rows = sink(USERS)
    row = ("0", "1", "5")
    assert rows.difference(Counter([row])) == Difference({row: -1}, {})
    rows.apply([Change(row, -1)])
    assert rows.difference(Counter()) == Difference({row: -1}, {})


def test_the_new_row_of_a_key_stays_whichever_way_a_pair_comes():
    rows = sink(USERS, 0, 1)
    rows.apply([Change(("0", "1", "5"), 1)])
    rows.apply([Change(("0", "1", "6"), 1), Change(("0", "1", "5"), -1)])
    assert rows.rows == Counter([("0", "1", "6")])
    rows.apply([Change(("0", "1", "6"), -1)])
    assert not rows.rows


def test_one_of_the_rows_of_a_key_is_enough():
    rows = sink(USERS, 0)
    rows.apply([Change(("0", "1", "5"), 1)])
    assert rows.difference(Counter([("0", "1", "5"), ("0", "2", "5")])) is None
    assert rows.difference(Counter([("0", "2", "5")])) == Difference({("0", "1", "5"): 1}, {})
    both = Counter([("0", "1", "5"), ("1", "1", "5")])
    assert rows.difference(both) == Difference({}, {("1",): 1})


def test_the_oracle_answers_over_what_the_tables_hold():
    oracle, state = Oracle("SELECT w, MAX(a) AS m FROM items GROUP BY w"), State()
    cells = {"w": 0, "k": 1, "a": 3, "b": None, "s": "x", "tags": ["x", None]}
    state.apply(Record("items", cells, 1))
    oracle.fill(state)
    assert oracle.answer("SELECT w, m > 2 FROM v") == Counter([("0", "true")])
    assert oracle.answer("SELECT b, tags[2] FROM items") == Counter([(None, None)])
    oracle.fill(State())
    assert not oracle.answer("SELECT w FROM v")
    oracle.close()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT AVG(t.a) AS n", "SELECT CAST(TRUNC(AVG(t.a)) AS BIGINT) AS n"),
        (
            "AVG(CAST(0 AS INT)) FILTER (WHERE CAST(1 AS INT) < 2) AS n",
            "CAST(TRUNC(AVG(CAST(0 AS INT)) FILTER (WHERE CAST(1 AS INT) < 2)) AS BIGINT) AS n",
        ),
        ("SELECT SUM(a) FROM t", "SELECT SUM(a) FROM t"),
        (
            "COUNT(DISTINCT t.s, CAST(0 AS INT)), COUNT(DISTINCT t.s)",
            "COUNT(DISTINCT CAST(t.s AS VARCHAR) || '/' || CAST(CAST(0 AS INT) AS VARCHAR)), COUNT(DISTINCT t.s)",
        ),
        (
            "CARDINALITY(ARRAY_AGG(a)), LAST_VALUE(a) IS NULL",
            "LEN(ARRAY_AGG(a)), ANY_VALUE(a) IS NULL",
        ),
    ],
)
def test_words_that_duckdb_has_otherwise(sql, expected):
    assert to_duckdb(sql) == expected


def test_a_report_shows_query_changes_and_both_tables():
    rows = sink(USERS)
    rows.apply([Change(("0", "1", "5"), 1)])
    expected = Counter([("0", "1", "6")])
    batch = [Record("users", {"w": 0, "k": 1, "a": 6, "s": None}, 1)]
    difference = rows.difference(expected)
    assert difference is not None
    target = Target("SELECT w, k, a FROM v", Keep.ROWS)
    text = report(target, USERS, [batch], rows, expected, difference)
    for part in ("FROM v", f"v is: {USERS}", "+1 users {'w': 0", "+1 ('0', '1', '5')", "Normalize"):
        assert part in text


@pytest.mark.spark
def test_a_wrong_answer_is_found(spark, tmp_path, monkeypatch):
    """DuckDB is told of one change less."""
    monkeypatch.setattr(State, "apply", lambda state, record: None)
    batch = [Record("users", {"w": 0, "k": 1, "a": 6, "s": None}, 1)]
    targets = [Target("SELECT w, k, a FROM users", keep) for keep in Keep]
    with pytest.raises(AssertionError, match="the sink differs after batch 0"):
        check(spark, Case(targets, "SELECT w FROM users", [batch]), tmp_path / "checkpoint")


@pytest.mark.spark
def test_the_same_answer_passes_however_it_is_kept(spark, tmp_path):
    cells = [{"w": 0, "k": 1, "a": a, "s": None} for a in (5, 6)]
    added = [Record("users", row, 1) for row in cells]
    removed = [Record("users", cells[1] | {"a": None}, -1)]
    targets = [Target("SELECT w, k, a FROM users", keep) for keep in Keep]
    case = Case(targets, "SELECT w FROM users", [added, removed])
    check(spark, case, tmp_path / "checkpoint")


@pytest.mark.spark
def test_a_sink_that_is_looked_at_too_early_or_too_late_is_found(spark, tmp_path):
    case = Case([Target("SELECT COUNT(*) AS n FROM v", Keep.ROWS)], "SELECT w FROM users", [])
    pipeline = Pipeline(spark, case, tmp_path / "checkpoint")
    try:
        pipeline.step([])
        pipeline._script.batches += 1
        with pytest.raises(AssertionError, match=r"read up to \{2\}"):
            pipeline.step([])
    finally:
        pipeline.stop()
