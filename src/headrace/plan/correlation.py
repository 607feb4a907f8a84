"""Queries inside others: what they say about columns around them becomes conditions of a join.

Where a subquery aggregates or limits, it does so for each value that those conditions compare. What cannot be said that way
is planned over a table of the values outside (`plan.outside`).
"""

from __future__ import annotations

from sqlglot import exp

from headrace.plan.binder import Scope
from headrace.plan.inner import Inner, closed
from headrace.plan.nodes import Node
from headrace.plan.outside import Outside
from headrace.plan.queries import QueryContext, plan_query, with_tables
from headrace.plan.subquery_blocks import Block, has_windows, is_total

# Clauses that may follow a query in brackets; without them the brackets mean nothing.
ORDERING = ("order", "limit", "offset", "with_")


def plan_inner(
    body: exp.Expr,
    outer: Node,
    scope: Scope,
    context: QueryContext,
    *,
    as_table: bool = False,
    as_value: bool = False,
) -> Inner:
    """`as_table`: whether it matters how often a row is there. `as_value`: whether one row is wanted for each outside."""
    context = context.for_part()
    while isinstance(body, exp.Subquery) and not any(map(body.args.get, ORDERING)):
        body = body.this
    if not isinstance(body, exp.Select):
        return closed(plan_query(body, context), outer)
    context = with_tables(body, context)
    block = Block(body, outer, scope, context, single_rows=not as_table)
    if has_windows(body):
        block.refuse_windows()
        return closed(plan_query(body, context), outer)
    compared, deeper = block.seen_outside()
    if not (compared or deeper or block.in_rows or is_total(body)):
        return closed(plan_query(body, context), outer)
    if not deeper and (block.in_rows or block.by_equality):
        found = block.result()
        if not as_value or found.is_single or found.by_equality:
            return found
    return block.over(Outside(outer, compared | deeper)).result()
