"""The rows on their way: how many each connector has sent or written, in how many objects, and the next rotation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from headrace.cli.demo.pagila.districts import TOPIC
from headrace.cli.demo.pagila.places import SINKS, WRITERS

if TYPE_CHECKING:
    from rich.table import Table


@dataclass(frozen=True, slots=True)
class Flow:
    """`sent` counts the records of each topic, `written` and `objects` what each sink has put into the bucket."""

    sent: Mapping[str, int] = field(default_factory=dict)
    written: Mapping[str, int] = field(default_factory=dict)
    objects: Mapping[str, int] = field(default_factory=dict)

    def records(self, sink: str) -> int:
        """Records in the topics that the sink reads."""
        return sum(self.sent.get(topic, 0) for topic in SINKS[sink])

    def unwritten(self) -> dict[str, int]:
        """Records that each sink has still to write; sinks that have written all are left out."""
        left = {sink: self.records(sink) - self.written.get(sink, 0) for sink in SINKS}
        return {sink: count for sink, count in left.items() if count > 0}


def seconds_to_rotation(now: float, interval: float) -> float:
    """Sinks rotate at multiples of the interval since midnight, in UTC."""
    return interval - now % interval


def table(flow: Flow, rotation: float) -> Table:
    from rich.table import Table

    shown = Table(box=None, pad_edge=False, header_style="bold")
    shown.add_column("connector")
    shown.add_column("topic")
    for name in ("records", "total", "objects", "next files in"):
        shown.add_column(name, justify="right")
    last = ""
    for topic, source in WRITERS.items():
        records = f"{flow.sent.get(topic, 0):,}"
        shown.add_row("" if source == last else _short(source), topic, records)
        last = source
    shown.add_row("SQL query", TOPIC, f"{flow.sent.get(TOPIC, 0):,}")
    for sink, topics in SINKS.items():
        shown.add_row(
            _short(sink),
            topics[0] if len(topics) == 1 else "pagila.public.*",
            f"{flow.written.get(sink, 0):,}",
            f"{flow.records(sink):,}",
            f"{flow.objects.get(sink, 0):,}",
            f"{rotation:.0f} s",
            style="green",
        )
    return shown


def _short(connector: str) -> str:
    """So that the table fits into 80 columns."""
    return connector.replace("_connector", "").replace("_postgresql", "")


def line(flow: Flow, rotation: float) -> str:
    """The same where nothing can be redrawn."""
    written, all_records = sum(flow.written.values()), sum(map(flow.records, SINKS))
    return (
        f"{sum(flow.sent.values()):,} records in topics, {written:,} of {all_records:,} in the bucket, "
        f"{sum(flow.objects.values()):,} objects, next files in {rotation:.0f} s"
    )
