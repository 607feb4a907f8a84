"""Rows that a sink holds before a job first writes to it: left by an earlier job, or by another program.

A job keeps its sink equal to its answer, so with its first batch it deletes what the answer lacks. It does so only where
it knows the whole answer (every source is read from its beginning) and where nobody else writes the sink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.catalog.connector import ReconciledSink, ReplayedSource
from headrace.plan.nodes import Sink
from headrace.plan.plan import Plan
from headrace.runtime.checkpoints import JobFolder

Identity = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Branch:
    """One INSERT of a job. `writer` is an object of the JVM, `identity` tells what the sink is by nature."""

    plan: Plan
    frame: Any
    writer: Any
    identity: Identity

    @property
    def rows(self) -> Any:
        """The query's rows as the writer takes them, a Dataset of the JVM."""
        return self.writer.prepare(self.frame._jdf)

    @property
    def sink(self) -> Sink:
        sink = self.plan.sink
        assert isinstance(sink, Sink)
        return sink


class Takeover:
    """`writes`: identities of sinks that other jobs of this session write; `run_empty` writes a batch without rows."""

    def __init__(
        self, session: Any, writes: Iterable[Identity], run_empty: Callable[[Branch], None]
    ) -> None:
        self._session = session
        self._writes = list(writes)
        self._run_empty = run_empty

    def prepare(self, branches: Sequence[Branch], folder: JobFolder) -> None:
        """Before the job starts. Where the old rows end is kept in its folder: a first batch that was killed is run
        again, and must not take rows for old ones that came later."""
        if folder.has_written():
            return
        ends = folder.facts().get("existing")
        if ends is None:
            ends = self._all_existing(branches, folder)
            folder.record("RUNNING", existing=ends)
        left = {name: self._reconcile(b, ends[name]) for name, b in _named(branches, ends)}
        folder.record("RUNNING", existing=left)

    def _all_existing(
        self, branches: Sequence[Branch], folder: JobFolder
    ) -> dict[str, Mapping[str, int]]:
        written = [*(b.identity for b in branches), *self._writes, *running_sinks(folder)]
        return {
            str(b.sink.table.identifier): self._existing(b)
            for b in branches
            if written.count(b.identity) == 1
        }

    def _existing(self, branch: Branch) -> Mapping[str, int]:
        table = branch.sink.table
        if not isinstance(table.connector, ReconciledSink) or not _knows_whole_answer(branch.plan):
            return {}
        return table.connector.existing(self._session, table)

    def _reconcile(self, branch: Branch, ends: Mapping[str, int]) -> Mapping[str, int]:
        """What is left to be done in the first batch. Without input there would be none."""
        table = branch.sink.table
        assert isinstance(table.connector, ReconciledSink)
        table.connector.reconcile(self._session, table, branch.writer, ends)
        if not all(_is_empty(self._session, scan.table) for scan in branch.plan.scans):
            return ends
        self._run_empty(branch)
        return {}


def _named(
    branches: Iterable[Branch], ends: Mapping[str, Mapping[str, int]]
) -> Iterator[tuple[str, Branch]]:
    """The branches whose sinks hold something."""
    for branch in branches:
        name = str(branch.sink.table.identifier)
        if ends.get(name):
            yield name, branch


def _knows_whole_answer(plan: Plan) -> bool:
    return all(
        isinstance(scan.table.connector, ReplayedSource)
        and scan.table.connector.is_replayed(scan.table)
        for scan in plan.scans
    )


def _is_empty(session: Any, table: Any) -> bool:
    return bool(table.connector.is_empty(session, table))


def running_sinks(folder: JobFolder) -> list[Identity]:
    """The sinks of all other jobs that run now, in whichever process."""
    return [
        sink
        for other in _other_folders(folder.path)
        if other.is_held()
        for sink in other.facts().get("sinks", [])
    ]


def _other_folders(path: Path) -> Iterator[JobFolder]:
    for other in path.parent.iterdir():
        if other != path and (other / "job.json").exists():
            yield JobFolder(other)


def notices(branches: Iterable[Branch]) -> Iterator[str]:
    """What the writers have to tell since the last call."""
    for branch in branches:
        table = branch.sink.table
        if isinstance(table.connector, ReconciledSink):
            yield from table.connector.notices(table, branch.writer)
