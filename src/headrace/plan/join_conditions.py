"""ON with subqueries in it.

An inner join asks them of its rows, as WHERE would. An outer one asks them before it joins, of the side whose columns they
name, since a row without a match has to be kept whatever they say.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlglot import exp

from headrace.errors import UnknownName, UnsupportedSql
from headrace.plan.binder import Scope
from headrace.plan.conditions import all_of, bind_condition, written_parts
from headrace.plan.expressions import Expr, InputRef
from headrace.plan.nodes import Join, JoinKind, Node
from headrace.plan.queries import QueryContext, scope_of
from headrace.plan.relation import Relation
from headrace.plan.subqueries import has_subquery, plan_where, subqueries_in, with_subqueries


def filter_joined(on: exp.Expression, join: Join, scope: Scope, context: QueryContext) -> Node:
    """The rows of an inner join, whose condition `on` is."""
    parts = list(written_parts(on))
    plain = [bind_condition(part, scope, context) for part in parts if not has_subquery(part)]
    node: Node = replace(join, residual=all_of(plain))
    for part in parts:
        if has_subquery(part):
            node = plan_where(part, node, scope, context)
    return node


@dataclass(slots=True)
class _Side:
    """A side of the join, and the columns of it that stand for subqueries."""

    relation: Relation
    values: dict[exp.Expression, Expr] = field(default_factory=dict)


def with_values(
    on: exp.Expression, left: Relation, right: Relation, context: QueryContext
) -> tuple[Relation, Relation, Expr]:
    """The sides of an outer join with the values of the subqueries, and the condition over them."""
    first, second = _Side(left), _Side(right)
    for found in _outermost(on):
        _place(found, first, second, context)
    moved = second.relation.apart_from(first.relation.node.names)
    names = dict(zip(second.relation.node.names, moved.node.names, strict=True))
    values = first.values | {
        found: value.transform(lambda part: _renamed(part, names))
        for found, value in second.values.items()
    }
    scope = replace(_both(first.relation, moved, context), special=values.get)
    return first.relation, moved, bind_condition(on, scope, context)


def _outermost(on: exp.Expression) -> list[exp.Expression]:
    """Subqueries that are not part of what another one compares."""
    found: list[exp.Expression] = []
    for item in subqueries_in(on):
        if not any(part is item for other in found for part in other.walk()):
            found.append(item)
    return found


def _place(found: exp.Expression, left: _Side, right: _Side, context: QueryContext) -> None:
    # Told of here: a name that no side has, or both have.
    apart = right.relation.apart_from(left.relation.node.names)
    joined = Join(left.relation.node, apart.node, JoinKind.INNER)
    with_subqueries([found], joined, _both(left.relation, apart, context), context)
    for side in (left, right):
        try:
            scope = scope_of(side.relation, context)
            node, scope = with_subqueries([found], side.relation.node, scope, context)
        except UnknownName:
            continue
        value = scope.resolve_special(found)
        assert value is not None
        side.relation = side.relation.over(node)
        side.values[found] = value
        return
    raise UnsupportedSql(
        "a subquery in ON of an outer join that names columns of both sides is not supported",
        where=context.position(found),
        cure="put it into the FROM of the query, or use an inner join",
    )


def _both(left: Relation, right: Relation, context: QueryContext) -> Scope:
    return context.scope(left.columns + right.columns, left.hidden + right.hidden)


def _renamed(part: Expr, names: dict[str, str]) -> Expr:
    return replace(part, name=names[part.name]) if isinstance(part, InputRef) else part
