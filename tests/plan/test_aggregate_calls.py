from __future__ import annotations

import pytest

from headrace.errors import HeadraceError, TypeMismatch, UnsupportedSql
from headrace.plan.aggregate_calls import DEFAULT_SEPARATOR, bind_aggregate_call
from headrace.plan.binder import Scope, bind
from headrace.plan.nodes import Field
from headrace.sql.dialect import parse_expression
from headrace.types import DATE, INT, STRING

SCOPE = Scope(
    [(None, name, Field(name, kind)) for name, kind in (("i", INT), ("s", STRING), ("day", DATE))]
)


def call(sql: str):
    return bind_aggregate_call(parse_expression(sql), lambda item: bind(item, SCOPE))


def failure(kind: type[HeadraceError], sql: str) -> HeadraceError:
    with pytest.raises(kind) as caught:
        call(sql)
    return caught.value


@pytest.mark.parametrize(
    ("sql", "shown"),
    [
        ("COUNT(*)", "COUNT(*)"),
        ("COUNT(i)", "COUNT(i)"),
        ("COUNT(ALL i)", "COUNT(i)"),
        ("COUNT(DISTINCT i, s)", "COUNT(DISTINCT i, s)"),
        ("SUM(DISTINCT i)", "SUM(DISTINCT i)"),
        ("STDDEV(i)", "STDDEV(i)"),
        ("FIRST_VALUE(s) IGNORE NULLS", "FIRST_VALUE(s)"),
        ("LISTAGG(s)", "LISTAGG(s, ',')"),
        ("PERCENTILE(i, 0.5)", "PERCENTILE(CAST(i AS DOUBLE) AT 0.5)"),
        (
            "PERCENTILE(DISTINCT i, ARRAY[0, 0.25, 1], CHAR_LENGTH(s))",
            "PERCENTILE(DISTINCT CAST(i AS DOUBLE), CAST(CHAR_LENGTH(s) AS BIGINT) AT 0.0, 0.25, 1.0)",
        ),
        ("LISTAGG(DISTINCT s, ' - ')", "LISTAGG(DISTINCT s, ' - ')"),
        ("ARRAY_AGG(i)", "ARRAY_AGG(i RESPECT NULLS)"),
        ("ARRAY_AGG(DISTINCT i RESPECT NULLS)", "ARRAY_AGG(DISTINCT i RESPECT NULLS)"),
        ("ARRAY_AGG(i IGNORE NULLS)", "ARRAY_AGG(i)"),
        ("ARRAY_AGG(i) IGNORE NULLS", "ARRAY_AGG(i)"),
        ("COLLECT(DISTINCT s)", "COLLECT(DISTINCT s)"),
        ("JSON_ARRAYAGG(i)", "JSON_ARRAYAGG(JSON_STRING(i))"),
        ("JSON_ARRAYAGG(i NULL ON NULL)", "JSON_ARRAYAGG(JSON_STRING(i) NULL ON NULL)"),
        ("JSON_ARRAYAGG(JSON_ARRAY(i))", "JSON_ARRAYAGG(JSON_ARRAY(JSON_STRING(i)))"),
        (
            "JSON_OBJECTAGG(KEY s VALUE i)",
            "JSON_OBJECTAGG(JSON_STRING(s), JSON_STRING(i) NULL ON NULL)",
        ),
        (
            "JSON_OBJECTAGG(s VALUE i ABSENT ON NULL)",
            "JSON_OBJECTAGG(JSON_STRING(s), JSON_STRING(i))",
        ),
    ],
)
def test_calls_as_explain_shows_them(sql, shown):
    assert str(call(sql)) == shown


@pytest.mark.parametrize(
    ("sql", "keeps"),
    [
        ("ARRAY_AGG(i)", True),
        ("ARRAY_AGG(i) IGNORE NULLS", False),
        ("JSON_ARRAYAGG(i)", False),
        ("JSON_OBJECTAGG(s VALUE i)", True),
        ("LISTAGG(s)", False),
        ("COLLECT(i)", False),
    ],
)
def test_what_becomes_of_nulls_where_nothing_is_said(sql, keeps):
    assert call(sql).keeps_nulls is keeps


def test_only_a_list_has_a_separator():
    assert call("LISTAGG(s)").separator == DEFAULT_SEPARATOR
    assert call("LISTAGG(s, '')").separator == ""
    assert call("ARRAY_AGG(s)").separator is None


def test_a_separator_is_a_literal():
    error = failure(TypeMismatch, "LISTAGG(s, s)")
    assert error.summary == "the separator of LISTAGG is a string literal"


@pytest.mark.parametrize(
    ("sql", "summary"),
    [
        ("FIRST_VALUE(s) RESPECT NULLS", "RESPECT NULLS is not supported on FIRST_VALUE"),
        ("SUM(i) IGNORE NULLS", "IGNORE NULLS is not supported on SUM"),
        (
            "LISTAGG(s) WITHIN GROUP (ORDER BY s)",
            "WITHIN GROUP is not supported: values are collected in the order they arrive in, as in Flink",
        ),
    ],
)
def test_clauses_that_are_refused(sql, summary):
    assert failure(UnsupportedSql, sql).summary == summary


@pytest.mark.parametrize(
    ("sql", "summary"),
    [
        ("COUNT()", "COUNT takes an argument"),
        ("LISTAGG(s, ',', s)", "LISTAGG is called with the wrong number of arguments"),
        ("JSON_OBJECTAGG(i VALUE s)", "a key of JSON_OBJECTAGG is a character string"),
        (
            "JSON_ARRAYAGG(day)",
            "this type has no form in JSON",
        ),
    ],
)
def test_arguments_that_do_not_fit(sql, summary):
    assert failure(TypeMismatch, sql).summary == summary


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("PERCENTILE(i, 1.5)", "1.5"),
        ("PERCENTILE(i, -0.5)", "-0.5"),
        ("PERCENTILE(i, i)", "i"),
        ("PERCENTILE(i, ARRAY[0.5, i])", "i"),
    ],
)
def test_percentages_are_constants_between_0_and_1(sql, found):
    error = failure(TypeMismatch, sql)
    assert error.summary == "a percentage of PERCENTILE is a number between 0 and 1, written out"
    assert found in (error.found or "")
