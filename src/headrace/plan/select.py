"""One SELECT block: FROM, WHERE, the select list, DISTINCT. Grouping is in `plan.grouping`."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from headrace.errors import TypeMismatch, UnknownName, UserError
from headrace.plan.binder import Scope, bind, is_aggregate
from headrace.plan.expressions import Expr, is_condition
from headrace.plan.grouping import plan_grouping
from headrace.plan.nodes import Aggregate, Filter, Node, Values
from headrace.plan.queries import QueryContext, plan_relation
from headrace.plan.relation import Relation, project

REFUSED_CLAUSES = {
    "joins": "JOIN",
    "windows": "WINDOW",
    "qualify": "QUALIFY",
    "order": "ORDER BY",
    "limit": "LIMIT",
    "offset": "OFFSET",
}


def plan_select(select: exp.Select, context: QueryContext) -> Node:
    _refuse_clauses(select, context)
    relation = _plan_from(select, context)
    scope = scope_of(relation, context)
    node = relation.node
    where = select.args.get("where")
    if where is not None:
        node = Filter(node, bind_condition(where.this, scope, context))
    if needs_grouping(select):
        node, scope = plan_grouping(select, node, scope, context)
    having = select.args.get("having")
    if having is not None:
        node = Filter(node, bind_condition(having.this, scope, context))
    outputs = list(_select_list(select, relation, scope, context))
    result: Node = project(node, outputs)
    return Aggregate(result, result.names, ()) if select.args.get("distinct") else result


def _refuse_clauses(select: exp.Select, context: QueryContext) -> None:
    for clause, name in REFUSED_CLAUSES.items():
        found = select.args.get(clause)
        if found:
            raise context.refuse(name, found[0] if isinstance(found, list) else found)


def _plan_from(select: exp.Select, context: QueryContext) -> Relation:
    source = select.args.get("from_")
    if source is None:
        return Relation(Values(((),), ()), ())
    return plan_relation(source.this, context)


def scope_of(relation: Relation, context: QueryContext) -> Scope:
    return Scope(relation.columns, context.source)


def needs_grouping(select: exp.Select) -> bool:
    clauses = [*select.expressions, select.args.get("having")]
    return any(select.args.get(clause) for clause in ("group", "having")) or any(
        is_aggregate(node) for clause in clauses if clause is not None for node in own_nodes(clause)
    )


def own_nodes(root: exp.Expr) -> Iterator[exp.Expr]:
    """Nodes of the expression itself, not of queries nested in it."""
    for node in root.walk(prune=lambda n: isinstance(n, exp.Query)):
        if not isinstance(node, exp.Query):
            yield node


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


def _select_list(
    select: exp.Select, relation: Relation, scope: Scope, context: QueryContext
) -> Iterator[tuple[str, Expr]]:
    for index, item in enumerate(select.expressions):
        if _is_star(item):
            yield from _expand_star(item, relation, scope, context)
        elif isinstance(item, exp.Alias):
            yield item.alias, bind(item.this, scope)
        else:
            yield _output_name(item, index), bind(item, scope)


def _is_star(item: exp.Expression) -> bool:
    return isinstance(item, exp.Star) or (
        isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
    )


def _expand_star(
    item: exp.Expression, relation: Relation, scope: Scope, context: QueryContext
) -> Iterator[tuple[str, Expr]]:
    qualifier = item.table if isinstance(item, exp.Column) else None
    found = False
    for column_qualifier, name, _ in relation.columns:
        if not qualifier or qualifier == column_qualifier:
            found = True
            column = exp.column(name, table=column_qualifier, quoted=True)
            yield name, bind(column, scope)
    if not found:
        if qualifier:
            tables = {table for table, _, _ in relation.columns if table}
            raise UnknownName("table", qualifier, tables, where=context.position(item))
        raise UserError(
            "there is nothing that * could stand for",
            condition="NO_COLUMNS",
            where=context.position(item),
            cure="add a FROM clause, or list expressions",
        )


def _output_name(item: exp.Expression, index: int) -> str:
    if isinstance(item, exp.Column | exp.Dot):
        return item.name or item.expression.name
    return f"EXPR${index}"
