"""Which columns are event times: a table's watermarked column, as long as it is only passed on."""

from __future__ import annotations

from headrace.plan.expressions import InputRef
from headrace.plan.nodes import Aggregate, Node, Project, Scan, Union


def event_times(node: Node) -> set[str]:
    match node:
        case Scan():
            watermark = node.table.watermark
            return {watermark.column} & set(node.names) if watermark is not None else set()
        case Project():
            below = event_times(node.input)
            return {name for name, e in node.outputs if isinstance(e, InputRef) and e.name in below}
        case Aggregate() | Union():
            return set()
        case _:
            return {name for child in node.inputs for name in event_times(child)} & set(node.names)
