"""An upsert source says what a row becomes, not what it was: a Normalize above it supplies the old row.

A condition on where a row comes from holds for all its changes or for none, so it is asked before rows are kept.
"""

from __future__ import annotations

from headrace.plan.conditions import filtered, parts_of
from headrace.plan.expressions import Expr
from headrace.plan.nodes import Filter, Node, Normalize, Scan
from headrace.plan.rules.rewrite import bottom_up


def normalize_upserts(root: Node) -> Node:
    return bottom_up(root, _normalize)


def _normalize(node: Node) -> Node:
    match node:
        case Scan() if node.table.connector.scan_mode(node.table).is_upsert:
            return Normalize(node, node.table.primary_key, _origin(node))
        case Filter(input=Normalize(origin=origin) as kept) if origin:
            return _filter_below(kept, node.condition)
        case _:
            return node


def _origin(scan: Scan) -> tuple[str, ...]:
    keys = scan.table.connector.metadata(scan.table.options)
    read = (column for column in scan.table.metadata_columns if column.name in scan.names)
    return tuple(column.name for column in read if keys[column.key].constant)


def _filter_below(kept: Normalize, condition: Expr) -> Node:
    parts = list(parts_of(condition))
    below = [p for p in parts if p.input_names() and p.input_names() <= set(kept.origin)]
    above = [part for part in parts if part not in below]
    return filtered(kept.with_inputs((filtered(kept.input, below),)), above)
