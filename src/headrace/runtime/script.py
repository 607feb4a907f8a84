"""Running statements one after the other, with all their jobs looked after together.

A definition (DDL, SET, SHOW, EXPLAIN …) is done at once. INSERT and statement sets start jobs: a bounded one is awaited
before the next statement, an unbounded one runs on while the script continues, unless 'table.dml-sync' is true, which
awaits every one. A bounded SELECT is awaited and its final rows shown; an unbounded one runs on, and its changes are
shown as they come. After the last statement the unbounded jobs run until a stop is asked for. The first error, of a
statement or of any job, stops all jobs and is raised.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Protocol

from headrace.errors import HeadraceError
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.readiness import is_reading
from headrace.runtime.results import Row, TableResult
from headrace.sql.statements import Insert, Select, Statement, StatementSet

# Ten looks a second: a stop feels immediate, and looking costs the JVM nothing to speak of.
POLL_SECONDS = 0.1


class Observer(Protocol):
    """Who shows what happens."""

    def statement_done(self, statement: Statement, result: TableResult) -> None:
        """A statement without a job was carried out."""

    def job_starting(self, statement: Statement) -> None:
        """A statement is about to start jobs, the first of them Spark as well, which takes seconds."""

    def job_started(self, job: Job, result: TableResult) -> None:
        """Its sources have fixed where they begin: a record written from now on is read."""

    def progress(self, jobs: Sequence[Job]) -> None:
        """Called several times a second while jobs run."""

    def job_ended(self, job: Job, result: TableResult) -> None: ...

    def final_rows(self, result: TableResult) -> None:
        """A bounded query is done, and `result.collect()` gives its rows; before `job_ended`."""

    def changes(self, result: TableResult, rows: Sequence[Row]) -> None:
        """Changes of an unbounded query since the last call; the first call may bring none."""


class Outcome(StrEnum):
    FINISHED = "finished"
    STOPPED = "stopped"  # only unbounded jobs were left, and a stop was asked for
    INTERRUPTED = "interrupted"  # a stop was asked for while there was still work to do


def run_script(
    environment: TableEnvironment,
    statements: Iterable[Statement],
    observer: Observer,
    interrupts: Interrupts | None = None,
) -> Outcome:
    return ScriptRunner(environment, observer, interrupts or Interrupts()).run(statements)


class ScriptRunner:
    def __init__(
        self, environment: TableEnvironment, observer: Observer, interrupts: Interrupts
    ) -> None:
        self.environment = environment
        self.observer = observer
        self.interrupts = interrupts
        self._started: set[int] = set()
        self._attended: list[tuple[TableResult, Job]] = []

    def run(self, statements: Iterable[Statement]) -> Outcome:
        try:
            for statement in statements:
                if not self.execute(statement):
                    return self._stopped(Outcome.INTERRUPTED)
            if self.supervise(lambda: not self._attended):
                return Outcome.FINISHED
            still_to_do = any(job.bounded for _, job in self._attended)
            return self._stopped(Outcome.INTERRUPTED if still_to_do else Outcome.STOPPED)
        except BaseException:
            self.stop_all()
            self.environment.stop()  # jobs of a statement that failed half way are nobody else's
            raise

    def execute(self, statement: Statement) -> bool:
        """Whether the statement was carried out; not if a stop was asked for meanwhile."""
        result = self.start(statement)
        if not result.jobs:
            self.observer.statement_done(statement, result)
            return True
        self.attend(result)
        awaited = self._is_awaited(result)
        return self.until_ended(result) if awaited else self.until_started(result)

    def start(self, statement: Statement) -> TableResult:
        if isinstance(statement, Select | Insert | StatementSet):
            self.observer.job_starting(statement)
        return self.environment.execute(statement)

    def _is_awaited(self, result: TableResult) -> bool:
        sync = bool(self.environment.config.get("table.dml-sync")) and not result.is_query
        return result.is_bounded or sync

    def attend(self, result: TableResult) -> None:
        """Takes the jobs of `result` among those that `supervise` looks after."""
        self._attended.extend((result, job) for job in result.jobs)

    def until_started(self, result: TableResult) -> bool:
        return self.supervise(lambda: all(id(job) in self._started for job in result.jobs))

    def until_ended(self, result: TableResult) -> bool:
        return self.supervise(lambda: all(item is not result for item, _ in self._attended))

    def supervise(self, done: Callable[[], bool]) -> bool:
        """Looks after all jobs until `done` (True) or until a stop is asked for (False); raises a job's error."""
        self.interrupts.watch(True)
        try:
            while True:
                self.look_after()
                if done():
                    return True
                if self.interrupts.requested():
                    return False
                self.observer.progress([job for _, job in self._attended])
                time.sleep(POLL_SECONDS)
        finally:
            self.interrupts.watch(False)

    def look_after(self) -> None:
        """One look at every job: what it printed, what it found, whether it began or ended."""
        for entry in list(self._attended):
            self._look_at(*entry)

    def _look_at(self, result: TableResult, job: Job) -> None:
        try:
            state = job.poll()
        except HeadraceError as error:
            self._ended(result, job)
            self.on_failure(job, error)
            return
        self._announce(result, job)
        self._hand_over_changes(result)
        if state is not JobState.RUNNING:
            if result.is_query and result.is_bounded:
                self.observer.final_rows(result)
            self._ended(result, job)

    def on_failure(self, job: Job, error: HeadraceError) -> None:
        """A script ends with its first failed job."""
        raise error

    def _announce(self, result: TableResult, job: Job) -> None:
        if id(job) not in self._started and is_reading(job):
            self._started.add(id(job))
            self.observer.job_started(job, result)
            if result.is_query and not result.is_bounded:
                self.observer.changes(result, [])

    def _hand_over_changes(self, result: TableResult) -> None:
        rows = result.available() if result.is_query and not result.is_bounded else []
        if rows:
            self.observer.changes(result, rows)

    def _ended(self, result: TableResult, job: Job) -> None:
        self._attended.remove((result, job))
        self.observer.job_ended(job, result)

    def stop(self, result: TableResult) -> None:
        """Ends the jobs of one result cleanly."""
        for entry in [item for item in self._attended if item[0] is result]:
            entry[1].stop()
            self._hand_over_changes(result)
            self._ended(*entry)

    def stop_all(self) -> None:
        for result, _ in list(self._attended):
            self.stop(result)

    def _stopped(self, outcome: Outcome) -> Outcome:
        self.stop_all()
        return outcome
