"""LATERAL (SELECT …): a table computed for each row left of it, such as the first rows of a group."""

from __future__ import annotations

from sqlglot import exp

from headrace.plan.conditions import bind_condition, parts_of
from headrace.plan.correlation import plan_inner
from headrace.plan.expressions import Expr, InputRef
from headrace.plan.nodes import JoinKind, Node, Project
from headrace.plan.queries import QueryContext, alias_columns, scope_of
from headrace.plan.relation import Relation, unique_names
from headrace.plan.subquery_values import outputs_beside


def plan_lateral(left: Relation, join: exp.Expression, context: QueryContext) -> Relation:
    lateral = join.this
    if not isinstance(lateral.this, exp.Subquery):
        raise context.refuse(f"table function {lateral.this.name}", lateral)
    kind = _kind(join, context)
    scope = scope_of(left, context)
    inner = plan_inner(lateral.this.this, left.node, scope, context, as_table=True)
    names = alias_columns(lateral, len(inner.names), context) or list(inner.names)
    more = _conditions(join, left, inner.with_outputs(left.node), names, context)
    if more and inner.without_rows is not None:
        raise context.refuse("a condition on LATERAL of a total", join.args["on"])
    position = context.position(join)
    node, values = outputs_beside(inner, left.node, kind, more, position)
    return _named(left, node, values, lateral.alias or None, names)


def _kind(join: exp.Expression, context: QueryContext) -> JoinKind:
    side = join.args.get("side")
    if side in ("RIGHT", "FULL") or join.args.get("using") or join.args.get("method"):
        raise context.refuse("LATERAL other than by CROSS JOIN or LEFT JOIN … ON TRUE", join)
    return JoinKind(side or "INNER")


def _conditions(
    join: exp.Expression,
    left: Relation,
    inner: tuple[Node, tuple[InputRef, ...]],
    names: list[str],
    context: QueryContext,
) -> list[Expr]:
    condition = join.args.get("on")
    if condition is None:
        return []
    fields = {field.name: field for field in inner[0].schema}
    own = tuple(
        (join.this.alias or None, name, fields[ref.name])
        for name, ref in zip(names, inner[1], strict=True)
    )
    both = context.scope((*left.columns, *own), left.hidden)
    return list(parts_of(bind_condition(condition, both, context)))


def _named(
    left: Relation, node: Node, values: tuple[Expr, ...], alias: str | None, names: list[str]
) -> Relation:
    """The columns of both; values that are not plain columns are computed beside them."""
    computed = [value for value in values if not isinstance(value, InputRef)]
    fresh = iter(unique_names([*node.names, *("value" for _ in computed)])[len(node.names) :])
    shown = [
        (value.name if isinstance(value, InputRef) else next(fresh), value) for value in values
    ]
    if computed:
        kept = tuple((field.name, field.ref()) for field in node.schema)
        added = tuple(pair for pair in shown if not isinstance(pair[1], InputRef))
        node = Project(node, (*kept, *added))
    fields = {field.name: field for field in node.schema}
    own = tuple((alias, name, fields[field]) for name, (field, _) in zip(names, shown, strict=True))
    moved = left.over(node)
    return Relation(node, (*moved.columns, *own), moved.hidden)
