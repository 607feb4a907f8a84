"""One SELECT block, clause by clause in the order of their meaning; each clause has a module of its own."""

from __future__ import annotations

from sqlglot import exp

from headrace.plan.binder import Scope
from headrace.plan.conditions import bind_condition
from headrace.plan.grouping import plan_grouping
from headrace.plan.joins import plan_from
from headrace.plan.nodes import Aggregate, Filter, Node
from headrace.plan.ordering import plan_ordering
from headrace.plan.queries import QueryContext, scope_of
from headrace.plan.relation import Relation, project
from headrace.plan.select_list import (
    grouped_clauses,
    grouped_inputs,
    needs_grouping,
    select_list,
    without_aliases,
)
from headrace.plan.state_hints import check_hints, hinted
from headrace.plan.subqueries import plan_where, with_subqueries
from headrace.plan.windows import plan_windows


def plan_select(select: exp.Select, context: QueryContext) -> Node:
    select = without_aliases(select)
    context = hinted(select, context)
    relation = plan_from(select, context)
    check_hints(select, relation, context)
    node, scope = _plan_rows(select, relation, context)
    later = [clause for clause in grouped_clauses(select) if not isinstance(clause, exp.Having)]
    node, scope = with_subqueries(later, node, scope, context)
    node, scope = plan_windows(select, node, scope, context)
    qualify = select.args.get("qualify")
    if qualify is not None:
        node = Filter(node, bind_condition(qualify.this, scope, context))
    result = project(node, select_list(select, relation, scope, context))
    if select.args.get("distinct"):
        distinct = Aggregate(result, result.names, (), context.state_time(relation.qualifiers))
        return plan_ordering(select, distinct, None, context)
    return plan_ordering(select, result, scope, context)


def _plan_rows(select: exp.Select, relation: Relation, context: QueryContext) -> tuple[Node, Scope]:
    """WHERE, GROUP BY and HAVING, and the names that the clauses after them may use."""
    node, scope = relation.node, scope_of(relation, context)
    where = select.args.get("where")
    if where is not None:
        node = plan_where(where.this, node, scope, context)
    if needs_grouping(select):
        node, scope = with_subqueries(grouped_inputs(select), node, scope, context)
        node, scope = plan_grouping(select, node, scope, context)
    having = select.args.get("having")
    if having is not None:
        node, inside = with_subqueries([having.this], node, scope, context)
        node = Filter(node, bind_condition(having.this, inside, context))
    return node, scope
