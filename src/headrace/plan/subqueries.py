"""Queries inside conditions and expressions, as joins.

In WHERE, IN (SELECT …), = ANY (SELECT …) and EXISTS (…) keep or drop rows of the left side. Anywhere else a subquery is a
value: a join puts it beside every row, and the expression reads that column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from headrace.errors import HeadraceError, Position, UserError
from headrace.plan.binder import Scope, bind, is_aggregate
from headrace.plan.calls import call
from headrace.plan.conditions import all_of, bind_condition, filtered, written_parts
from headrace.plan.correlation import plan_inner
from headrace.plan.expressions import Expr
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.inner import Inner
from headrace.plan.literals import boolean_literal
from headrace.plan.memberships import Membership, is_membership, membership, membership_of
from headrace.plan.nodes import Filter, Join, JoinKind, Node
from headrace.plan.queries import QueryContext
from headrace.plan.subquery_values import marked, scalar


def plan_where(condition: exp.Expression, node: Node, scope: Scope, context: QueryContext) -> Node:
    parts = list(written_parts(condition))
    plain = [part for part in parts if not has_subquery(part)]
    node = filtered(node, (bind_condition(part, scope, context) for part in plain))
    values = []
    for part in parts:
        if has_subquery(part):
            joined = _plan_test(part, node, scope, context)
            if joined is None:
                values.append(part)
            else:
                node = joined
    node, scope = with_subqueries(values, node, scope, context)
    return filtered(node, [bind_condition(part, scope, context) for part in values])


def has_subquery(root: exp.Expression) -> bool:
    return next(subqueries_in(root), None) is not None


def subqueries_in(root: exp.Expr, groups: Scope | None = None) -> Iterator[exp.Expression]:
    """Those of the expression itself, outer ones first; not those inside another query. Over `groups`, not those that an
    aggregate call works on, nor those of a key."""

    def ends(item: exp.Expr) -> bool:
        if isinstance(item, exp.Query) or groups is None:
            return isinstance(item, exp.Query)
        return is_aggregate(item) or _is_key(item, groups)

    for node in root.walk(prune=ends):
        match node:
            case exp.Exists():
                yield node
            case exp.Subquery() if not _is_compared(node):
                yield node
            case exp.Expression() if is_membership(node):
                yield node


def _is_key(item: exp.Expr, groups: Scope) -> bool:
    holds_query = any(isinstance(node, exp.Query) for node in item.walk())
    return (
        holds_query
        and isinstance(item, exp.Expression)
        and groups.resolve_special(item) is not None
    )


def _is_compared(query: exp.Subquery) -> bool:
    """Whether it is what IN, ANY or ALL look through, and so no value by itself."""
    outer = query.parent
    if isinstance(outer, exp.In):
        return outer.args.get("query") is query
    return isinstance(outer, exp.Any | exp.All)


def with_subqueries(
    clauses: Iterable[exp.Expr], node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Scope]:
    """The node with a column for every subquery of the clauses, and a scope in which the subqueries mean them."""
    values: dict[exp.Expression, Expr] = {}
    inside = _naming(values, scope)
    for clause in clauses:
        # Keys and what a call works on are worked out below the groups.
        for found in reversed(list(subqueries_in(clause, scope if scope.grouped else None))):
            if inside.resolve_special(found) is None:
                node, values[found] = _value(found, node, inside, context)
    return node, (inside if values else scope)


def _naming(values: dict[exp.Expression, Expr], scope: Scope) -> Scope:
    def special(node: exp.Expression) -> Expr | None:
        is_value = isinstance(node, exp.Exists | exp.Subquery) or is_membership(node)
        if is_value and node in values:
            return values[node]
        return scope.resolve_special(node)

    return replace(scope, special=special)


def _value(
    found: exp.Expression, node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Expr]:
    position = context.position(found)
    match found:
        case exp.Exists():
            inner = plan_inner(found.this, node, scope, context)
            if inner.without_rows is not None:
                return node, boolean_literal(True)
            return marked(inner.conditions, inner, node, position)
        case exp.Subquery():
            inner = plan_inner(found.this, node, scope, context, as_value=True)
            return scalar(inner, node, position)
        case _:
            return _membership_value(found, node, scope, context)


def _membership_value(
    found: exp.Expression, node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Expr]:
    test = membership_of(found)
    inner = plan_inner(test.body, node, scope, context)
    operands = _operands(found, test, inner, scope, context)
    known_only = not test.negated and _only_decides(found)
    position = context.position(found)
    node, value = membership(operands, test.operator, inner, node, position, known_only=known_only)
    return node, call(lookup_scalar("NOT"), [value]) if test.negated else value


def _only_decides(test: exp.Expression) -> bool:
    """Whether the test decides about rows, so that unknown is as good as false: in WHERE under ANDs and ORs alone."""
    above = test.parent
    while isinstance(above, exp.And | exp.Or | exp.Paren):
        above = above.parent
    return isinstance(above, exp.Where | exp.Having | exp.Qualify)


def _plan_test(
    part: exp.Expression, node: Node, scope: Scope, context: QueryContext
) -> Node | None:
    """The rows for which `[NOT] IN (query)` or `[NOT] EXISTS (query)` holds; None where the part must be a value."""
    test = (part.this if isinstance(part, exp.Not) else part).unnest()
    negated = isinstance(part, exp.Not)
    if len(list(subqueries_in(test))) > 1:
        return None
    if isinstance(test, exp.Exists):
        return _plan_exists(test, negated, node, scope, context)
    if not is_membership(test) or membership_of(test).operator != "=":
        return None
    found = membership_of(test)
    negated = negated is not found.negated
    inner = plan_inner(found.body, node, scope, context)
    operands = _operands(test, found, inner, scope, context)
    if negated and any(value.type.nullable for value in (*operands, *inner.outputs)):
        return None
    more = _comparisons(test, found, operands, inner, context)
    return _kept(node, inner, negated, (*inner.conditions, *more), context.position(test))


def _plan_exists(
    test: exp.Exists, negated: bool, node: Node, scope: Scope, context: QueryContext
) -> Node:
    inner = plan_inner(test.this, node, scope, context)
    if inner.without_rows is not None:
        # A total is one row, even of nothing.
        return Filter(node, boolean_literal(False)) if negated else node
    return _kept(node, inner, negated, inner.conditions, context.position(test))


def _kept(
    node: Node, inner: Inner, negated: bool, conditions: Iterable[Expr], position: Position
) -> Node:
    kind = JoinKind.ANTI if negated else JoinKind.SEMI
    return Join(node, inner.node, kind, residual=all_of(conditions), position=position)


def _operands(
    written: exp.Expr, test: Membership, inner: Inner, scope: Scope, context: QueryContext
) -> list[Expr]:
    width = len(test.items)
    # Rows have no order that SQL would agree on.
    if width != len(inner.outputs) or (width > 1 and test.operator != "="):
        raise UserError(
            f"{_word(written)} compares {width} with {len(inner.outputs)} columns",
            condition="COLUMN_COUNT",
            where=context.position(written),
            expected=None if test.operator == "=" else "one column on each side",
        )
    operands = [bind(item, scope) for item in test.items]
    _comparisons(written, test, operands, inner, context)
    return operands


def _word(written: exp.Expr) -> str:
    return "IN" if isinstance(written, exp.In) else written.expression.key.upper()


def _comparisons(
    written: exp.Expr,
    test: Membership,
    operands: list[Expr],
    inner: Inner,
    context: QueryContext,
) -> list[Expr]:
    function = lookup_scalar(test.operator)
    try:
        return [call(function, pair) for pair in zip(operands, inner.outputs, strict=True)]
    except HeadraceError as error:
        raise error.at(context.position(written)) from None
