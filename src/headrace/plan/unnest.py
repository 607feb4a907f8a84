"""UNNEST beside a table: each of its rows with the items of a collection in it."""

from __future__ import annotations

from sqlglot import exp

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.binder import bind
from headrace.plan.conditions import bind_condition, filtered, parts_of
from headrace.plan.nodes import Field, Node, Schema, Unnest
from headrace.plan.queries import QueryContext, alias_columns, scope_of
from headrace.plan.relation import Relation, unique_names
from headrace.types import INT, DataType, Kind

COLLECTIONS = (Kind.ARRAY, Kind.MAP, Kind.MULTISET)


def plan_unnest(left: Relation, join: exp.Expression, context: QueryContext) -> Relation:
    unnest = join.this
    outer = _is_outer(join, context)
    node = _node(left, unnest, outer, context)
    shown = alias_columns(unnest, len(node.columns), context) or _usual_names(node)
    fields = node.schema[len(left.node.schema) :]
    items = tuple((unnest.alias or None, n, f) for n, f in zip(shown, fields, strict=True))
    relation = Relation(node, left.columns + items, left.hidden)
    return _conditioned(relation, join, outer, context)


def _is_outer(join: exp.Expression, context: QueryContext) -> bool:
    side = join.args.get("side")
    if side in ("RIGHT", "FULL") or join.args.get("using") or join.args.get("method"):
        raise context.refuse("UNNEST other than by CROSS JOIN or LEFT JOIN … ON TRUE", join)
    return side == "LEFT"


def _node(left: Relation, unnest: exp.Unnest, outer: bool, context: QueryContext) -> Unnest:
    first, *more = unnest.expressions
    if more:
        raise context.refuse("UNNEST of several collections", more[0])
    collection = bind(first, scope_of(left, context))
    if collection.type.kind not in COLLECTIONS:
        raise TypeMismatch(
            "UNNEST takes a collection",
            where=context.position(first),
            found=collection.type.sql(),
            expected="ARRAY, MAP or MULTISET",
        )
    ordinality = bool(unnest.args.get("offset"))
    items = _item_columns(collection.type)
    if ordinality:
        items = (*items, Field("ORDINALITY", INT.not_null()))
    taken = left.node.names
    names = unique_names([*taken, *(item.name for item in items)])[len(taken) :]
    columns = tuple(Field(name, item.type) for name, item in zip(names, items, strict=True))
    return Unnest(left.node, collection, columns, outer, ordinality)


def _item_columns(collection: DataType) -> Schema:
    """A row is spread into its fields, a map into key and value; anything else is one column."""
    if collection.kind is Kind.MAP:
        key, value = collection.children
        return (Field("KEY", key), Field("VALUE", value))
    (element,) = collection.children
    if element.kind is not Kind.ROW:
        return (Field("EXPR$0", element),)
    return tuple(
        Field(name, kind.as_nullable(kind.nullable or element.nullable))
        for name, kind in element.fields()
    )


def _usual_names(node: Unnest) -> list[str]:
    names = [column.name for column in _item_columns(node.collection.type)]
    return [*names, "ORDINALITY"] if node.ordinality else names


def _conditioned(
    relation: Relation, join: exp.Expression, outer: bool, context: QueryContext
) -> Relation:
    condition = join.args.get("on")
    if condition is None:
        return relation
    parts = list(parts_of(bind_condition(condition, scope_of(relation, context), context)))
    if outer and parts:
        raise UnsupportedSql(
            "LEFT JOIN UNNEST takes no condition",
            where=context.position(condition),
            cure="write ON TRUE, and filter in WHERE",
        )
    node: Node = filtered(relation.node, parts)
    return relation.over(node)
