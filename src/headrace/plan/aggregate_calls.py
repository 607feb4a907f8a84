"""Aggregate calls: their own grammar (DISTINCT, separators, what becomes of NULLs) turned into plain arguments."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from sqlglot import exp

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.calls import call, check_count, coerced
from headrace.plan.expressions import AggregateCall, Cast, Expr, Literal
from headrace.plan.functions.lookup import lookup_aggregate, lookup_scalar
from headrace.plan.json_calls import Binder, Options, as_json
from headrace.types import BIGINT, DOUBLE, Kind

DEFAULT_SEPARATOR = ","
# The clause about NULLs, and what holds where it is left out.
_NULL_CLAUSES = {
    "ARRAY_AGG": ("NULLS", "RESPECT"),
    "JSON_OBJECTAGG": ("ON NULL", "NULL"),
    "JSON_ARRAYAGG": ("ON NULL", "ABSENT"),
}
# They never see a NULL, so that IGNORE NULLS asks for nothing more.
_NEEDLESS = (("FIRST_VALUE", "IGNORE"), ("LAST_VALUE", "IGNORE"))


def bind_aggregate_call(node: exp.Expr, bind: Binder) -> AggregateCall:
    """`node` is the call with what follows it, but for FILTER."""
    treatment = None
    if isinstance(node, exp.IgnoreNulls | exp.RespectNulls):
        treatment = "IGNORE" if isinstance(node, exp.IgnoreNulls) else "RESPECT"
        node = node.this
    if isinstance(node, exp.WithinGroup):
        raise UnsupportedSql(
            "WITHIN GROUP is not supported: values are collected in the order they arrive in, as in Flink",
            found=node.sql(),
        )
    if not isinstance(node, exp.Anonymous):
        raise UnsupportedSql(f"{node.key.upper()} is not supported on aggregates", found=node.sql())
    options = Options.of(node)
    bound = _bind_arguments(node, options, bind)
    return _with_nulls(_with_own_arguments(bound), options, treatment)


def _bind_arguments(node: exp.Anonymous, options: Options, bind: Binder) -> AggregateCall:
    function = lookup_aggregate(str(node.this))
    if not node.expressions and function.name == "COUNT":
        raise TypeMismatch("COUNT takes an argument", cure="COUNT(*)")
    items = [item for item in options.args if not isinstance(item, exp.Star)]
    distinct = len(items) == 1 and isinstance(items[0], exp.Distinct)
    if distinct:
        items = list(items[0].expressions)
    args = tuple(bind(item) for item in items)
    check_count(function, len(args))
    return AggregateCall(function, args, function.returns([arg.type for arg in args]), distinct)


def _with_own_arguments(bound: AggregateCall) -> AggregateCall:
    """Arguments that are no columns leave the list; what becomes JSON is JSON before it is collected."""
    match bound.function.name:
        case "LISTAGG":
            return replace(bound, args=bound.args[:1], separator=_separator(bound))
        case "JSON_ARRAYAGG":
            return replace(bound, args=(as_json(bound.args[0]),))
        case "JSON_OBJECTAGG":
            key, value = bound.args
            return replace(bound, args=(call(lookup_scalar("JSON_STRING"), [key]), as_json(value)))
        case "PERCENTILE":
            return _percentile(bound)
        case _:
            return bound


def _percentile(bound: AggregateCall) -> AggregateCall:
    value, percentages, *frequency = bound.args
    asked = percentages.children() if bound.type.kind is Kind.ARRAY else (percentages,)
    args = (coerced(value, DOUBLE.as_nullable(value.type.nullable)),)
    often = (coerced(item, BIGINT.as_nullable(item.type.nullable)) for item in frequency)
    return replace(bound, args=(*args, *often), percentages=tuple(map(_percentage, asked)))


def _percentage(written: Expr) -> float:
    constant = written
    while isinstance(constant, Cast):
        constant = constant.operand
    if isinstance(constant, Literal) and isinstance(constant.value, int | float | Decimal):
        number = float(constant.value)
        # Flink fails when it meets the first row.
        if 0 <= number <= 1:
            return number
    raise TypeMismatch(
        "a percentage of PERCENTILE is a number between 0 and 1, written out",
        found=str(written),
        cure="0.5, or ARRAY[0.25, 0.5] for several",
    )


def _separator(bound: AggregateCall) -> str:
    if len(bound.args) == 1:
        return DEFAULT_SEPARATOR
    separator = bound.args[1]
    if not isinstance(separator, Literal) or not isinstance(separator.value, str):
        raise TypeMismatch("the separator of LISTAGG is a string literal", found=str(separator))
    return separator.value


def _with_nulls(bound: AggregateCall, options: Options, treatment: str | None) -> AggregateCall:
    name = bound.function.name
    clause, default = _NULL_CLAUSES.get(name, ("", ""))
    if treatment is not None and clause != "NULLS" and (name, treatment) not in _NEEDLESS:
        raise UnsupportedSql(f"{treatment} NULLS is not supported on {name}")
    word = treatment or options.word(clause, default)
    return replace(bound, keeps_nulls=bool(clause) and word in ("RESPECT", "NULL"))
