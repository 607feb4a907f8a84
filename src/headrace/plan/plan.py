"""The finished plan: every node with what was inferred about it. EXPLAIN prints it, the compiler runs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

from headrace.changelog import ChangelogMode
from headrace.plan.infer_changelog import can_omit_before, emitted, needs_before
from headrace.plan.infer_keys import Keys, unique_keys
from headrace.plan.infer_state import is_stateful, state_kept
from headrace.plan.nodes import Aggregate, Collect, Join, Node, Scan, Sink


@dataclass(frozen=True, slots=True)
class PlanSettings:
    """`state_ttl` zero: state is kept for ever. `upsert_materialize`: AUTO, NONE or FORCE. `distinct_buckets`: parts that
    values under DISTINCT are split into where they can be, 0 for none. The enforcers say what becomes of rows that do
    not fit a sink's declared types: NULLs (ERROR or DROP), lengths (IGNORE, TRIM_PAD or ERROR), and whether that goes
    for what rows and collections hold (IGNORE, ROWS or ROWS_AND_COLLECTIONS). `events_duplicate`: whether sources may tell
    a change several times. `batch`: whether only tables with an end, and of inserts, may be read."""

    state_ttl: timedelta = timedelta(0)
    not_null_enforcer: str = "ERROR"
    upsert_materialize: str = "AUTO"
    require_on_conflict: bool = False
    distinct_buckets: int = 0
    length_enforcer: str = "IGNORE"
    nested_enforcer: str = "IGNORE"
    events_duplicate: bool = False
    batch: bool = False


@dataclass(frozen=True, slots=True)
class Traits:
    """A time to live of zero: for ever. `right_state_ttl` is that of a join's right side; elsewhere it is the same."""

    mode: ChangelogMode
    keys: Keys
    state: str
    state_ttl: timedelta
    right_state_ttl: timedelta
    engine: str
    reason: str
    bounded: bool

    @property
    def key(self) -> tuple[str, ...] | None:
        """The smallest unique key, if any."""
        return min(
            (tuple(sorted(key)) for key in self.keys), key=lambda key: len(key), default=None
        )


@dataclass(frozen=True, slots=True)
class Planned:
    node: Node
    traits: Traits
    inputs: tuple[Planned, ...]

    def walk(self) -> Iterator[Planned]:
        yield self
        for child in self.inputs:
            yield from child.walk()


@dataclass(frozen=True, slots=True)
class Plan:
    root: Planned
    settings: PlanSettings

    @property
    def is_bounded(self) -> bool:
        return self.root.traits.bounded

    @property
    def has_stream(self) -> bool:
        """Whether it reads any source table; a plan over VALUES alone runs once."""
        return any(isinstance(item.node, Scan) for item in self.root.walk())

    @property
    def sink(self) -> Sink | Collect:
        node = self.root.node
        assert isinstance(node, Sink | Collect)
        return node

    @property
    def scans(self) -> list[Scan]:
        return [item.node for item in self.root.walk() if isinstance(item.node, Scan)]


def annotate(root: Node, settings: PlanSettings) -> Plan:
    return Plan(_annotate(root, False, settings), settings)


def _annotate(node: Node, reader_needs: bool, settings: PlanSettings) -> Planned:
    inputs = tuple(
        _annotate(child, needs_before(node, reader_needs, child, appends(child)), settings)
        for child in node.inputs
    )
    modes = tuple(item.traits.mode for item in inputs)
    mode = emitted(node, modes, reader_needs)
    stateful = is_stateful(node)
    times = _times_to_live(node, settings) if stateful else (timedelta(0), timedelta(0))
    traits = Traits(
        mode=mode,
        keys=unique_keys(node),
        state=state_kept(node, modes[0] if modes else None),
        state_ttl=times[0],
        right_state_ttl=times[1],
        engine="java" if stateful else "native",
        reason="; ".join(filter(None, (_reason(node, mode, reader_needs), _split_reason(node)))),
        bounded=_is_bounded(node, inputs),
    )
    return Planned(node, traits, inputs)


def _times_to_live(node: Node, settings: PlanSettings) -> tuple[timedelta, timedelta]:
    """Of the state, for a join of each side's: the hint's, or the job's."""
    own: tuple[timedelta | None, timedelta | None] = (None, None)
    if isinstance(node, Join):
        own = (node.left_ttl, node.right_ttl)
    elif isinstance(node, Aggregate):
        own = (node.ttl, node.ttl)
    left, right = (settings.state_ttl if time is None else time for time in own)
    return left, right


def appends(node: Node) -> bool:
    modes = tuple(
        ChangelogMode.append() if appends(c) else ChangelogMode.retract() for c in node.inputs
    )
    return emitted(node, modes, True).is_append


def _is_bounded(node: Node, inputs: tuple[Planned, ...]) -> bool:
    if isinstance(node, Scan):
        return node.table.connector.is_bounded(node.table)
    return all(item.traits.bounded for item in inputs)


def _split_reason(node: Node) -> str:
    if not isinstance(node, Aggregate) or not node.buckets:
        return ""
    return "DISTINCT values are counted by parts of their hash: no group sits in one task"


def _reason(node: Node, mode: ChangelogMode, reader_needs: bool) -> str:
    if is_stateful(node):
        if mode.is_append:
            return "rows only arrive, so a result never changes"
        if not can_omit_before(node):
            return ""
        if reader_needs:
            return "-U emitted: the reader subtracts the old row"
        return "-U omitted: the reader takes updates by key"
    return _scan_reason(node, mode) if isinstance(node, Scan) else ""


def _scan_reason(scan: Scan, mode: ChangelogMode) -> str:
    if not mode.is_upsert:
        return ""
    connector = scan.table.connector
    if connector.is_sink and connector.sink_mode(scan.table).is_retract:
        return "changes are applied by key: a message may lack the old row, or tell metadata that is not that row's, or come twice"
    return "a record replaces the last one of its key; a null value deletes it"
