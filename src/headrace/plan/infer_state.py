"""What a node keeps between batches, in words, and where it runs."""

from __future__ import annotations

from functools import singledispatch

from headrace.changelog import ChangelogMode
from headrace.plan.nodes import Aggregate, Join, Materialize, Node, Normalize, Rank

EXTREMES = ("MIN", "MAX")


@singledispatch
def state_kept(node: Node, input_mode: ChangelogMode | None) -> str:
    """Empty when the node keeps nothing."""
    return ""


@state_kept.register
def _(node: Normalize, input_mode: ChangelogMode | None) -> str:
    kept = [name for name in node.names if name not in node.key]
    return f"last row per key ({', '.join(kept) or 'key only'})"


@state_kept.register
def _(node: Aggregate, input_mode: ChangelogMode | None) -> str:
    append = input_mode is not None and input_mode.is_append
    counted = sorted(
        {
            str(call.args[0])
            for _, call in node.calls
            if call.args and (call.distinct or (call.function.name in EXTREMES and not append))
        }
    )
    values = f", values of {', '.join(counted)} with counts" if counted else ""
    return _accumulators(len(node.calls)) + values


@state_kept.register
def _(node: Join, input_mode: ChangelogMode | None) -> str:
    return "rows of both sides per join key"


@state_kept.register
def _(node: Rank, input_mode: ChangelogMode | None) -> str:
    return "sorted rows per partition" if node.partition else "all rows, sorted"


@state_kept.register
def _(node: Materialize, input_mode: ChangelogMode | None) -> str:
    return "rows per key of the sink"


def _accumulators(count: int) -> str:
    if not count:
        return "row count per group"
    return f"{count} accumulator{'' if count == 1 else 's'} per group"


def is_stateful(node: Node) -> bool:
    return isinstance(node, Normalize | Aggregate | Join | Rank | Materialize)
