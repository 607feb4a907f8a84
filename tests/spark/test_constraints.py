from __future__ import annotations

import pytest

from headrace.errors import Position
from headrace.plan.plan import PlanSettings
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.faults import translate
from headrace.spark.constraints import NESTED, _lengths, _nulls, _unbounded, enforce
from headrace.sql.dialect import parse_type
from headrace.sql.statements import ObjectName

ALL = "ROWS_AND_COLLECTIONS"


@pytest.fixture
def sink():
    """A table with the given columns."""

    def make(columns: str):
        env = TableEnvironment()
        env.execute_sql(f"CREATE TABLE sink ({columns}) WITH ('connector' = 'blackhole')")
        return env.catalog.table(ObjectName(("sink",), Position(1, 1)))

    return make


def checks(made, kind: str, nested: str = "IGNORE") -> list[tuple[str, str]]:
    return list(made("x", "x", parse_type(kind), NESTED[nested]))


def test_a_nullable_column_asks_for_nothing():
    assert checks(_nulls, "INT", ALL) == []
    assert checks(_lengths, "STRING", ALL) == []


def test_rows_are_looked_into_when_told():
    kind = "ROW<a INT NOT NULL, b ROW<c INT NOT NULL> NOT NULL> NOT NULL"
    assert checks(_nulls, kind) == [("x IS NOT NULL", "column=x")]
    inner = "(x IS NULL OR (x.`b` IS NULL OR x.`b`.`c` IS NOT NULL))"
    assert checks(_nulls, kind, "ROWS") == [
        ("x IS NOT NULL", "column=x"),
        ("(x IS NULL OR x.`a` IS NOT NULL)", "column=x.a"),
        ("(x IS NULL OR x.`b` IS NOT NULL)", "column=x.b"),
        (inner, "column=x.b.c"),
    ]


def test_collections_are_looked_into_when_told():
    kind = "ARRAY<ARRAY<INT NOT NULL> NOT NULL>"
    assert checks(_nulls, kind, "ROWS") == []
    facts = [fact for _, fact in checks(_nulls, kind, ALL)]
    assert facts == ["column=x.element", "column=x.element.element"]
    (nested,) = [holds for holds, fact in checks(_nulls, kind, ALL) if fact.endswith("t.element")]
    assert "__c0 ->" in nested
    assert "__c1 ->" in nested
    kind = "MAP<INT NOT NULL, INT NOT NULL>"
    assert [fact for _, fact in checks(_nulls, kind, ALL)] == ["column=x.key", "column=x.value"]
    assert [fact for _, fact in checks(_nulls, "MULTISET<INT NOT NULL>", ALL)] == ["column=x.key"]


def test_fixed_lengths_are_exact_and_others_are_bounds():
    ((char, fact),) = checks(_lengths, "CHAR(3)")
    assert (char, fact) == ("(x IS NULL OR char_length(x) = 3)", "column=x type=CHAR(3)")
    assert "char_length(x) <= 3" in checks(_lengths, "VARCHAR(3) NOT NULL")[0][0]
    assert "octet_length(x) = 3" in checks(_lengths, "BINARY(3)")[0][0]
    assert "octet_length(x) <= 3" in checks(_lengths, "VARBINARY(3)")[0][0]


def test_lengths_are_taken_off_as_deep_as_told():
    kind = parse_type("ROW<a VARCHAR(3), b ARRAY<BINARY(2)>> NOT NULL")
    assert _unbounded(kind, NESTED["IGNORE"]) == kind
    rows = parse_type("ROW<a STRING, b ARRAY<BINARY(2)>> NOT NULL")
    assert _unbounded(kind, NESTED["ROWS"]) == rows
    assert _unbounded(kind, NESTED[ALL]) == parse_type("ROW<a STRING, b ARRAY<BYTES>> NOT NULL")


COLUMNS = "n INT NOT NULL, r ROW<a INT NOT NULL, v VARCHAR(2)>, c CHAR(3), a ARRAY<VARCHAR(1)>"
SCHEMA = "n int, r struct<a: int, v: string>, c string, a array<string>, __weight bigint"
GOOD = (1, (1, "ab"), "abc", ["x"], 1)
NULL_ROW = (2, None, None, None, 1)
NULL_COLUMN = (None, (1, "ab"), "abc", ["x"], 1)
GONE = (None, None, None, None, -1)
NULL_INSIDE = (3, (None, "ab"), "abc", ["x"], 1)
SHORT = (4, (1, "ab"), "a", ["x"], 1)
LONG = (5, (1, "abc"), "abcd", ["xy", None], 1)


@pytest.fixture
def kept(spark, sink):
    def run(*rows, **settings):
        frame = enforce(
            spark.createDataFrame(rows, SCHEMA), sink(COLUMNS), PlanSettings(**settings)
        )
        assert frame.columns == ["n", "r", "c", "a", "__weight"]
        return [(n, r and tuple(r), c, a, w) for n, r, c, a, w in frame.collect()]

    return run


@pytest.fixture
def failure(kept):
    def run(row, **settings):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            kept(GOOD, row, **settings)
        error = translate(caught.value)
        assert len(error.render().splitlines()) <= 5
        return error.condition, error.summary, error.expected

    return run


@pytest.mark.spark
class TestRunning:
    def test_rows_that_fit_or_go_pass(self, kept):
        assert kept(GOOD, NULL_ROW, GONE) == [GOOD, NULL_ROW, GONE]

    def test_by_default_only_columns_are_looked_at(self, kept):
        assert kept(NULL_INSIDE, SHORT, LONG) == [NULL_INSIDE, SHORT, LONG]

    def test_a_null_fails_or_is_dropped(self, kept, failure):
        condition, summary, _ = failure(NULL_COLUMN)
        assert condition == "NULL_IN_NOT_NULL"
        assert "column 'n' of 'default_catalog.default_database.sink'" in summary
        assert kept(GOOD, NULL_COLUMN, GONE, not_null_enforcer="DROP") == [GOOD, GONE]

    def test_a_null_inside_of_a_row_when_told(self, kept, failure):
        condition, summary, _ = failure(NULL_INSIDE, nested_enforcer="ROWS")
        assert (condition, "'r.a'" in summary) == ("NULL_IN_NOT_NULL", True)
        rows = kept(GOOD, NULL_ROW, NULL_INSIDE, not_null_enforcer="DROP", nested_enforcer="ROWS")
        assert rows == [GOOD, NULL_ROW]

    def test_lengths_cut_and_padded(self, kept):
        rows = kept(SHORT, LONG, NULL_ROW, length_enforcer="TRIM_PAD")
        assert [row[2] for row in rows] == ["a  ", "abc", None]
        assert rows[1][1:4] == ((1, "abc"), "abc", ["xy", None])
        (deep,) = kept(LONG, length_enforcer="TRIM_PAD", nested_enforcer=ALL)
        assert deep[1:4] == ((1, "ab"), "abc", ["x", None])

    def test_lengths_that_fail(self, kept, failure):
        where = "of 'default_catalog.default_database.sink'"
        for row in (SHORT, LONG):
            condition, summary, expected = failure(row, length_enforcer="ERROR")
            assert (condition, expected) == ("WRONG_LENGTH", "CHAR(3)")
            assert f"'c' {where}" in summary
        inside = (1, (1, "abc"), "abc", ["x"], 1)
        assert kept(inside, length_enforcer="ERROR") == [inside]
        condition, summary, expected = failure(
            inside, length_enforcer="ERROR", nested_enforcer="ROWS"
        )
        assert (condition, expected, "'r.v'" in summary) == ("WRONG_LENGTH", "VARCHAR(2)", True)
