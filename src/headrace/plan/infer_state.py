"""What a node keeps between batches, in words, and where it runs."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatch

from headrace.changelog import ChangelogMode
from headrace.plan.expressions import AggregateCall
from headrace.plan.nodes import Aggregate, Conflict, Join, Materialize, Node, Normalize, Rank

EXTREMES = ("MIN", "MAX")
ENDS = ("FIRST_VALUE", "LAST_VALUE")


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
    counted = _columns(counted_calls(node, append))
    kept = _columns(call for _, call in node.calls if _keeps_all(call, append))
    values = f", values of {counted} with counts" if counted else ""
    values += f" in {node.buckets} buckets" if node.buckets else ""
    values += f", all values of {kept} in order of arrival" if kept else ""
    return _accumulators(len(node.calls)) + values


def counted_calls(node: Aggregate, append: bool) -> list[AggregateCall]:
    """Calls that must know how often each value occurs: those under DISTINCT, and extremes that can go."""
    return [call for _, call in node.calls if _is_counted(call, append)]


def _is_counted(call: AggregateCall, append: bool) -> bool:
    if call.function.name in EXTREMES:
        return not append
    return call.distinct and not call.function.collects


def _keeps_all(call: AggregateCall, append: bool) -> bool:
    """One value is enough for an end of the order where rows only arrive."""
    is_end = call.function.name in ENDS and append and not call.distinct
    return call.function.collects and not is_end


def _columns(calls: Iterable[AggregateCall]) -> str:
    shown = (", ".join(map(str, call.args)) for call in calls)
    return ", ".join(sorted({f"({text})" if ", " in text else text for text in shown}))


@state_kept.register
def _(node: Join, input_mode: ChangelogMode | None) -> str:
    if not node.left_keys:
        return "all rows of both sides"
    return "rows of both sides per join key"


@state_kept.register
def _(node: Rank, input_mode: ChangelogMode | None) -> str:
    return "sorted rows per partition" if node.partition else "all rows, sorted"


@state_kept.register
def _(node: Materialize, input_mode: ChangelogMode | None) -> str:
    of = "key of the sink" if node.table else "key"
    appends = input_mode is not None and input_mode.is_append
    if node.conflict is Conflict.DEDUPLICATE and not appends:
        return f"rows per {of}"
    return f"one row per {of}"


def _accumulators(count: int) -> str:
    if not count:
        return "row count per group"
    return f"{count} accumulator{'' if count == 1 else 's'} per group"


def is_stateful(node: Node) -> bool:
    return isinstance(node, Normalize | Aggregate | Join | Rank | Materialize)
