"""Conditions as lists of parts that must all hold: how they are bound, taken apart and put together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sqlglot import exp

from headrace.errors import TypeMismatch
from headrace.plan.binder import Scope, bind
from headrace.plan.calls import call
from headrace.plan.expressions import Call, Expr, Literal, is_condition
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.nodes import Filter, Node

if TYPE_CHECKING:
    from headrace.plan.queries import QueryContext

# Without and with NULL equal to NULL.
EQUALITIES = ("=", "IS NOT DISTINCT FROM")


def bind_condition(node: exp.Expression, scope: Scope, context: QueryContext) -> Expr:
    condition = bind(node, scope)
    if not is_condition(condition):
        raise TypeMismatch(
            "a condition must be BOOLEAN",
            where=context.position(node),
            found=condition.type.sql(),
            expected="BOOLEAN",
        )
    return condition


def written_parts(node: exp.Expression) -> Iterator[exp.Expression]:
    """The operands of the ANDs at the top of a condition as it was written."""
    match node:
        case exp.And():
            yield from written_parts(node.this)
            yield from written_parts(node.expression)
        case exp.Paren():
            yield from written_parts(node.this)
        case _:
            yield node


def parts_of(condition: Expr | None) -> Iterator[Expr]:
    """The operands of the ANDs at the top; TRUE has none."""
    if isinstance(condition, Call) and condition.function.name == "AND":
        for operand in condition.args:
            yield from parts_of(operand)
    elif condition is not None and not (isinstance(condition, Literal) and condition.value is True):
        yield condition


def all_of(parts: Iterable[Expr]) -> Expr | None:
    result: Expr | None = None
    for part in parts:
        result = part if result is None else call(lookup_scalar("AND"), [result, part])
    return result


def equal(left: Expr, right: Expr) -> Expr:
    """`left = right`, both cast to the type they are compared in."""
    return call(lookup_scalar("="), [left, right])


def filtered(node: Node, parts: Iterable[Expr]) -> Node:
    condition = all_of(parts)
    return node if condition is None else Filter(node, condition)
