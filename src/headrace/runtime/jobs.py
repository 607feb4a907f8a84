"""Running jobs: one streaming query each, with state, progress and a clean stop."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from headrace.errors import HeadraceError
from headrace.runtime.checkpoints import JobFolder
from headrace.runtime.faults import translate

# How often a waiting Python thread looks up: short enough for Ctrl-C to feel immediate.
POLL_MILLIS = 100


class JobState(StrEnum):
    """CANCELED is a clean stop, after which the job can resume; FINISHED is the end of bounded input."""

    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    FAILED = "FAILED"
    CANCELED = "CANCELED"


@dataclass(frozen=True, slots=True)
class Progress:
    """`behind`: records the sources hold beyond what was read, None when they cannot tell. `skipped`: records that
    could not be read and that the job went on without since it started, by topic and partition."""

    batch: int
    rows: int
    rows_per_second: float
    behind: int | None
    batch_millis: int
    skipped: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @property
    def skipped_records(self) -> int:
        return sum(sum(partitions.values()) for partitions in self.skipped.values())

    def skipped_by_topic(self) -> dict[str, int]:
        return {topic: sum(partitions.values()) for topic, partitions in self.skipped.items()}

    def to_dict(self) -> dict[str, Any]:
        return {
            "batch": self.batch,
            "rows": self.rows,
            "rows_per_second": round(self.rows_per_second, 1),
            "behind": self.behind,
            "batch_ms": self.batch_millis,
            "skipped": self.skipped_records,
        }


class Job:
    """`query` is Spark's StreamingQuery in the JVM; None for a job that ran once, over VALUES."""

    def __init__(
        self,
        name: str,
        *,
        bounded: bool,
        query: Any = None,
        folder: JobFolder | None = None,
        resumed: bool = False,
        on_poll: Callable[[], None] | None = None,
    ) -> None:
        self.name = name
        self.bounded = bounded
        self.query = query
        self.resumed = resumed
        self.started = time.time()
        self._folder = folder
        self._on_poll = on_poll or (lambda: None)
        self._stopped = False
        self._rows = RowsRead()
        self._seen_batches: set[tuple[str, int]] = set()
        self._end_lock = threading.Lock()
        self._end: JobState | None = JobState.FINISHED if query is None else None
        self._at_end: list[Callable[[], None]] = []
        self.error: HeadraceError | None = None

    @property
    def id(self) -> str:
        return self._folder.name if self._folder else self.name

    @property
    def state(self) -> JobState:
        if self._end is None and not self.query.isActive():
            self._finish()
        return self._end or JobState.RUNNING

    def wait(self, timeout: float | None = None) -> JobState:
        """Until the job ends or the time is over; raises the job's error if it failed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while self.state is JobState.RUNNING:
            if deadline is not None and time.monotonic() >= deadline:
                return JobState.RUNNING
            self._await_some()
            self._on_poll()
        self._on_poll()
        if self.error is not None:
            raise self.error
        return self.state

    def poll(self) -> JobState:
        """The state at this moment, without waiting; raises the job's error if it failed."""
        state = self.state
        self._on_poll()
        if self.error is not None:
            raise self.error
        return state

    def _await_some(self) -> None:
        # A failure is raised here too, but `_finish` reads it from the query with all its causes.
        with contextlib.suppress(Exception):
            self.query.awaitTermination(POLL_MILLIS)

    def stop(self) -> None:
        """Ends the query after the batch under way; its checkpoint stays, so the job can resume."""
        if self.state is JobState.RUNNING:
            self._stopped = True
            self.query.stop()
            self._finish()
        self._on_poll()

    def _finish(self) -> None:
        with self._end_lock:
            if self._end is not None:
                return
            failure = self.query.exception()
            if failure.isDefined():
                self.error = translate(_full_text(failure.get()))
                self._end = JobState.FAILED
            else:
                self._end = JobState.CANCELED if self._stopped else JobState.FINISHED
            if self._folder is not None:
                self._folder.record(self._end)
                self._folder.close()
            for act in self._at_end:
                act()

    def on_end(self, act: Callable[[], None]) -> None:
        """`act` is called once, when the job has ended for whatever reason."""
        self._at_end.append(act)

    def progress(self) -> Progress | None:
        """The last batch's, with the rows of all batches so far; None before the first batch."""
        if self.query is None:
            return None
        latest = None
        for item in self.query.recentProgress():
            latest = json.loads(item.json())
            mark = (latest["runId"], latest["batchId"])
            if mark not in self._seen_batches:
                self._seen_batches.add(mark)
                self._rows.add(latest["sources"])
        return None if latest is None else _progress(latest, self._rows)


class RowsRead:
    """What the sources have read. Kafka's readers count records themselves, from the query's start: of a key's history they
    give Spark only the newest row."""

    def __init__(self) -> None:
        self.total = 0
        self.last_batch = 0
        self._by_source: dict[int, int] = {}

    def add(self, sources: Sequence[Mapping[str, Any]]) -> None:
        for number, source in enumerate(sources):
            counted = (source.get("metrics") or {}).get("records")
            before = self._by_source.get(number, 0)
            now = before + int(source["numInputRows"]) if counted is None else int(counted)
            self._by_source[number] = now
        before, self.total = self.total, sum(self._by_source.values())
        self.last_batch = self.total - before


def _progress(latest: dict[str, Any], rows: RowsRead) -> Progress:
    behind = [_behind(source) for source in latest["sources"]]
    known = [item for item in behind if item is not None]
    millis = int(latest.get("batchDuration") or 0)
    return Progress(
        batch=int(latest["batchId"]),
        rows=rows.total,
        rows_per_second=rows.last_batch * 1000 / millis if millis else 0.0,
        behind=sum(known) if known else None,
        batch_millis=millis,
        skipped=_skipped(latest["sources"]),
    )


def _skipped(sources: Iterable[Mapping[str, Any]]) -> dict[str, dict[int, int]]:
    """From the metrics `skipped/topic/partition` of the sources."""
    found: dict[str, dict[int, int]] = {}
    for name, count in (item for s in sources for item in (s.get("metrics") or {}).items()):
        kind, _, place = name.partition("/")
        if kind == "skipped":
            topic, _, partition = place.rpartition("/")
            counts = found.setdefault(topic, {})
            counts[int(partition)] = counts.get(int(partition), 0) + int(count)
    return found


def _behind(source: dict[str, Any]) -> int | None:
    lag = (source.get("metrics") or {}).get("maxOffsetsBehindLatest")
    return None if lag is None else int(float(lag))


def _full_text(exception: Any) -> str:
    """The exception with all its causes, as Java prints them."""
    lines: list[str] = []
    while exception is not None:
        lines.append(("Caused by: " if lines else "") + str(exception.toString()))
        exception = exception.getCause()
    return "\n".join(lines)
