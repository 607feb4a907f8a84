from __future__ import annotations

from dataclasses import replace

import pytest

from headrace.errors import (
    SqlSyntaxError,
    TypeMismatch,
    UnknownName,
    UnsupportedSql,
    UserError,
)
from headrace.plan.binder import Scope, bind, bind_aggregate, is_aggregate
from headrace.plan.expressions import Call, Case, Cast, Expr, InputRef, Literal
from headrace.plan.nodes import Field
from headrace.sql.dialect import parse_expression, parse_type

COLUMNS = {
    "i": "INT",
    "b": "BIGINT NOT NULL",
    "d": "DECIMAL(10, 2)",
    "x": "DOUBLE",
    "s": "STRING",
    "c": "CHAR(3) NOT NULL",
    "f": "BOOLEAN",
    "ts": "TIMESTAMP(3)",
    "ltz": "TIMESTAMP_LTZ(3)",
    "day": "DATE",
    "arr": "ARRAY<INT>",
    "m": "MAP<STRING, INT>",
    "r": "ROW<a INT, b STRING NOT NULL>",
}
SCOPE = Scope(
    [("t", name, Field(name, parse_type(kind))) for name, kind in COLUMNS.items()], "q.sql"
)


def bound(sql: str) -> Expr:
    return bind(parse_expression(sql), SCOPE)


def function(sql: str) -> str:
    found = bound(sql)
    assert isinstance(found, Call)
    return found.function.name


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("i + b", "BIGINT"),
        ("b + 1", "BIGINT NOT NULL"),
        ("i / 2", "INT"),
        ("i % 2", "INT"),
        ("d + i", "DECIMAL(13, 2)"),
        ("d * d", "DECIMAL(21, 4)"),
        ("d / d", "DECIMAL(23, 13)"),
        ("d + x", "DOUBLE"),
        ("-d", "DECIMAL(10, 2)"),
        ("i = b", "BOOLEAN"),
        ("b > 1", "BOOLEAN NOT NULL"),
        ("i IS NULL", "BOOLEAN NOT NULL"),
        ("i IS NOT DISTINCT FROM b", "BOOLEAN NOT NULL"),
        ("f AND b = 1", "BOOLEAN"),
        ("s || c", "STRING"),
        ("c || 'de'", "CHAR(5) NOT NULL"),
        ("ts - INTERVAL '5' SECOND", "TIMESTAMP(3)"),
        ("INTERVAL '1' DAY + day", "DATE"),
        ("ltz + INTERVAL '1' MONTH", "TIMESTAMP_LTZ(3)"),
        ("arr[1]", "INT"),
        ("m['k']", "INT"),
        ("r.b", "STRING"),
        ("t.r.a", "INT"),
        ("(i, s)", "ROW<`EXPR$0` INT, `EXPR$1` STRING> NOT NULL"),
        ("CAST(s AS INT)", "INT"),
        ("CAST(c AS DATE)", "DATE NOT NULL"),
        ("TRY_CAST(c AS DATE)", "DATE"),
        ("CAST(ts AS TIMESTAMP(0))", "TIMESTAMP(0)"),
        ("COALESCE(i, b)", "BIGINT NOT NULL"),
        ("COALESCE(i, 1.5)", "DECIMAL(11, 1) NOT NULL"),
        ("CASE WHEN f THEN i ELSE b END", "BIGINT"),
        ("CASE WHEN f THEN b END", "BIGINT"),
        ("CASE i WHEN 1 THEN 'a' WHEN 2 THEN 'bcd' ELSE c END", "VARCHAR(3) NOT NULL"),
        ("TO_TIMESTAMP(s)", "TIMESTAMP(3)"),
        ("PROCTIME()", "TIMESTAMP_LTZ(3) NOT NULL"),
        ("i IN (1, 2)", "BOOLEAN"),
        ("s LIKE 'a%'", "BOOLEAN"),
        ("x'01'", "BINARY(1) NOT NULL"),
        ("EXTRACT(YEAR FROM ts)", "BIGINT"),
        ("CARDINALITY(arr)", "INT"),
        ("JSON_VALUE(s, '$.a' RETURNING INT)", "INT"),
    ],
)
def test_types_of_expressions(sql, kind):
    assert bound(sql).type.sql() == kind


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("NOT f", "NOT"),
        ("i IS NOT NULL", "IS NOT NULL"),
        ("f IS TRUE", "IS TRUE"),
        ("f IS FALSE", "IS FALSE"),
        ("f IS UNKNOWN", "IS NULL"),
        ("f IS NOT TRUE", "NOT"),
        ("i <> 1", "<>"),
        ("i != 1", "<>"),
        ("i BETWEEN 1 AND 2", "BETWEEN"),
        ("i NOT BETWEEN 1 AND 2", "NOT"),
        ("i BETWEEN SYMMETRIC 2 AND 1", "BETWEEN SYMMETRIC"),
        ("s LIKE 'a!%' ESCAPE '!'", "LIKE ESCAPE"),
        ("-i", "UNARY -"),
        ("upper(s)", "UPPER"),
        ("ROW(1)", "ROW"),
    ],
)
def test_operators_are_functions(sql, name):
    assert function(sql) == name


def test_parentheses_leave_no_trace():
    assert bound("((i))") == InputRef(parse_type("INT"), "i")


def test_case_with_an_operand_becomes_comparisons():
    found = bound("CASE i WHEN b THEN 1 END")
    assert isinstance(found, Case)
    ((condition, value),) = found.branches
    assert isinstance(condition, Call)
    assert condition.function.name == "="
    assert isinstance(condition.args[0], Cast)
    assert value == Literal(parse_type("INT NOT NULL"), 1)
    assert found.otherwise == Literal(parse_type("INT"), None)


def test_strings_compare_with_time_points_as_such():
    found = bound("ts > '2020-01-01 00:00:00'")
    assert isinstance(found, Call)
    assert found.args[1].type.sql() == "TIMESTAMP(3) NOT NULL"


@pytest.mark.parametrize(
    ("sql", "error", "place"),
    [
        ("i + s", TypeMismatch, "1:1"),
        ("1 + UPPER(i)", TypeMismatch, "1:11"),
        ("LPAD(s, 1, i)", TypeMismatch, "1:12"),
        ("i = s", TypeMismatch, "1:1"),
        ("f AND i", TypeMismatch, "1:7"),
        ("CASE WHEN i THEN 1 END", TypeMismatch, "1:11"),
        ("CASE WHEN f THEN 1 ELSE 'a' END", TypeMismatch, "1:1"),
        ("1 + UPER(s)", UnknownName, "1:5"),
        ("i + COUNT(*)", UserError, "1:5"),
        ("CAST(ts AS BIGINT)", TypeMismatch, "1:1"),
        ("i IN (SELECT 1)", UnsupportedSql, "1:1"),
        ("EXISTS (SELECT 1)", UnsupportedSql, "1:1"),
        ("SUM(i) OVER (PARTITION BY s)", UnsupportedSql, "1:1"),
        ("EXTRACT(NANOSECOND FROM DATE '2020-01-01')", TypeMismatch, "1:1"),
        ("ROUND(d, i)", UnsupportedSql, "1:1"),
        ("INTERVAL 'x' DAY", SqlSyntaxError, "1:1"),
        ("i[1]", TypeMismatch, "1:1"),
        ("ts + ts", TypeMismatch, "1:1"),
    ],
)
def test_errors_point_at_the_innermost_node(sql, error, place):
    with pytest.raises(error) as caught:
        bound(sql)
    assert str(caught.value.where) == f"q.sql:{place}"
    assert len(caught.value.render().splitlines()) <= 5


def test_an_unknown_function_names_the_nearest():
    with pytest.raises(UnknownName) as caught:
        bound("SUBSTRNG(s, 1)")
    assert caught.value.cure == "did you mean 'SUBSTRING'?"


@pytest.mark.parametrize("name", ["AND", "LIKE", "BETWEEN"])
def test_operators_are_not_offered_as_functions(name):
    with pytest.raises(UnknownName) as caught:
        bound("LIK(s)")
    assert name not in caught.value.candidates


def aggregate(sql: str):
    return bind_aggregate(parse_expression(sql), SCOPE)


@pytest.mark.parametrize(
    ("sql", "kind", "args", "distinct"),
    [
        ("COUNT(*)", "BIGINT NOT NULL", 0, False),
        ("COUNT(i)", "BIGINT NOT NULL", 1, False),
        ("COUNT(DISTINCT i, s)", "BIGINT NOT NULL", 2, True),
        ("SUM(i)", "INT", 1, False),
        ("SUM(b)", "BIGINT", 1, False),
        ("SUM(d)", "DECIMAL(38, 2)", 1, False),
        ("AVG(d)", "DECIMAL(38, 6)", 1, False),
        ("AVG(DISTINCT i)", "INT", 1, True),
        ("MIN(s)", "STRING", 1, False),
        ("MAX(c)", "CHAR(3)", 1, False),
        ("LISTAGG(s, ';')", "STRING", 1, False),
    ],
)
def test_aggregates(sql, kind, args, distinct):
    found = aggregate(sql)
    assert (found.type.sql(), len(found.args), found.distinct) == (kind, args, distinct)


def test_an_aggregate_with_a_filter():
    found = aggregate("COUNT(*) FILTER (WHERE i > 1)")
    assert isinstance(found.filter, Call)
    assert found.filter.function.name == ">"


@pytest.mark.parametrize(
    ("sql", "summary"),
    [
        ("SUM(s)", "SUM takes numbers"),
        ("MAX(arr)", "MAX takes values that have an order"),
        ("COUNT()", "COUNT takes an argument"),
        ("SUM(i, i)", "SUM is called with the wrong number of arguments"),
        ("SUM(i) FILTER (WHERE i)", "FILTER takes a condition"),
        ("SUM(MAX(i))", "an aggregate function cannot stand here"),
    ],
)
def test_wrong_aggregates(sql, summary):
    with pytest.raises(UserError) as caught:
        aggregate(sql)
    assert caught.value.summary == summary
    assert caught.value.where is not None


def test_other_clauses_on_aggregates_are_refused():
    with pytest.raises(UnsupportedSql):
        aggregate("LISTAGG(s) WITHIN GROUP (ORDER BY i)")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("COUNT(*)", True),
        ("sum(i)", True),
        ("COUNT(*) FILTER (WHERE f)", True),
        ("FIRST_VALUE(i) IGNORE NULLS", True),
        ("UPPER(s)", False),
        ("SUM(i) OVER (PARTITION BY s)", False),
        ("SUM(i) + 1", False),
    ],
)
def test_is_aggregate(sql, expected):
    assert is_aggregate(parse_expression(sql)) is expected


def test_the_call_inside_a_window_is_no_aggregate():
    window = parse_expression("SUM(i) OVER (ORDER BY ts)")
    assert not any(is_aggregate(node) for node in window.walk())


def test_overlaps_takes_the_ends_of_two_periods():
    found = bound("(ts, INTERVAL '1' DAY) OVERLAPS (ts, ts)")
    assert isinstance(found, Call)
    assert (found.function.name, len(found.args), found.type.sql()) == ("OVERLAPS", 4, "BOOLEAN")


@pytest.mark.parametrize("sql", ["ts OVERLAPS (ts, ts)", "(ts, ts) OVERLAPS (ts, ts, ts)"])
def test_a_period_has_two_ends(sql):
    with pytest.raises(TypeMismatch) as caught:
        bound(sql)
    assert caught.value.summary == "OVERLAPS compares two periods"


def test_the_current_database_takes_no_argument():
    with pytest.raises(TypeMismatch) as caught:
        bind(parse_expression("CURRENT_DATABASE(1)"), replace(SCOPE, database="shop"))
    assert (caught.value.condition, caught.value.found) == ("WRONG_ARGUMENT_COUNT", "1")
