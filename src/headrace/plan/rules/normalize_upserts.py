"""An upsert source says what a row becomes, not what it was: a Normalize above it supplies the old row."""

from __future__ import annotations

from headrace.plan.nodes import Node, Normalize, Scan
from headrace.plan.rules.rewrite import bottom_up


def normalize_upserts(root: Node) -> Node:
    return bottom_up(root, _normalize)


def _normalize(node: Node) -> Node:
    if isinstance(node, Scan) and node.table.connector.scan_mode(node.table).is_upsert:
        return Normalize(node, node.table.primary_key, _origin(node))
    return node


def _origin(scan: Scan) -> tuple[str, ...]:
    keys = scan.table.connector.metadata(scan.table.options)
    read = (column for column in scan.table.metadata_columns if column.name in scan.names)
    return tuple(column.name for column in read if keys[column.key].constant)
