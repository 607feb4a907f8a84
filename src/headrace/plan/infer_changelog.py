"""Which kinds of change a node emits, and whether its reader needs the row an update replaces."""

from __future__ import annotations

from functools import singledispatch

from headrace.changelog import ChangelogMode, RowKind
from headrace.plan.infer_keys import unique_keys
from headrace.plan.nodes import (
    Aggregate,
    Collect,
    Conflict,
    Expand,
    Filter,
    Join,
    JoinKind,
    Materialize,
    Node,
    Normalize,
    Project,
    Rank,
    Repeat,
    Scan,
    Sink,
    Union,
    Unnest,
    Values,
)


def emitted(node: Node, inputs: tuple[ChangelogMode, ...], needs_before: bool) -> ChangelogMode:
    """The node's mode, given its inputs' and whether its reader needs update-before rows."""
    mode = _full_mode(node, inputs)
    if needs_before or not can_omit_before(node):
        return mode
    return ChangelogMode(mode.kinds - {RowKind.UPDATE_BEFORE})


@singledispatch
def _full_mode(node: Node, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    return inputs[0]


@_full_mode.register
def _(node: Scan, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    return node.table.connector.scan_mode(node.table)


@_full_mode.register
def _(node: Values, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    return ChangelogMode.append()


@_full_mode.register
def _(node: Filter, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    """An update can bring a row into the filter or take it out."""
    (mode,) = inputs
    return mode if mode.is_append else ChangelogMode.of([*mode.kinds, RowKind.DELETE])


@_full_mode.register
def _(node: Project, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    """Without a key an update is a row that goes and another that comes."""
    (mode,) = inputs
    if mode.is_append or _keeps_a_key(node):
        return mode
    return ChangelogMode.of([*mode.kinds, RowKind.DELETE])


@_full_mode.register(Repeat)
@_full_mode.register(Unnest)
def _(node: Repeat | Unnest, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    """An update of a row can make more or fewer of it."""
    return inputs[0] if inputs[0].is_append else ChangelogMode.retract()


@_full_mode.register
def _(node: Normalize, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    return ChangelogMode.retract()


@_full_mode.register
def _(node: Rank, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    """In no order the rows that came first stay."""
    stays = inputs[0].is_append and not node.order
    return ChangelogMode.append() if stays else ChangelogMode.retract()


@_full_mode.register
def _(node: Materialize, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    """The first of rows that only arrive stays."""
    stays = inputs[0].is_append and node.conflict is not Conflict.DEDUPLICATE
    return ChangelogMode.append() if stays else ChangelogMode.retract()


@_full_mode.register
def _(node: Aggregate, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    if not inputs[0].is_append:
        return ChangelogMode.retract()
    if not node.calls:  # DISTINCT over rows that only arrive: a group appears once and stays
        return ChangelogMode.append()
    return ChangelogMode.of([RowKind.INSERT, RowKind.UPDATE_BEFORE, RowKind.UPDATE_AFTER])


@_full_mode.register
def _(node: Union, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    return ChangelogMode.of(kind for mode in inputs for kind in mode.kinds)


@_full_mode.register
def _(node: Join, inputs: tuple[ChangelogMode, ...]) -> ChangelogMode:
    if node.kind in (JoinKind.INNER, JoinKind.SEMI) and all(mode.is_append for mode in inputs):
        return ChangelogMode.append()
    # A first match takes back the row without one, the last match to go brings it back.
    return ChangelogMode.retract()


def can_omit_before(node: Node) -> bool:
    return isinstance(node, Normalize | Aggregate | Materialize)


def needs_before(reader: Node, reader_needs: bool, child: Node, child_is_append: bool) -> bool:
    """Whether `reader` needs `child` to emit update-before rows; `reader_needs`: whether its own reader does."""
    if child_is_append:
        return False
    match reader:
        case Sink():
            return _sink_needs_before(reader)
        case Project():
            return reader_needs or not _keeps_a_key(reader)
        case Collect() | Filter() | Aggregate() | Union() | Join() | Rank() | Materialize():
            # A filter must see the old row to tell that a row left it; the others subtract it.
            return True
        case Repeat() | Unnest() | Expand():
            return True
        case _:
            return reader_needs


def _keeps_a_key(node: Project) -> bool:
    return bool(unique_keys(node))


def _sink_needs_before(sink: Sink) -> bool:
    if not sink.is_upsert:
        return True
    return frozenset(sink.table.primary_key) not in unique_keys(sink.input)
