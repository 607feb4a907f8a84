from __future__ import annotations

from collections.abc import Callable

import pytest

from headrace.changelog import RowKind
from headrace.errors import DataError
from headrace.plan.nodes import Field
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.results import ChangeStream, TableResult
from headrace.runtime.script import Outcome, run_script
from headrace.sql.dialect import parse_script
from headrace.types import DataType, Kind

TABLES = """
CREATE TABLE gen (id BIGINT) WITH ('connector' = 'datagen');
CREATE TABLE sink (id BIGINT) WITH ('connector' = 'blackhole');
CREATE TABLE other (id BIGINT) WITH ('connector' = 'blackhole');
"""


class FakeJob(Job):
    """A job whose life is a list of states, one for each look."""

    def __init__(
        self,
        name: str,
        *states: JobState,
        bounded: bool,
        fails: bool = False,
        on_look: Callable[[int], None] = lambda _: None,
    ) -> None:
        super().__init__(name, bounded=bounded)
        self._states = list(states)
        self._fails = fails
        self._on_look = on_look
        self.looks = 0
        self.stopped = False

    @property
    def state(self) -> JobState:
        if self.stopped:
            return JobState.CANCELED
        return self._states[min(self.looks, len(self._states) - 1)]

    def poll(self) -> JobState:
        state = self.state
        self._on_look(self.looks)
        self.looks += 1
        if self._fails and state is JobState.FAILED:
            raise DataError(f"{self.name} failed")
        return state

    def stop(self) -> None:
        self.stopped = True


def bounded(name: str, looks: int = 2) -> FakeJob:
    return FakeJob(name, *[JobState.RUNNING] * looks, JobState.FINISHED, bounded=True)


def unbounded(name: str, on_look: Callable[[int], None] = lambda _: None) -> FakeJob:
    return FakeJob(name, JobState.RUNNING, bounded=False, on_look=on_look)


def failing(name: str, looks: int, *, is_bounded: bool) -> FakeJob:
    states = [*[JobState.RUNNING] * looks, JobState.FAILED]
    return FakeJob(name, *states, bounded=is_bounded, fails=True)


class Recorder:
    def __init__(self) -> None:
        self.events: list[str] = []
        self.starting: list[str] = []

    def statement_done(self, statement, result):
        self.events.append(type(statement).__name__)

    def job_starting(self, statement):
        self.starting.append(type(statement).__name__)

    def job_started(self, job, result):
        self.events.append(f"started {job.name}")

    def progress(self, jobs):
        pass

    def job_ended(self, job, result):
        self.events.append(f"ended {job.name} {job.state}")

    def final_rows(self, result):
        self.events.append(f"rows {[tuple(row) for row in result.collect()]}")

    def changes(self, result, rows):
        self.events.append(f"changes {list(rows)}")


class Environment(TableEnvironment):
    """Definitions are real; each job that would need Spark is taken from a list."""

    def __init__(self, *results: TableResult) -> None:
        super().__init__()
        self._results = list(results)

    def execute(self, statement):
        return self.define(statement) or self._results.pop(0)


class Requests(Interrupts):
    """A stop that a test asks for, instead of a signal."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = False

    def requested(self) -> bool:
        return self.asked


def run(script: str, *results: TableResult, interrupts: Interrupts | None = None):
    recorder = Recorder()
    environment = Environment(*results)
    outcome = run_script(environment, parse_script(TABLES + script), recorder, interrupts)
    return outcome, recorder.events[3:]


def inserts(*jobs: Job) -> TableResult:
    return TableResult(jobs=list(jobs))


def selects(job: Job, rows: list[tuple[object, ...]], *, live: bool) -> TableResult:
    changes = ChangeStream(("id",), None)
    changes.add_batch(rows, live=live)
    return TableResult(schema=(Field("id", DataType(Kind.BIGINT)),), jobs=[job], changes=changes)


INSERT = "INSERT INTO sink SELECT id FROM gen;"
SHOW = "SHOW TABLES;"


def test_only_statements_with_jobs_announce_a_start():
    recorder = Recorder()
    run_script(Environment(inserts(bounded("a"))), parse_script(TABLES + INSERT + SHOW), recorder)
    assert recorder.starting == ["Insert"]


def test_a_bounded_job_is_awaited_before_the_next_statement():
    outcome, events = run(INSERT + SHOW, inserts(bounded("a")))
    assert events == ["started a", "ended a FINISHED", "Show"]
    assert outcome is Outcome.FINISHED


def test_an_unbounded_job_runs_on_while_the_script_continues():
    stop = Requests()

    def ask(looks: int) -> None:
        stop.asked = looks > 3

    outcome, events = run(INSERT + SHOW, inserts(unbounded("a", ask)), interrupts=stop)
    assert events == ["started a", "Show", "ended a CANCELED"]
    assert outcome is Outcome.STOPPED


def test_dml_sync_awaits_unbounded_jobs_too():
    sync = "SET 'table.dml-sync' = 'true';"
    job = FakeJob("a", JobState.RUNNING, JobState.RUNNING, JobState.FINISHED, bounded=False)
    _, events = run(sync + INSERT + SHOW, inserts(job))
    assert events == ["Set", "started a", "ended a FINISHED", "Show"]


def test_a_statement_set_is_awaited_as_a_whole():
    script = f"EXECUTE STATEMENT SET BEGIN {INSERT} {INSERT} END;"
    _, events = run(script + SHOW, inserts(bounded("a", 1), bounded("b", 3)))
    assert events == [
        "started a",
        "started b",
        "ended a FINISHED",
        "ended b FINISHED",
        "Show",
    ]


def test_a_failed_background_job_stops_the_others_and_is_raised():
    steady = unbounded("steady")
    recorder = Recorder()
    environment = Environment(inserts(steady), inserts(failing("broken", 2, is_bounded=False)))
    with pytest.raises(DataError, match="broken failed"):
        run_script(environment, parse_script(TABLES + INSERT * 2), recorder)
    assert steady.stopped
    assert recorder.events[-2:] == ["ended broken FAILED", "ended steady CANCELED"]


def test_a_background_failure_shows_while_another_job_is_awaited():
    environment = Environment(
        inserts(failing("broken", 2, is_bounded=False)), inserts(bounded("long", 1000))
    )
    with pytest.raises(DataError, match="broken failed"):
        run_script(environment, parse_script(TABLES + INSERT * 2), Recorder())


def test_a_wrong_statement_stops_running_jobs():
    steady = unbounded("steady")
    environment = Environment(inserts(steady))
    with pytest.raises(Exception, match="nowhere"):
        run_script(environment, parse_script(TABLES + INSERT + "DESCRIBE nowhere;"), Recorder())
    assert steady.stopped


def test_final_rows_of_a_bounded_query_come_before_its_end():
    _, events = run("SELECT id FROM gen;", selects(bounded("q"), [(1, 1), (2, 2)], live=False))
    assert events == ["started q", "rows [(1,), (2,), (2,)]", "ended q FINISHED"]


def test_changes_of_an_unbounded_query_are_shown_while_the_script_continues():
    stop = Requests()

    def ask(looks: int) -> None:
        stop.asked = looks > 2

    result = selects(unbounded("q", ask), [(7, 1)], live=True)
    outcome, events = run("SELECT id FROM gen;" + SHOW, result, interrupts=stop)
    row = f"{RowKind.INSERT}(7,)"
    assert events == ["started q", "changes []", f"changes [{row}]", "Show", "ended q CANCELED"]
    assert outcome is Outcome.STOPPED


def test_a_stop_during_a_bounded_job_leaves_the_rest_undone():
    stop = Requests()
    stop.asked = True
    outcome, events = run(INSERT + SHOW, inserts(bounded("a", 50)), interrupts=stop)
    assert outcome is Outcome.INTERRUPTED
    assert events == ["started a", "ended a CANCELED"]


def test_a_stop_before_a_job_has_started_leaves_the_rest_undone(monkeypatch):
    monkeypatch.setattr("headrace.runtime.script.is_reading", lambda _: False)
    stop = Requests()
    stop.asked = True
    job = unbounded("a")
    outcome, events = run(INSERT + SHOW, inserts(job), interrupts=stop)
    assert (outcome, events) == (Outcome.INTERRUPTED, ["ended a CANCELED"])
    assert job.stopped


def test_the_next_statement_waits_until_an_unbounded_job_reads(monkeypatch):
    stop = Requests()

    def ask(looks: int) -> None:
        stop.asked = looks > 4

    job = unbounded("a", ask)
    monkeypatch.setattr("headrace.runtime.script.is_reading", lambda item: item.looks > 3)
    _, events = run(INSERT + SHOW, inserts(job), interrupts=stop)
    assert events == ["started a", "Show", "ended a CANCELED"]
    assert job.looks > 3


def test_dml_sync_does_not_hold_a_query():
    stop = Requests()

    def ask(looks: int) -> None:
        stop.asked = looks > 1

    result = selects(unbounded("q", ask), [], live=True)
    script = "SET 'table.dml-sync' = 'true'; SELECT id FROM gen;" + SHOW
    _, events = run(script, result, interrupts=stop)
    assert events == ["Set", "started q", "changes []", "Show", "ended q CANCELED"]


def test_progress_is_asked_for_while_jobs_run():
    seen: list[list[str]] = []

    class Watcher(Recorder):
        def progress(self, jobs):
            seen.append([job.name for job in jobs])

    environment = Environment(inserts(bounded("a", 1), bounded("b", 2)))
    run_script(environment, parse_script(TABLES + INSERT), Watcher())
    assert seen == [["a", "b"], ["b"]]


def test_jobs_of_a_statement_that_failed_half_way_are_stopped():
    half = unbounded("half")

    class HalfWay(Environment):
        def execute(self, statement):
            result = self.define(statement)
            if result is None:
                self.jobs.append(half)
                raise DataError("the second of two could not start")
            return result

    with pytest.raises(DataError):
        run_script(HalfWay(), parse_script(TABLES + INSERT), Recorder())
    assert half.stopped


def test_a_finished_background_job_ends_while_another_is_awaited():
    brief = FakeJob("brief", *[JobState.RUNNING] * 2, JobState.FINISHED, bounded=False)
    outcome, events = run(INSERT * 2, inserts(brief), inserts(bounded("long", 4)))
    assert outcome is Outcome.FINISHED
    assert events == [
        "started brief",
        "started long",
        "ended brief FINISHED",
        "ended long FINISHED",
    ]


def test_changes_that_came_with_the_stop_are_still_shown():
    stop = Requests()
    changes = ChangeStream(("id",), None)

    class Late(FakeJob):
        def stop(self) -> None:
            changes.add_batch([(9, 1)], live=True)
            super().stop()

    job = Late("q", JobState.RUNNING, bounded=False)
    result = TableResult(schema=(Field("id", DataType(Kind.BIGINT)),), jobs=[job], changes=changes)
    stop.asked = True
    _, events = run("SELECT id FROM gen;", result, interrupts=stop)
    assert events[-2:] == [f"changes [{RowKind.INSERT}(9,)]", "ended q CANCELED"]


def test_an_empty_script_is_finished():
    assert run_script(Environment(), [], Recorder()) is Outcome.FINISHED
