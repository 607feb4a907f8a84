from __future__ import annotations

import pytest
from sqlglot import exp

from headrace.sql.dialect import cast_type, parse_expression, position_of
from headrace.types import INT, STRING, array


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f()", "F()"),
        ("Upper(name)", "UPPER(name)"),
        ("`myFunc`(a)", "myFunc(a)"),
        ("cat.db.f(a)", "CAT.DB.F(a)"),
        ("COALESCE(a, b, 0)", "COALESCE(a, b, 0)"),
        ("IF(a > 1, 'x', 'y')", "IF(GT(a, 1), 'x', 'y')"),
        ("CONCAT_WS(',', a, b)", "CONCAT_WS(',', a, b)"),
        ("DATE_FORMAT(ts, 'yyyy')", "DATE_FORMAT(ts, 'yyyy')"),
        ("YEAR(d)", "YEAR(d)"),
        ("LEFT(a, 2)", "LEFT(a, 2)"),
        ("RIGHT(a, 2)", "RIGHT(a, 2)"),
        ("MOD(a, 2)", "MOD(a, 2)"),
        ("TO_TIMESTAMP_LTZ(ms, 3)", "TO_TIMESTAMP_LTZ(ms, 3)"),
        ("f(g(h(1)))", "F(G(H(1)))"),
        ("ROW(a, 'b')", "ROW(a, 'b')"),
        ("CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP()"),
        ("current_date", "CURRENT_DATE()"),
        ("LOCALTIME", "LOCALTIME()"),
        ("PROCTIME()", "PROCTIME()"),
        ("CURRENT_WATERMARK(ts)", "CURRENT_WATERMARK(ts)"),
        ("f(x => 1, y => 'b')", "F(Kwarg(x, 1), Kwarg(y, 'b'))"),
    ],
)
def test_ordinary_calls_keep_name_and_order(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("COUNT(*)", "COUNT(*)"),
        ("COUNT(DISTINCT user_id)", "COUNT(Distinct([user_id]))"),
        ("COUNT(DISTINCT a, b)", "COUNT(Distinct([a, b]))"),
        ("SUM(ALL a)", "SUM(a)"),
        ("SUM(a) FILTER (WHERE b > 1)", "Filter(SUM(a), Where(GT(b, 1)))"),
        ("COUNT(*) FILTER (WHERE a)", "Filter(COUNT(*), Where(a))"),
        (
            "COUNT(DISTINCT x) FILTER (WHERE y IS NOT NULL)",
            "Filter(COUNT(Distinct([x])), Where(Not(Is(y, NULL))))",
        ),
        (
            "LISTAGG(a, ';') WITHIN GROUP (ORDER BY b DESC)",
            "WithinGroup(LISTAGG(a, ';'), Order([Ordered(b, desc=True)]))",
        ),
        ("FIRST_VALUE(a) IGNORE NULLS", "IgnoreNulls(FIRST_VALUE(a))"),
        ("LAST_VALUE(a) RESPECT NULLS", "RespectNulls(LAST_VALUE(a))"),
        ("ARRAY_AGG(a IGNORE NULLS)", "ARRAY_AGG(a, Kwarg(NULLS, IGNORE))"),
        (
            "ARRAY_AGG(a) RESPECT NULLS FILTER (WHERE b)",
            "Filter(RespectNulls(ARRAY_AGG(a)), Where(b))",
        ),
    ],
)
def test_aggregates(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("EXTRACT(YEAR FROM ts)", "EXTRACT(YEAR, ts)"),
        ("extract(epoch from ts)", "EXTRACT(EPOCH, ts)"),
        ("POSITION('a' IN b)", "POSITION('a', b)"),
        ("POSITION(a || 'x' IN b)", "POSITION(DPipe(a, 'x'), b)"),
        ("POSITION('a' IN b FROM 3)", "POSITION('a', b, 3)"),
        ("SUBSTRING(a FROM 2)", "SUBSTRING(a, 2)"),
        ("SUBSTRING(a FROM 2 FOR 3)", "SUBSTRING(a, 2, 3)"),
        ("SUBSTRING(a, 2, 3)", "SUBSTRING(a, 2, 3)"),
        ("SUBSTR(a, 2)", "SUBSTR(a, 2)"),
        ("TRIM(a)", "TRIM(BOTH, ' ', a)"),
        ("TRIM('x' FROM a)", "TRIM(BOTH, 'x', a)"),
        ("TRIM(BOTH 'x' FROM a)", "TRIM(BOTH, 'x', a)"),
        ("TRIM(LEADING FROM a)", "TRIM(LEADING, ' ', a)"),
        ("trim(trailing '0' from a)", "TRIM(TRAILING, '0', a)"),
        ("OVERLAY(a PLACING b FROM 1)", "OVERLAY(a, b, 1)"),
        ("OVERLAY(a PLACING b FROM 1 FOR 2)", "OVERLAY(a, b, 1, 2)"),
        ("OVERLAY(a, b, 1, 2)", "OVERLAY(a, b, 1, 2)"),
        ("CEIL(a)", "CEIL(a)"),
        ("CEIL(ts TO DAY)", "CEIL(ts, DAY)"),
        ("FLOOR(ts TO hour)", "FLOOR(ts, HOUR)"),
        ("TIMESTAMPADD(DAY, 1, ts)", "TIMESTAMPADD(DAY, 1, ts)"),
        ("TIMESTAMPDIFF(SECONDS, a, b)", "TIMESTAMPDIFF(SECOND, a, b)"),
    ],
)
def test_special_syntax_becomes_arguments_in_documented_order(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("JSON_VALUE(j, '$.a')", "JSON_VALUE(j, '$.a')"),
        ("JSON_VALUE(j, '$.a' RETURNING INT)", "JSON_VALUE(j, '$.a', Kwarg(RETURNING, INT))"),
        (
            "JSON_VALUE(j, 'p' RETURNING INT NULL ON EMPTY)",
            "JSON_VALUE(j, 'p', Kwarg(RETURNING, INT), Kwarg(ON EMPTY, NULL))",
        ),
        ("JSON_VALUE(j, 'p' NULL ON EMPTY)", "JSON_VALUE(j, 'p', Kwarg(ON EMPTY, NULL))"),
        (
            "JSON_VALUE(j, 'p' RETURNING BIGINT DEFAULT 0 ON EMPTY ERROR ON ERROR)",
            "JSON_VALUE(j, 'p', Kwarg(RETURNING, BIGINT), Kwarg(ON EMPTY, 0), Kwarg(ON ERROR, ERROR))",
        ),
        (
            "JSON_QUERY(j, 'p' WITH WRAPPER)",
            "JSON_QUERY(j, 'p', Kwarg(WRAPPER, WITH UNCONDITIONAL))",
        ),
        (
            "JSON_QUERY(j, 'p' WITH CONDITIONAL ARRAY WRAPPER EMPTY ARRAY ON EMPTY)",
            "JSON_QUERY(j, 'p', Kwarg(WRAPPER, WITH CONDITIONAL), Kwarg(ON EMPTY, EMPTY ARRAY))",
        ),
        (
            "JSON_QUERY(j, 'p' WITHOUT ARRAY WRAPPER EMPTY OBJECT ON ERROR)",
            "JSON_QUERY(j, 'p', Kwarg(WRAPPER, WITHOUT), Kwarg(ON ERROR, EMPTY OBJECT))",
        ),
        ("JSON_EXISTS(j, 'p' TRUE ON ERROR)", "JSON_EXISTS(j, 'p', Kwarg(ON ERROR, TRUE))"),
        ("JSON_OBJECT()", "JSON_OBJECT()"),
        ("JSON_OBJECT('a' VALUE 1, KEY 'b' VALUE x)", "JSON_OBJECT('a', 1, 'b', x)"),
        ("JSON_OBJECT(key VALUE value)", "JSON_OBJECT(key, value)"),
        (
            "JSON_OBJECT('a' VALUE 1 ABSENT ON NULL)",
            "JSON_OBJECT('a', 1, Kwarg(ON NULL, ABSENT))",
        ),
        ("JSON_ARRAY(1, 'x' NULL ON NULL)", "JSON_ARRAY(1, 'x', Kwarg(ON NULL, NULL))"),
        ("JSON_ARRAY(NULL, 1)", "JSON_ARRAY(NULL, 1)"),
        ("JSON_OBJECTAGG(KEY k VALUE v)", "JSON_OBJECTAGG(k, v)"),
        ("JSON_ARRAYAGG(a ABSENT ON NULL)", "JSON_ARRAYAGG(a, Kwarg(ON NULL, ABSENT))"),
        ("JSON_STRING(a)", "JSON_STRING(a)"),
    ],
)
def test_json_clauses_become_named_settings(picture, text, expected):
    assert picture(parse_expression(text)) == expected


def test_the_returned_type_of_a_json_function_is_flinks():
    call = parse_expression("JSON_QUERY(j, 'p' RETURNING ARRAY<STRING>)")
    (setting,) = call.find_all(exp.Kwarg)
    assert cast_type(setting.expression) == array(STRING)
    assert cast_type(parse_expression("JSON_VALUE(j, 'p' RETURNING INT)").find(exp.DataType)) == INT


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ROW_NUMBER() OVER ()", "Window(ROW_NUMBER(), over=OVER)"),
        ("SUM(a) OVER w", "Window(SUM(a), alias=w, over=OVER)"),
        (
            "RANK() OVER (PARTITION BY a, b ORDER BY c)",
            "Window(RANK(), partition_by=[a, b], order=Order([Ordered(c, desc=False)]), over=OVER)",
        ),
        (
            "RANK() OVER (ORDER BY c DESC NULLS LAST)",
            "Window(RANK(), order=Order([Ordered(c, desc=True, nulls_first=False)]), over=OVER)",
        ),
        ("SUM(a) OVER (w ROWS 3 PRECEDING)",
         "Window(SUM(a), alias=w, spec=WindowSpec(kind=ROWS, start=3, start_side=PRECEDING), over=OVER)"),
        ("SUM(a) OVER (RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
         "Window(SUM(a), spec=WindowSpec(kind=RANGE, start=UNBOUNDED, start_side=PRECEDING, end=CURRENT ROW), over=OVER)"),
        ("SUM(a) OVER (RANGE BETWEEN INTERVAL '1' HOUR PRECEDING AND CURRENT ROW)",
         "Window(SUM(a), spec=WindowSpec(kind=RANGE, start=Interval('1', unit=HOUR), start_side=PRECEDING, end=CURRENT ROW), over=OVER)"),
        ("SUM(a) FILTER (WHERE b) OVER w", "Window(Filter(SUM(a), Where(b)), alias=w, over=OVER)"),
        ("LAG(a, 1) IGNORE NULLS OVER w", "Window(IgnoreNulls(LAG(a, 1)), alias=w, over=OVER)"),
    ],
)  # fmt: skip
def test_windows(picture, text, expected):
    assert picture(parse_expression(text)) == expected


@pytest.mark.parametrize(
    ("text", "column", "length"),
    [
        ("  no_such(a, b)", 3, 7),
        ("a + no_such(b) OVER w", 1, 21),
        ("cat.f(x)", 1, 5),
    ],
)
def test_a_call_is_placed_at_its_name(text, column, length):
    position = position_of(parse_expression(text))
    assert (position.line, position.column, position.length) == (1, column, length)


def test_a_window_is_placed_where_it_begins():
    position = position_of(parse_expression("SUM(a) OVER (ORDER BY b)"))
    assert (position.column, position.length) == (1, 24)


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("f(a,)", 5, "an expression"),
        ("f(a b)", 5, "',' or ')'"),
        ("EXTRACT(YEAR ts)", 14, "FROM"),
        ("EXTRACT(FORTNIGHT FROM ts)", 9, "a unit of time such as DAY or SECOND"),
        ("TIMESTAMPADD(1, DAY, ts)", 14, "a unit of time such as DAY or SECOND"),
        ("TIMESTAMPDIFF(DAY, a)", 21, "','"),
        ("POSITION('a', b)", 13, "IN"),
        ("OVERLAY(a b)", 11, "PLACING"),
        ("TRIM(BOTH 'x' a)", 15, "FROM"),
        ("JSON_VALUE(j)", 13, "','"),
        ("JSON_VALUE(j, 'p' NULL ON NOTHING)", 27, "EMPTY or ERROR"),
        ("JSON_OBJECT('a', 1)", 16, "VALUE"),
        ("JSON_OBJECT('a' VALUE 1,)", 25, "a value"),
        ("COUNT(*) FILTER (a)", 18, "WHERE"),
        ("SUM(a) OVER (ORDER c)", 20, "ORDER BY"),
        ("SUM(a) OVER (ROWS 1)", 20, "PRECEDING or FOLLOWING"),
        ("SUM(a) OVER (ROWS BETWEEN 1 PRECEDING)", 38, "AND"),
        ("SUM(a) OVER", 12, "a window's name"),
        ("SUM(a) OVER (ORDER BY b NULLS MIDDLE)", 31, "FIRST or LAST"),
    ],
)
def test_broken_calls_are_pointed_at(reject, place, text, column, expected):
    error = reject(text, parse_expression)
    assert place(error)[:2] == (1, column)
    assert error.expected == expected


def test_a_misspelled_unit_is_named(reject):
    assert reject("EXTRACT(MINUT FROM a)", parse_expression).cure == "did you mean MINUTE?"
