"""What becomes of records that cannot be moved: `errors.tolerance`, retries, the log, dead letters.

    reporter = Reporter.of(config, "orders-to-s3", task=0, letters=None)
    batch = reporter.judged(batch)        # tolerance none: a bad record fails the job; all: told of and left out
    with reporter.translating(): write(batch)

A sink that reads bytes of its own gives `Failure`s to `report` instead, with what it read of each record.
"""

from __future__ import annotations

import json
import logging
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from headrace.connect.data.faults import registry_fault
from headrace.connect.data.records import Records
from headrace.errors import DataError, TransientFault

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

logger = logging.getLogger("headrace.connect")

Result = TypeVar("Result")

# Connect's first pause between two tries, which doubles.
_FIRST_PAUSE_MS = 300

# What Connect names for records that a sink's task handed back.
_SINK_TASK = "org.apache.kafka.connect.sink.SinkTask"

_CONNECT = "org.apache.kafka.connect.errors.ConnectException"

_CURE = "errors.tolerance = all passes over such records, errors.deadletterqueue.topic.name keeps a sink's"

# An option that decides about records without a value, and is named where these fail.
_NULLS = "behavior.on.null.values"
_NULLS_CURE = f"{_NULLS} = ignore passes over records without a value"

# Stands between a message and the exception that it wraps.
_CAUSED = "\nCaused by: "

# Stands before a failure that is raised within a Spark job, so that it is found in Spark's message.
_RAISED = "headrace-connect-failure:"


@dataclass(frozen=True, slots=True)
class ErrorPolicy:
    """The `errors.*` options of a connector."""

    tolerates: bool = False
    retry_timeout_ms: int = 0
    retry_pause_ms: int = 60000
    logs: bool = False
    logs_records: bool = False
    dead_letters: str | None = None
    replication: int = 3
    context_headers: bool = False

    @classmethod
    def of(cls, config: Mapping[str, str]) -> ErrorPolicy:
        def given(option: str, default: str) -> str:
            return config.get(f"errors.{option}", default).strip()

        return cls(
            given("tolerance", "none") == "all",
            int(given("retry.timeout", "0")),
            int(given("retry.delay.max.ms", "60000")),
            given("log.enable", "false").lower() == "true",
            given("log.include.messages", "false").lower() == "true",
            given("deadletterqueue.topic.name", "") or None,
            int(given("deadletterqueue.topic.replication.factor", "3")),
            given("deadletterqueue.context.headers.enable", "false").lower() == "true",
        )

    def retrying(self, operation: Callable[[], Result], stopping: threading.Event) -> Result:
        """The operation's result, tried again while it fails for a time, as long as `errors.retry.timeout` says."""
        begun, attempt = time.monotonic(), 0
        while True:
            try:
                return operation()
            except Exception as fault:
                attempt += 1
                pause = self.pause(attempt, (time.monotonic() - begun) * 1000)
                if not isinstance(fault, TransientFault) or pause is None:
                    raise
                if stopping.wait(pause / 1000):
                    raise

    def pause(self, attempt: int, passed_ms: float) -> float | None:
        """Milliseconds before the next try; None where the time is up."""
        left = self.retry_timeout_ms - passed_ms
        if self.retry_timeout_ms >= 0 and left <= 0:
            return None
        pause: float = _FIRST_PAUSE_MS * 2 ** min(attempt - 1, 32)
        if pause > self.retry_pause_ms:
            pause = random.uniform(0, self.retry_pause_ms)  # noqa: S311
        return pause if self.retry_timeout_ms < 0 else min(pause, left)


@dataclass(frozen=True, slots=True)
class Failure:
    """A record that could not be moved, and why: `reason` has, beneath the message, what caused it. A source's record has
    no partition and offset; `key`, `value` and `headers` are the bytes that a sink read."""

    topic: str
    stage: str
    executing_class: str
    kind: str
    reason: str
    partition: int | None = None
    offset: int | None = None
    timestamp_ms: int | None = None
    key: bytes | None = None
    value: bytes | None = None
    headers: tuple[tuple[str, bytes | None], ...] = ()
    timestamp_type: str = "CreateTime"

    @property
    def message(self) -> str:
        """As the exception itself has it."""
        return self.reason.partition(_CAUSED)[0]

    @property
    def summary(self) -> str:
        """The exception and what caused it, in a line."""
        first, *causes = f"{self.kind}: {self.reason}".split(_CAUSED)
        return ", caused by ".join([first.rstrip(": ") if causes else first, *causes])

    @property
    def place(self) -> str:
        if self.offset is None:
            return f"a record for topic {self.topic}"
        return f"topic {self.topic}, partition {self.partition}, offset {self.offset}"

    def in_log(self, connector: str, task: int, *, with_record: bool) -> str:
        """As Connect's log reporter words it, with the stack beneath."""
        record = ""
        if with_record and self.offset is not None:
            record = (
                f", where consumed record is {{topic='{self.topic}', partition={self.partition}, "
                f"offset={self.offset}, timestamp={self.timestamp_ms}, timestampType={self.timestamp_type}}}"
            )
        elif with_record:
            record = f", where source record is = {{topic='{self.topic}', timestamp={self.timestamp_ms}}}"
        return (
            f"Error encountered in task {connector}-{task}. Executing stage '{self.stage}' with class "
            f"'{self.executing_class}'{record}.\n{self.trace()}"
        )

    def trace(self) -> str:
        """In the form of a stack of Java: the exception, where it was thrown, and what caused it."""
        _, caused, causes = self.reason.partition(_CAUSED)
        place = f"\tat {self.executing_class} ({self.stage}, {self.place})"
        return f"{self.kind}: {self.message}\n{place}{caused}{causes}"


class ToleranceExceeded(DataError):
    """A record that the configuration does not let pass."""

    condition = "TOLERANCE_EXCEEDED"

    def __init__(self, failure: Failure) -> None:
        super().__init__(
            "Tolerance exceeded in error handler",
            where=f"{failure.place}, stage {failure.stage} ({failure.executing_class})",
            found=failure.summary,
            cure=_NULLS_CURE if _NULLS in failure.message else _CURE,
        )
        self.failure = failure

    def told(self) -> str:
        """As Connect says it, with what it leaves out."""
        return f"{_CONNECT}: {self.summary}\n  at: {self.where}\n  cure: {self.cure}"

    def caused_by(self) -> str:
        return self.failure.trace()


class Letters(Protocol):
    """Where dead letters go."""

    def send(self, failure: Failure) -> None: ...

    def flush(self) -> None:
        """Return when all that was sent is kept; raises where it is not."""


@dataclass(slots=True)
class Reporter:
    """Applies a policy to the failures of one task; `skipped` counts what went on without."""

    policy: ErrorPolicy
    connector: str
    task: int
    config: Mapping[str, str] = field(repr=False)
    letters: Letters | None = None
    skipped: int = 0

    @classmethod
    def of(
        cls, config: Mapping[str, str], connector: str, task: int, letters: Letters | None = None
    ) -> Reporter:
        return cls(ErrorPolicy.of(config), connector, task, config, letters)

    def report(self, failure: Failure) -> None:
        """Log it and send it to the dead letters; raises ToleranceExceeded where nothing is tolerated."""
        if self.policy.logs:
            text = failure.in_log(self.connector, self.task, with_record=self.policy.logs_records)
            logger.error("%s", text)
        if self.letters is not None:
            self.letters.send(failure)
        if not self.policy.tolerates:
            self.flush()
            raise ToleranceExceeded(failure)
        self.skipped += 1

    def flush(self) -> None:
        """Return when the dead letters so far are kept."""
        if self.letters is not None:
            self.letters.flush()

    def judged(self, records: Records) -> Records:
        """The records to write. Under tolerance none a bad one fails whatever job computes the batch, under `all` the
        bad ones are looked for now."""
        if not self.policy.tolerates:
            return strict(records)
        for failure in self.failures(records):
            self.report(failure)
        self.flush()
        return records.good()

    def failures(self, records: Records) -> Iterator[Failure]:
        """The bad records of a batch, without their bytes."""
        from pyspark.sql import functions as sf

        found = records.bad().frame.select(sf.to_json(_facts(records)).alias("failure"))
        for row in found.toLocalIterator():
            yield self.failure(json.loads(row["failure"]))

    def read_failures(self, batches: Sequence[Records]) -> Iterator[Failure]:
        """The bad records of batches with the bytes that were read, which their reader has kept as `raw_…`, in the order of
        their offsets."""
        if batches:
            bad = reduce(lambda a, b: a.unionByName(b), map(_read, batches)).coalesce(1)
            ordered = bad.sortWithinPartitions("origin_topic", "origin_partition", "offset")
            yield from map(self._read_failure, ordered.toLocalIterator())

    def _read_failure(self, row: Any) -> Failure:
        stage, _, alias = (row["stage"] or "TASK_PUT").partition("/")
        return Failure(
            row["origin_topic"],
            stage,
            self.executing(stage, alias),
            row["error"]["class"],
            row["error"]["message"],
            row["origin_partition"],
            row["offset"],
            row["millis"],
            _bytes(row["raw_key"]),
            _bytes(row["raw_value"]),
            tuple((header["key"], _bytes(header["value"])) for header in row["raw_headers"] or []),
            row["raw_timestamp_type"],
        )

    def failure(self, facts: Mapping[str, Any]) -> Failure:
        stage, _, alias = str(facts.get("stage") or "").partition("/")
        return Failure(
            facts.get("topic", ""),
            stage,
            self.executing(stage, alias),
            facts["class"],
            facts.get("message", ""),
            facts.get("partition"),
            facts.get("offset"),
            facts.get("timestamp"),
        )

    def executing(self, stage: str, alias: str = "") -> str:
        """The class that was at work in a stage."""
        if stage == "TASK_PUT":
            return _SINK_TASK
        options = {
            "KEY_CONVERTER": "key.converter",
            "VALUE_CONVERTER": "value.converter",
            "HEADER_CONVERTER": "header.converter",
            "TRANSFORMATION": f"transforms.{alias}.type",
        }
        option = options.get(stage, "connector.class")
        return self.config.get(option) or self.config.get("connector.class", "")

    @contextmanager
    def translating(self) -> Iterator[None]:
        """What `strict` records raise within a job becomes ToleranceExceeded, logged where the policy says so; what a
        registry did not do is told as that."""
        try:
            yield
        except Exception as fault:
            found = re.search(re.escape(_RAISED) + r"(\{.*?\})\1", str(fault), re.DOTALL)
            if found is None:
                raise registry_fault(str(fault)) or fault from None
            failure = self.failure(json.loads(found[1]))
            self.report(failure)
            raise ToleranceExceeded(failure) from None


def _bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)


def _read(records: Records) -> DataFrame:
    """Of the bad ones, what a failure tells."""
    from pyspark.sql import functions as sf

    return records.bad().frame.select(
        *("origin_topic", "origin_partition", "offset", "stage", "error"),
        *("raw_key", "raw_value", "raw_headers", "raw_timestamp_type"),
        sf.unix_millis("timestamp").alias("millis"),
    )


def strict(records: Records) -> Records:
    """Records of which a bad one fails the job that computes them."""
    from pyspark.sql import functions as sf

    # Written twice, which is how the end of it is found again within a longer message.
    text = sf.to_json(_facts(records))
    failing = sf.raise_error(sf.concat(sf.lit(_RAISED), text, text))
    bad = sf.col("error").isNotNull()
    return records.changed({"topic": sf.when(bad, failing).otherwise(sf.col("topic"))})


def _facts(records: Records) -> Column:
    from pyspark.sql import functions as sf

    columns = {
        "topic": _first(records, "origin_topic", "topic"),
        "partition": _first(records, "origin_partition", "partition"),
        "timestamp": sf.unix_millis("timestamp"),
        "stage": sf.col("stage"),
        "class": sf.col("error")["class"],
        "message": sf.col("error")["message"],
    }
    if records.is_sink:
        columns["offset"] = sf.col("offset")
    return sf.struct(*(column.alias(name) for name, column in columns.items()))


def _first(records: Records, *names: str) -> Column:
    """Where a transform changes a record's place, the reader has kept the one it was read from."""
    from pyspark.sql import functions as sf

    return sf.col(next(name for name in names if name in records.frame.columns))
