"""WHERE: plain conditions filter; IN (SELECT …) and EXISTS (…) become joins that keep or drop rows of the left side."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from headrace.errors import HeadraceError, UnsupportedSql, UserError
from headrace.plan.binder import Scope, bind
from headrace.plan.conditions import (
    all_of,
    bind_condition,
    equal,
    filtered,
    written_parts,
)
from headrace.plan.expressions import Expr
from headrace.plan.joins import plan_from
from headrace.plan.nodes import Join, JoinKind, Node
from headrace.plan.queries import QueryContext, plan_query, scope_of
from headrace.plan.relation import Relation
from headrace.plan.select_list import needs_grouping, select_list

SubqueryTest = exp.In | exp.Exists


def plan_where(condition: exp.Expression, node: Node, scope: Scope, context: QueryContext) -> Node:
    parts = list(written_parts(condition))
    plain = [part for part in parts if _subquery_test(part) is None]
    node = filtered(node, (bind_condition(part, scope, context) for part in plain))
    for part in parts:
        test = _subquery_test(part)
        if test is not None:
            node = _plan_test(test, test is not part, node, scope, context)
    return node


def _subquery_test(part: exp.Expression) -> SubqueryTest | None:
    """`x IN (query)` or `EXISTS (query)`, perhaps under a NOT."""
    inner = part.this if isinstance(part, exp.Not) else part
    inner = inner.unnest()
    if isinstance(inner, exp.Exists) or (isinstance(inner, exp.In) and inner.args.get("query")):
        return inner
    return None


def _plan_test(
    test: SubqueryTest, negated: bool, node: Node, scope: Scope, context: QueryContext
) -> Node:
    body = test.args["query"].this if isinstance(test, exp.In) else test.this
    inner = _Subquery.plan(body, node, scope, context)
    conditions = list(inner.correlated)
    if isinstance(test, exp.In):
        conditions += _memberships(test, negated, inner, scope, context)
    return Join(
        node,
        inner.node,
        JoinKind.ANTI if negated else JoinKind.SEMI,
        residual=all_of(conditions),
        position=context.position(test),
    )


class _Subquery:
    """A planned subquery that shares no column name with the query around it: `correlated` are the conditions over
    both, `outputs` what it selects."""

    def __init__(self, node: Node, outputs: list[Expr], correlated: list[Expr]) -> None:
        self.node = node
        self.outputs = outputs
        self.correlated = correlated

    @classmethod
    def plan(cls, body: exp.Expr, outer: Node, scope: Scope, context: QueryContext) -> _Subquery:
        if isinstance(body, exp.Select) and _is_plain(body):
            return cls._plain(body, outer, scope, context)
        relation = Relation.of(plan_query(body, context), None).apart_from(outer.names)
        return cls(relation.node, [field.ref() for field in relation.node.schema], [])

    @classmethod
    def _plain(
        cls, select: exp.Select, outer: Node, scope: Scope, context: QueryContext
    ) -> _Subquery:
        relation = plan_from(select, context).apart_from(outer.names)
        own = scope_of(relation, context)
        both = replace(own, outer=scope)
        where = select.args.get("where")
        parts = list(written_parts(where.this)) if where is not None else []
        tests = [part for part in parts if _subquery_test(part) is not None]
        bound = [
            bind_condition(part, both, context) for part in parts if _subquery_test(part) is None
        ]
        around = set(outer.names)
        node = filtered(relation.node, (c for c in bound if not c.input_names() & around))
        for part in tests:
            node = plan_where(part, node, own, context)
        outputs = [expr for _, expr in select_list(select, relation, own, context)]
        return cls(node, outputs, [c for c in bound if c.input_names() & around])


def _is_plain(select: exp.Select) -> bool:
    """Rows of FROM and WHERE, one by one: only then may a condition look outside."""
    clauses = ("with_", "group", "having", "qualify", "order", "limit", "offset")
    return not any(select.args.get(clause) for clause in clauses) and not needs_grouping(select)


def _memberships(
    test: exp.In, negated: bool, inner: _Subquery, scope: Scope, context: QueryContext
) -> list[Expr]:
    items = _items(test.this)
    if len(items) != len(inner.outputs):
        raise UserError(
            f"IN compares {len(items)} with {len(inner.outputs)} columns",
            condition="COLUMN_COUNT",
            where=context.position(test),
        )
    operands = [bind(item, scope) for item in items]
    if negated and any(operand.type.nullable for operand in (*operands, *inner.outputs)):
        raise UnsupportedSql(
            "NOT IN (SELECT …) of columns that may be NULL is not supported: one NULL leaves no row at all",
            where=context.position(test),
            cure="write NOT EXISTS (SELECT … WHERE the columns are equal)",
        )
    try:
        return [equal(a, b) for a, b in zip(operands, inner.outputs, strict=True)]
    except HeadraceError as error:
        raise error.at(context.position(test)) from None


def _items(operand: exp.Expression) -> list[exp.Expression]:
    return list(operand.expressions) if isinstance(operand, exp.Tuple) else [operand]
