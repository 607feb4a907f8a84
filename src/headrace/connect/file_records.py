"""Lines as records of Connect, and records as lines: with transforms, converters and errors as other connectors have them.

Spark does the work. Text of which nothing but that is asked goes the short way of `file_stream`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from headrace.connect import application
from headrace.connect.clients import converters
from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.headers import parse_header_converter
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data.columns import plain_text
from headrace.connect.data.records import HEADERS, VALUE, Records
from headrace.connect.data.schema import string
from headrace.connect.dead_letters import DeadLetters
from headrace.connect.errors import ErrorPolicy, Reporter
from headrace.connect.plugins import TaskContext
from headrace.connect.transforms.chain import parse_chain

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_LINES = "topic string, value string, place long, timestamp timestamp"
_READ = (
    f"topic string, partition int, offset long, timestamp timestamp, key binary, value binary, headers {HEADERS},"
    " place long, raw_timestamp_type string"
)

# What a message says of its time where the broker has set it.
_APPENDED = 2


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A record for a producer; without a partition its key chooses one."""

    topic: str
    value: bytes | None = None
    key: bytes | None = None
    partition: int | None = None
    headers: Sequence[tuple[str, bytes | None]] = ()
    timestamp_ms: int | None = None

    def options(self) -> dict[str, Any]:
        """What a producer is called with; it takes no None for some."""
        some = {"partition": self.partition, "timestamp": self.timestamp_ms}
        known = {name: number for name, number in some.items() if number is not None}
        headers = {"headers": list(self.headers)} if self.headers else {}
        return {"topic": self.topic, "value": self.value, "key": self.key, **known, **headers}


class FileRecords:
    """What a task's configuration makes of its lines or records."""

    def __init__(self, config: Mapping[str, str], context: TaskContext, *, sink: bool) -> None:
        chosen = converters(context.worker, config)
        self.session = application.session(context.worker, context.name)
        self.key = parse_converter(chosen, "key.converter")
        self.value = parse_converter(chosen, "value.converter")
        self.headers = parse_header_converter(chosen)
        self.chain = parse_chain(config)
        self.policy = ErrorPolicy.of(config)
        self.stopping = context.stopping
        letters = None
        if self.policy.dead_letters and sink:
            letters = DeadLetters(self.policy, context.name, context.number, context.worker, config)
        whole = {**chosen, **config}
        self.reporter = Reporter.of(whole, context.name, context.number, letters)

    def written(self, topic: str, lines: Sequence[str]) -> list[Outgoing]:
        """What becomes of lines; raises ToleranceExceeded."""
        return self.policy.retrying(lambda: self._written(topic, lines), self.stopping)

    def _written(self, topic: str, lines: Sequence[str]) -> list[Outgoing]:
        from pyspark.sql import functions as sf

        now = datetime.now(UTC)
        rows = [(topic, line, place, now) for place, line in enumerate(lines)]
        frame = self.session.createDataFrame(rows, _LINES)
        records = self.headers.writing(Records.of(frame, None, string(), VALUE))
        wanted = ("topic", "partition", "key", "value", "headers", "place")
        with self.reporter.translating():
            done = [
                self.reporter.judged(replace(part, frame=write_batch(part, self.key, self.value)))
                for part in self.chain.apply(records)
            ]
            found = [
                row
                for part in done
                for row in part.frame.select(
                    *wanted, sf.unix_millis("timestamp").alias("millis")
                ).collect()
            ]
        return [_outgoing(row) for row in sorted(found, key=lambda row: row["place"])]

    def lines(self, messages: Sequence[Any]) -> list[str]:
        """What a sink writes of messages, as Java shows values; those that fail are told of."""
        parts, found = self.policy.retrying(lambda: self._shown(messages), self.stopping)
        for failure in self.reporter.read_failures(parts):
            self.reporter.report(failure)
        self.reporter.flush()
        ordered = sorted(found, key=lambda row: row["place"])
        return ["null" if row["text"] is None else row["text"] for row in ordered]

    def _shown(self, messages: Sequence[Any]) -> tuple[list[Records], list[Any]]:
        """Messages as records, and the texts of the good ones."""
        from pyspark.sql import functions as sf

        with self.reporter.translating():
            parts = [
                part
                for read in read_batch(self._frame(messages), self.key, self.value)
                for part in self.chain.apply(self.headers.read(read))
            ]
            found = [
                row
                for part in parts
                for row in part.good()
                .frame.select("place", plain_text(part.value, sf.col("value")).alias("text"))
                .collect()
            ]
        return parts, found

    def _frame(self, messages: Sequence[Any]) -> DataFrame:
        from pyspark.sql import functions as sf

        frame: DataFrame = self.session.createDataFrame(list(_rows(messages)), _READ)
        raw = {f"raw_{name}": sf.col(name) for name in ("key", "value", "headers")}
        origin = {f"origin_{name}": sf.col(name) for name in ("topic", "partition")}
        return frame.withColumns({**raw, **origin})


def _rows(messages: Sequence[Any]) -> Iterator[tuple[Any, ...]]:
    for place, message in enumerate(messages):
        kind, millis = message.timestamp()
        moment = datetime.fromtimestamp(millis / 1000, UTC)
        yield (
            *(message.topic(), message.partition(), message.offset(), moment),
            *(message.key(), message.value(), message.headers() or [], place),
            "LogAppendTime" if kind == _APPENDED else "CreateTime",
        )


def _outgoing(row: Any) -> Outgoing:
    headers = [(header["key"], _bytes(header["value"])) for header in row["headers"] or []]
    key, value = _bytes(row["key"]), _bytes(row["value"])
    return Outgoing(row["topic"], value, key, row["partition"], headers, row["millis"])


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)
