"""The first or the last row of each group by processing time is the one that arrives first or last."""

from __future__ import annotations

from headrace.plan.expressions import Call, InputRef, Literal
from headrace.plan.nodes import Conflict, Filter, Materialize, Node, Project, Rank, Unnest
from headrace.plan.rules.rewrite import bottom_up
from headrace.types import BIGINT


def keep_arrivals(root: Node) -> Node:
    return bottom_up(root, _kept)


def _kept(node: Node) -> Node:
    if not isinstance(node, Rank) or (node.start, node.end) != (1, 1) or not node.order:
        return node
    time = node.order[0]
    if not _is_processing_time(time.column, node.input):
        return node
    conflict = Conflict.DEDUPLICATE if time.descending else Conflict.NOTHING
    kept = Materialize(node.input, node.partition, conflict)
    if node.rank is None:
        return kept
    columns = tuple((column.name, column.ref()) for column in kept.schema)
    return Project(kept, (*columns, (node.rank, Literal(BIGINT.not_null(), 1))))


def _is_processing_time(name: str, node: Node) -> bool:
    """Whether the column is PROCTIME(), worked out in `node` or handed on by it."""
    match node:
        case Project():
            expr = dict(node.outputs)[name]
            if isinstance(expr, InputRef):
                return _is_processing_time(expr.name, node.input)
            return isinstance(expr, Call) and expr.function.name == "PROCTIME"
        case Filter() | Unnest() if name in node.input.names:
            return _is_processing_time(name, node.input)
        case _:
            return False
