"""An upsert source says what a row becomes, not what it was: a Normalize above it supplies the old row."""

from __future__ import annotations

from headrace.plan.nodes import Node, Normalize, Scan
from headrace.plan.rules.rewrite import bottom_up


def normalize_upserts(root: Node) -> Node:
    return bottom_up(root, _normalize)


def _normalize(node: Node) -> Node:
    if isinstance(node, Scan) and node.table.connector.scan_mode(node.table).is_upsert:
        return Normalize(node, node.table.primary_key)
    return node
