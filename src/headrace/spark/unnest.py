"""UNNEST as Spark SQL: a collection as an array of its items, and an item's columns."""

from __future__ import annotations

from headrace.plan.expressions import Expr
from headrace.plan.nodes import Unnest
from headrace.spark.expressions import spark_sql
from headrace.types import Kind, quote

# Names that no column of a user has.
ITEM = "__item"
ITEM_NUMBER = "__item_number"


def items_of(collection: Expr) -> str:
    """The items as an array: entries of a map, an element of a multiset as often as it is in it."""
    text = spark_sql(collection)
    match collection.type.kind:
        case Kind.MAP:
            return f"map_entries({text})"
        case Kind.MULTISET:
            copies = "transform(map_entries({}), e -> array_repeat(e.key, e.value))"
            return f"flatten({copies.format(text)})"
        case _:
            return text


def item_columns(node: Unnest) -> list[str]:
    """The select list for the node's own columns, over the item and its number (from 0)."""
    cells = [f"{ITEM}.{quote(part)}" for part in _parts(node)] or [ITEM]
    if node.ordinality:
        cells.append(f"CAST({ITEM_NUMBER} + 1 AS INT)")
    names = (quote(column.name) for column in node.columns)
    return [f"{cell} AS {name}" for cell, name in zip(cells, names, strict=True)]


def _parts(node: Unnest) -> tuple[str, ...]:
    """What an item is spread into; nothing where it is one column."""
    kind = node.collection.type
    if kind.kind is Kind.MAP:
        return ("key", "value")
    return kind.children[0].names
