"""One SELECT block: FROM, WHERE, the select list, DISTINCT. Grouping is in `plan.grouping`."""

from __future__ import annotations

from sqlglot import exp

from headrace.plan.conditions import bind_condition
from headrace.plan.grouping import plan_grouping
from headrace.plan.joins import plan_from, scope_of
from headrace.plan.nodes import Aggregate, Filter, Node
from headrace.plan.queries import QueryContext
from headrace.plan.relation import project
from headrace.plan.select_list import needs_grouping, select_list
from headrace.plan.subqueries import plan_where

REFUSED_CLAUSES = {
    "windows": "WINDOW",
    "qualify": "QUALIFY",
    "order": "ORDER BY",
    "limit": "LIMIT",
    "offset": "OFFSET",
}


def plan_select(select: exp.Select, context: QueryContext) -> Node:
    _refuse_clauses(select, context)
    relation = plan_from(select, context)
    scope = scope_of(relation, context)
    node = relation.node
    where = select.args.get("where")
    if where is not None:
        node = plan_where(where.this, node, scope, context)
    if needs_grouping(select):
        node, scope = plan_grouping(select, node, scope, context)
    having = select.args.get("having")
    if having is not None:
        node = Filter(node, bind_condition(having.this, scope, context))
    outputs = list(select_list(select, relation, scope, context))
    result: Node = project(node, outputs)
    return Aggregate(result, result.names, ()) if select.args.get("distinct") else result


def _refuse_clauses(select: exp.Select, context: QueryContext) -> None:
    for clause, name in REFUSED_CLAUSES.items():
        found = select.args.get(clause)
        if found:
            raise context.refuse(name, found[0] if isinstance(found, list) else found)
