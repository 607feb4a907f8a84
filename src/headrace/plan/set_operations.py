"""UNION, INTERSECT and EXCEPT: rows of both sides together, and for the last two how often each side has them."""

from __future__ import annotations

from sqlglot import exp

from headrace.errors import TypeMismatch, UserError
from headrace.plan.calls import call
from headrace.plan.conditions import filtered
from headrace.plan.expressions import AggregateCall, Case, Expr, InputRef
from headrace.plan.functions.lookup import lookup_aggregate, lookup_scalar
from headrace.plan.literals import boolean_literal, number_literal
from headrace.plan.nodes import Aggregate, Field, Node, Project, Repeat, Union
from headrace.plan.queries import QueryContext, cast_to, plan_query
from headrace.plan.relation import unique_names
from headrace.plan.types import common_type
from headrace.types import BIGINT, BOOLEAN


def plan_set_operation(query: exp.SetOperation, context: QueryContext) -> Node:
    left, right = (plan_query(side, context.for_part()) for side in (query.this, query.expression))
    types = _common_types(left, right, query, context)
    distinct = bool(query.args.get("distinct"))
    if isinstance(query, exp.Union):
        union = _union(left, right, types)
        return Aggregate(union, union.names, ()) if distinct else union
    sides = [_cast_columns(side, left.names, types) for side in (left, right)]
    return _counted(sides[0], sides[1], isinstance(query, exp.Except), distinct)


def _common_types(
    left: Node, right: Node, query: exp.SetOperation, context: QueryContext
) -> list[Field]:
    name = query.key.upper()
    if len(left.schema) != len(right.schema):
        raise UserError(
            f"{name} of {len(left.schema)} and {len(right.schema)} columns",
            where=context.position(query.expression),
            condition="COLUMN_COUNT",
        )
    pairs = zip(left.schema, right.schema, strict=True)
    return [_merged(a, b, name, query, context) for a, b in pairs]


def _merged(
    left: Field, right: Field, name: str, query: exp.SetOperation, context: QueryContext
) -> Field:
    merged = common_type(left.type, right.type)
    if merged is None:
        raise TypeMismatch(
            f"column '{left.name}' of {name} has no common type",
            where=context.position(query.expression),
            found=f"{left.type} and {right.type}",
        )
    return Field(left.name, merged)


def _union(left: Node, right: Node, types: list[Field]) -> Node:
    branches = [*(left.branches if isinstance(left, Union) else (left,)), right]
    return Union(tuple(_cast_columns(branch, left.names, types) for branch in branches))


def _cast_columns(node: Node, names: tuple[str, ...], wanted: list[Field]) -> Node:
    if node.schema == tuple(wanted):
        return node
    outputs = (
        (name, cast_to(source.ref(), target))
        for name, source, target in zip(names, node.schema, wanted, strict=True)
    )
    return Project(node, tuple(outputs))


def _counted(left: Node, right: Node, is_except: bool, distinct: bool) -> Node:
    """Count each row per side, keep those that the operation is about, and make as many of them as it says."""
    fresh = unique_names([*left.names, "in_left", "in_right", "lefts", "rights"])[len(left.names) :]
    flags, counts = fresh[:2], [InputRef(BIGINT.not_null(), name) for name in fresh[2:]]
    union = Union((_flagged(left, flags, True), _flagged(right, flags, False)))
    calls = tuple((count.name, _count_of(flag)) for count, flag in zip(counts, flags, strict=True))
    node = filtered(Aggregate(union, left.names, calls), _wanted(counts, is_except, distinct))
    if not distinct:
        node = Repeat(node, _times(counts, is_except))
    return Project(node, tuple((column.name, column.ref()) for column in left.schema))


def _flagged(node: Node, flags: list[str], is_left: bool) -> Node:
    kept = tuple((column.name, column.ref()) for column in node.schema)
    values = (boolean_literal(is_left), boolean_literal(not is_left))
    return Project(node, (*kept, *zip(flags, values, strict=True)))


def _count_of(flag: str) -> AggregateCall:
    condition = InputRef(BOOLEAN.not_null(), flag)
    return AggregateCall(lookup_aggregate("COUNT"), (), BIGINT.not_null(), filter=condition)


def _wanted(counts: list[InputRef], is_except: bool, distinct: bool) -> list[Expr]:
    left, right = counts
    zero = number_literal("0")
    if not is_except:
        return [_called(">", left, zero), _called(">", right, zero)]
    if distinct:
        return [_called(">", left, zero), _called("=", right, zero)]
    return [_called(">", left, right)]


def _times(counts: list[InputRef], is_except: bool) -> Expr:
    left, right = counts
    if is_except:
        return _called("-", left, right)
    return Case(BIGINT.not_null(), ((_called("<", left, right), left),), right)


def _called(operator: str, left: Expr, right: Expr) -> Expr:
    return call(lookup_scalar(operator), [left, right])
