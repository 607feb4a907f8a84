"""What a statement gives back: rows with their kinds, or a job to wait for. Names follow PyFlink's."""

from __future__ import annotations

import math
import queue
from collections.abc import Callable, Generator, Hashable, Iterator, Sequence
from typing import Any

from headrace.changelog import Change, RowKind, to_row_kinds
from headrace.plan.nodes import Schema
from headrace.runtime.jobs import Job, JobState


class Row(tuple[Any, ...]):
    """A tuple of column values that knows its kind of change and its column names."""

    kind: RowKind
    names: tuple[str, ...]

    def __new__(cls, values: Sequence[Any], kind: RowKind, names: tuple[str, ...]) -> Row:
        row = super().__new__(cls, values)
        row.kind = kind
        row.names = names
        return row

    def get_row_kind(self) -> RowKind:
        return self.kind

    def as_dict(self) -> dict[str, Any]:
        return dict(zip(self.names, self, strict=True))

    def __repr__(self) -> str:
        return f"{self.kind}{super().__repr__()}"


class ChangeStream:
    """Changes of a SELECT as they come from the JVM, batch by batch; rows may hold values that do not hash."""

    def __init__(self, names: tuple[str, ...], key: tuple[int, ...] | None) -> None:
        self.names = names
        self.key = key
        self._values: dict[tuple[Hashable, ...], tuple[Any, ...]] = {}
        self._weights: dict[tuple[Hashable, ...], int] = {}
        self._live: queue.SimpleQueue[Row] = queue.SimpleQueue()

    def add_batch(self, rows: Sequence[tuple[Any, ...]], *, live: bool) -> None:
        """Each row ends with its weight."""
        batch = [Change(self._frozen(row[:-1]), row[-1]) for row in rows]
        if live:
            for kind, frozen in to_row_kinds(batch, self.key):
                self._live.put(Row(self._values[frozen], kind, self.names))
            self._values.clear()
        else:
            for row, weight in batch:
                self._weights[row] = self._weights.get(row, 0) + weight
            self._forget_gone(batch)

    def _forget_gone(self, batch: Sequence[Change]) -> None:
        """Rows that came and went need no memory."""
        for row in {change.row for change in batch if not self._weights[change.row]}:
            del self._weights[row], self._values[row]

    def _frozen(self, values: tuple[Any, ...]) -> tuple[Hashable, ...]:
        frozen = tuple(freeze(value) for value in values)
        self._values[frozen] = values
        return frozen

    def live_rows(self) -> Iterator[Row]:
        """What has arrived and was not taken yet."""
        while not self._live.empty():
            yield self._live.get()

    def final_rows(self) -> Iterator[Row]:
        """The table that all changes together make. What went without having come is told too: a change without a
        key shows the metadata of its own record, so that its old row is none that ever came."""
        for row, weight in self._weights.items():
            kind = RowKind.INSERT if weight > 0 else RowKind.DELETE
            for _ in range(abs(weight)):
                yield Row(self._values[row], kind, self.names)


def freeze(value: Any) -> Hashable:
    """A hashable stand-in, equal for equal values."""
    if isinstance(value, dict):
        return ("map", frozenset((freeze(k), freeze(v)) for k, v in value.items()))
    if isinstance(value, list | tuple):
        return ("list", *(freeze(item) for item in value))
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return bytes(value) if isinstance(value, bytearray) else value


class RowIterator(Iterator[Row]):
    """Rows one by one; as a context manager it ends an unbounded query when the block is left."""

    def __init__(self, rows: Generator[Row, None, None]) -> None:
        self._rows = rows

    def __next__(self) -> Row:
        return next(self._rows)

    def close(self) -> None:
        self._rows.close()

    def __enter__(self) -> RowIterator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class TableResult:
    """Of DDL and SHOW: rows at once. Of INSERT: jobs. Of SELECT: a job whose rows stream in."""

    def __init__(
        self,
        *,
        columns: tuple[str, ...] = (),
        rows: Sequence[tuple[Any, ...]] = (),
        schema: Schema = (),
        jobs: Sequence[Job] = (),
        changes: ChangeStream | None = None,
        message: str | None = None,
    ) -> None:
        self.columns = columns or tuple(field.name for field in schema)
        self.schema = schema
        self.jobs = list(jobs)
        self.message = message
        self._rows = [Row(row, RowKind.INSERT, self.columns) for row in rows]
        self._changes = changes

    @property
    def is_query(self) -> bool:
        return self._changes is not None

    @property
    def is_bounded(self) -> bool:
        return all(job.bounded for job in self.jobs)

    def get_job_client(self) -> Job | None:
        return self.jobs[0] if self.jobs else None

    def wait(self, timeout_ms: int | None = None) -> None:
        """Until the jobs end; raises TimeoutError when they have not by then."""
        for job in self.jobs:
            if job.wait(None if timeout_ms is None else timeout_ms / 1000) is JobState.RUNNING:
                raise TimeoutError(f"job '{job.name}' still runs after {timeout_ms} ms")

    def collect(self) -> RowIterator:
        """Rows of the result: of a bounded query the final ones, of an unbounded one every change as it comes."""
        return RowIterator(self._collected())

    def _collected(self) -> Generator[Row, None, None]:
        if self._changes is None:
            yield from self._rows
        elif self.is_bounded:
            self.wait()
            yield from self._changes.final_rows()
        else:
            yield from self._follow(self._changes)

    def available(self) -> list[Row]:
        """Changes of an unbounded query that have arrived and were not taken yet; never waits."""
        return [] if self._changes is None else list(self._changes.live_rows())

    def _follow(self, changes: ChangeStream) -> Iterator[Row]:
        (job,) = self.jobs
        try:
            while job.wait(0.1) is JobState.RUNNING:
                yield from changes.live_rows()
            yield from changes.live_rows()
        finally:
            job.stop()

    def print(self, write: Callable[[str], None] | None = None) -> None:
        """The result as Flink prints it: a table with an `op` column for queries."""
        from headrace.runtime.tableau import print_result

        print_result(self, write)
