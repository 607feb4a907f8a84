"""Queries inside conditions and expressions, as joins.

In WHERE, IN (SELECT …) and EXISTS (…) keep or drop rows of the left side. Anywhere else a subquery is a value: a join
puts it beside every row, and the expression reads that column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sqlglot import exp

from headrace.errors import HeadraceError, UserError
from headrace.plan.binder import Scope, bind, is_aggregate
from headrace.plan.conditions import all_of, bind_condition, equal, filtered, written_parts
from headrace.plan.correlation import Inner, plan_inner
from headrace.plan.expressions import Expr
from headrace.plan.literals import boolean_literal
from headrace.plan.nodes import Filter, Join, JoinKind, Node
from headrace.plan.queries import QueryContext
from headrace.plan.subquery_values import marked, membership, scalar

SubqueryTest = exp.In | exp.Exists


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
    return next(_subqueries_in(root), None) is not None


def _subqueries_in(root: exp.Expr, *, in_calls: bool = True) -> Iterator[exp.Expression]:
    """Those of the expression itself, outer ones first; not those inside another query, nor without `in_calls` those
    that an aggregate call works on."""

    def ends(item: exp.Expr) -> bool:
        return isinstance(item, exp.Query) or (not in_calls and is_aggregate(item))

    for node in root.walk(prune=ends):
        match node:
            case exp.Exists():
                yield node
            case exp.In() if node.args.get("query"):
                yield node
            case exp.Subquery() if not _is_compared(node):
                yield node


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
        # What a call works on is worked out below the groups.
        for found in reversed(list(_subqueries_in(clause, in_calls=not scope.grouped))):
            if found not in values:
                node, values[found] = _value(found, node, inside, context)
    return node, (inside if values else scope)


def _naming(values: dict[exp.Expression, Expr], scope: Scope) -> Scope:
    def special(node: exp.Expression) -> Expr | None:
        if isinstance(node, exp.In | exp.Exists | exp.Subquery) and node in values:
            return values[node]
        return scope.resolve_special(node)

    return replace(scope, special=special)


def _value(
    found: exp.Expression, node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Expr]:
    position = context.position(found)
    match found:
        case exp.In():
            inner = plan_inner(found.args["query"].this, node, scope, context)
            operands = _operands(found, inner, scope, context)
            return membership(operands, inner, node, position, known_only=_only_decides(found))
        case exp.Exists():
            inner = plan_inner(found.this, node, scope, context)
            if inner.without_rows is not None:
                return node, boolean_literal(True)
            return marked(inner.conditions, inner, node, position)
        case _:
            return scalar(plan_inner(found.this, node, scope, context), node, position)


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
    if not isinstance(test, SubqueryTest) or len(list(_subqueries_in(test))) > 1:
        return None
    body = test.args["query"].this if isinstance(test, exp.In) else test.this
    inner = plan_inner(body, node, scope, context)
    conditions = list(inner.conditions)
    if isinstance(test, exp.In):
        operands = _operands(test, inner, scope, context)
        if negated and any(value.type.nullable for value in (*operands, *inner.outputs)):
            return None
        conditions += _equalities(test, operands, inner, context)
    elif inner.without_rows is not None:
        # A total is one row, even of nothing.
        return Filter(node, boolean_literal(False)) if negated else node
    kind = JoinKind.ANTI if negated else JoinKind.SEMI
    return Join(
        node, inner.node, kind, residual=all_of(conditions), position=context.position(test)
    )


def _operands(test: exp.In, inner: Inner, scope: Scope, context: QueryContext) -> list[Expr]:
    written = test.this
    items = written.expressions if isinstance(written, exp.Tuple) else [written]
    if len(items) != len(inner.outputs):
        raise UserError(
            f"IN compares {len(items)} with {len(inner.outputs)} columns",
            condition="COLUMN_COUNT",
            where=context.position(test),
        )
    operands = [bind(item, scope) for item in items]
    _equalities(test, operands, inner, context)
    return operands


def _equalities(
    test: exp.In, operands: list[Expr], inner: Inner, context: QueryContext
) -> list[Expr]:
    try:
        return [equal(a, b) for a, b in zip(operands, inner.outputs, strict=True)]
    except HeadraceError as error:
        raise error.at(context.position(test)) from None
