"""Values under DISTINCT are counted by parts of their hash before the groups, so that a large group is no one task's.

Only sums over distinct values (COUNT, SUM, AVG, the measures of spread) can be put together from parts: an extreme that
goes is looked for among all values of its group, and what is collected needs one order.
"""

from __future__ import annotations

from dataclasses import replace

from headrace.plan.infer_state import EXTREMES, counted_calls
from headrace.plan.nodes import Aggregate, Node
from headrace.plan.plan import appends
from headrace.plan.rules.rewrite import bottom_up


def split_distinct(root: Node, buckets: int) -> Node:
    """`buckets` 0 leaves the plan as it is."""
    return bottom_up(root, lambda node: _split(node, buckets)) if buckets else root


def _split(node: Node, buckets: int) -> Node:
    if not isinstance(node, Aggregate) or not _can_be_split(node):
        return node
    return replace(node, buckets=buckets)


def _can_be_split(node: Aggregate) -> bool:
    counted = counted_calls(node, appends(node.input))
    extreme = any(call.function.name in EXTREMES for call in counted)
    collects = any(call.function.collects for _, call in node.calls)
    return bool(counted) and not extreme and not collects
