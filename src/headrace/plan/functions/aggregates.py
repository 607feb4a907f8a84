"""Aggregate functions. Those without an accumulator are known by name and type only; the planner refuses them."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.errors import TypeMismatch
from headrace.plan.functions.registry import AggregateFunction, TypeRule
from headrace.plan.functions.signatures import always
from headrace.plan.types import average_type, sum_type
from headrace.types import (
    BIGINT,
    CHARACTER,
    DOUBLE,
    INTEGERS,
    NUMERIC,
    STRING,
    DataType,
    Kind,
    array,
    multiset,
    varchar,
)

# Only a type: longer text is kept whole.
_JSON_TEXT = varchar(2000).not_null()
_UNORDERED = (Kind.ARRAY, Kind.MAP, Kind.MULTISET, Kind.ROW)


def _of_numbers(name: str, rule: TypeRule) -> TypeRule:
    def checked(types: Sequence[DataType]) -> DataType:
        if types[0].kind not in NUMERIC:
            raise TypeMismatch(f"{name} takes numbers", found=types[0].sql(), expected="a number")
        return rule(types)

    return checked


def _ordered(name: str) -> TypeRule:
    def checked(types: Sequence[DataType]) -> DataType:
        if types[0].kind in _UNORDERED:
            raise TypeMismatch(f"{name} takes values that have an order", found=types[0].sql())
        return types[0].as_nullable()

    return checked


def _listagg(types: Sequence[DataType]) -> DataType:
    if types[0].kind not in CHARACTER:
        raise TypeMismatch(
            "LISTAGG takes character strings", found=types[0].sql(), expected="STRING"
        )
    return STRING


def _same(types: Sequence[DataType]) -> DataType:
    return types[0].as_nullable()


def _spread(name: str, accumulator: str) -> AggregateFunction:
    """Measures of spread keep the type of AVG: an integer stays one, as in Flink."""
    rule = _of_numbers(name, lambda types: average_type(types[0]))
    return AggregateFunction(name, rule, 1, 1, accumulator)


def _json_object(types: Sequence[DataType]) -> DataType:
    if types[0].kind not in CHARACTER:
        raise TypeMismatch(
            "a key of JSON_OBJECTAGG is a character string",
            found=types[0].sql(),
            expected="STRING",
            cure="CAST(… AS STRING)",
        )
    return _JSON_TEXT


def _percentile(types: Sequence[DataType]) -> DataType:
    """Several percentages give an array."""
    value, percentages, *frequency = types
    if value.kind not in NUMERIC or any(kind.kind not in INTEGERS for kind in frequency):
        raise TypeMismatch(
            "PERCENTILE takes numbers, and a whole number for how often each counts",
            found=", ".join(kind.sql() for kind in types),
        )
    return array(DOUBLE) if percentages.kind is Kind.ARRAY else DOUBLE


def _collector(
    name: str, returns: TypeRule, min_args: int = 1, max_args: int = 1
) -> AggregateFunction:
    return AggregateFunction(name, returns, min_args, max_args, name.lower(), collects=True)


# Of a subquery that stands for a value; it has no name in SQL.
SINGLE_VALUE = AggregateFunction("SINGLE_VALUE", _same, 1, 1, "single_value", collects=True)


def _number_of(name: str) -> AggregateFunction:
    return AggregateFunction(name, always(BIGINT.not_null()), 0, 0, None)


AGGREGATES = (
    AggregateFunction("COUNT", always(BIGINT.not_null()), 0, None, "count"),
    AggregateFunction("SUM", _of_numbers("SUM", lambda types: sum_type(types[0])), 1, 1, "sum"),
    AggregateFunction("AVG", _of_numbers("AVG", lambda types: average_type(types[0])), 1, 1, "avg"),
    AggregateFunction("MIN", _ordered("MIN"), 1, 1, "min"),
    AggregateFunction("MAX", _ordered("MAX"), 1, 1, "max"),
    _spread("STDDEV_POP", "stddev_pop"),
    _spread("STDDEV_SAMP", "stddev_samp"),
    _spread("STDDEV", "stddev_samp"),
    _spread("VAR_POP", "var_pop"),
    _spread("VAR_SAMP", "var_samp"),
    _spread("VARIANCE", "var_samp"),
    _collector("FIRST_VALUE", _same),
    _collector("LAST_VALUE", _same),
    _collector("LISTAGG", _listagg, max_args=2),
    _collector("COLLECT", lambda types: multiset(types[0]).not_null()),
    _collector("ARRAY_AGG", lambda types: array(types[0])),
    _collector("JSON_OBJECTAGG", _json_object, min_args=2, max_args=2),
    _collector("JSON_ARRAYAGG", always(_JSON_TEXT)),
    AggregateFunction("APPROX_COUNT_DISTINCT", always(BIGINT.not_null()), 1, 1, None),
    _collector("PERCENTILE", _percentile, min_args=2, max_args=3),
    *(_number_of(name) for name in ("ROW_NUMBER", "RANK", "DENSE_RANK")),
    AggregateFunction("CUME_DIST", always(DOUBLE.not_null()), 0, 0, None),
    AggregateFunction("PERCENT_RANK", always(DOUBLE.not_null()), 0, 0, None),
    AggregateFunction("NTILE", always(BIGINT.not_null()), 1, 1, None),
    AggregateFunction("LAG", _same, 1, 3, None),
    AggregateFunction("LEAD", _same, 1, 3, None),
)
