"""What a running script looks like: text for people, one JSON object per line for programs.

The JSON events, each with its own keys:
    statement    statement, where, message or columns and rows    a statement without a job was carried out
    job_started  job, name, bounded, resumed                      records written from now on are read
    progress     job, batch, rows, rows_per_second, behind, batch_ms, skipped
    row          job, op, values                                  a row of a SELECT: final ones, or changes as they come
    job_ended    job, state, rows, seconds, skipped               skipped: unreadable records by topic and partition
    line         text, stream                                     what a print table prints
    notice       message
    error        condition, message, where, found, expected, cure
    end          outcome                                          finished, stopped or interrupted
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from headrace.cli.progress import ProgressLines, SetupBars, skipped_text
from headrace.errors import HeadraceError
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.results import Row, TableResult
from headrace.runtime.script import Observer, Outcome
from headrace.runtime.tableau import LiveTable, format_value, print_result
from headrace.sql.statements import Show, Statement
from headrace.toolchain.progress import ProgressEvent

# A program that follows a job gains nothing from more than one look a second.
PROGRESS_EVENT_SECONDS = 1.0


class CliObserver(Observer):
    """An observer that also takes what a command has to say outside of statements."""

    def setup(self, event: ProgressEvent) -> None:
        """How far the preparations of a first start are."""

    def notice(self, message: str) -> None: ...

    def print_line(self, line: str, to_error: bool) -> None:
        """A line of a print table."""

    def settle(self) -> None:
        """Takes away what is only of the moment, such as progress lines."""

    def error(self, error: HeadraceError) -> None: ...

    def end(self, outcome: Outcome) -> None: ...


def write_out(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def write_error(line: str) -> None:
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


class TextObserver(CliObserver):
    """Results on standard output, everything about jobs on standard error, so that results can be piped."""

    def __init__(self, *, quiet_definitions: bool) -> None:
        self._quiet_definitions = quiet_definitions
        self._lines = ProgressLines()
        self._bars = SetupBars()
        self._live: dict[int, LiveTable] = {}

    def statement_done(self, statement: Statement, result: TableResult) -> None:
        if not (self._quiet_definitions and is_plain_ok(result)):
            print_result(result, write_out)

    def job_starting(self, statement: Statement) -> None:
        self._lines.say("starting …")

    def job_started(self, job: Job, result: TableResult) -> None:
        if is_worth_telling(job, result):
            self._say(f"{job.name}: {'resumed' if job.resumed else 'started'}")

    def progress(self, jobs: Sequence[Job]) -> None:
        self._lines.update(jobs)

    def job_ended(self, job: Job, result: TableResult) -> None:
        if is_worth_telling(job, result):
            self._say(f"{job.name}: {ending(job)}")
        skipped = skipped_text(job.progress())
        if skipped is not None:
            self._say(f"{job.name}: {skipped}")

    def final_rows(self, result: TableResult) -> None:
        self._lines.clear()
        print_result(result, write_out)

    def changes(self, result: TableResult, rows: Sequence[Row]) -> None:
        table = self._live.get(id(result))
        if table is None:
            table = self._live[id(result)] = LiveTable(result)
            for line in table.header():
                write_out(line)
        for row in rows:
            write_out(table.line(row))

    def notice(self, message: str) -> None:
        self._say(f"note: {message}")

    def print_line(self, line: str, to_error: bool) -> None:
        write_error(line) if to_error else write_out(line)

    def setup(self, event: ProgressEvent) -> None:
        self._lines.clear()
        self._bars(event)

    def settle(self) -> None:
        self._lines.clear()
        self._bars.close()

    def error(self, error: HeadraceError) -> None:
        self._say(error.render())

    def end(self, outcome: Outcome) -> None:
        self.settle()
        if outcome is not Outcome.FINISHED:
            self._say(f"{outcome}; the same command resumes unfinished jobs")

    def _say(self, line: str) -> None:
        self.settle()
        write_error(line)


def is_plain_ok(result: TableResult) -> bool:
    return not result.columns and result.message == "OK"


def is_worth_telling(job: Job, result: TableResult) -> bool:
    """A query shows for itself that it began and ended, and VALUES are written before anyone can look."""
    return job.query is not None and not result.is_query


def ending(job: Job) -> str:
    progress = job.progress()
    rows = f", {progress.rows:,} rows" if progress else ""
    state = "stopped" if job.state is JobState.CANCELED else str(job.state).lower()
    return f"{state}{rows} in {time.time() - job.started:.1f} s"


class JsonObserver(CliObserver):
    def __init__(self, write: Callable[[str], None] = write_out) -> None:
        self._write = write
        self._shown: dict[int, tuple[float, int]] = {}

    def statement_done(self, statement: Statement, result: TableResult) -> None:
        facts: dict[str, Any] = {"statement": kind_of(statement), "where": str(statement.position)}
        if result.columns:
            facts["columns"] = list(result.columns)
            facts["rows"] = [[json_value(value) for value in row] for row in result.collect()]
        else:
            facts["message"] = result.message
        self._event("statement", facts)

    def job_starting(self, statement: Statement) -> None:
        """Programs are told when it has started."""

    def job_started(self, job: Job, result: TableResult) -> None:
        facts = {"job": job.id, "name": job.name, "bounded": job.bounded, "resumed": job.resumed}
        self._event("job_started", facts)

    def progress(self, jobs: Sequence[Job]) -> None:
        now = time.monotonic()
        for job in jobs:
            last, batch = self._shown.get(id(job), (0.0, -1))
            progress = job.progress() if now - last >= PROGRESS_EVENT_SECONDS else None
            if progress is not None and progress.batch != batch:
                self._shown[id(job)] = (now, progress.batch)
                self._event("progress", {"job": job.id, **progress.to_dict()})

    def job_ended(self, job: Job, result: TableResult) -> None:
        progress = job.progress()
        facts = {
            "job": job.id,
            "state": str(job.state),
            "rows": progress.rows if progress else 0,
            "seconds": round(time.time() - job.started, 3),
            "skipped": dict(progress.skipped) if progress else {},
        }
        self._event("job_ended", facts)

    def final_rows(self, result: TableResult) -> None:
        self.changes(result, list(result.collect()))

    def changes(self, result: TableResult, rows: Sequence[Row]) -> None:
        (job,) = result.jobs
        for row in rows:
            values = {name: json_value(value) for name, value in row.as_dict().items()}
            self._event("row", {"job": job.id, "op": str(row.kind), "values": values})

    def notice(self, message: str) -> None:
        self._event("notice", {"message": message})

    def print_line(self, line: str, to_error: bool) -> None:
        self._event("line", {"text": line, "stream": "stderr" if to_error else "stdout"})

    def setup(self, event: ProgressEvent) -> None:
        """A program waits for its first event."""

    def settle(self) -> None:
        """Every event stays."""

    def error(self, error: HeadraceError) -> None:
        self._event("error", error.to_dict())

    def end(self, outcome: Outcome) -> None:
        self._event("end", {"outcome": str(outcome)})

    def _event(self, event: str, facts: Mapping[str, Any]) -> None:
        self._write(json.dumps({"event": event, **facts}, ensure_ascii=False))


def kind_of(statement: Statement) -> str:
    """CREATE TABLE, SET, SHOW TABLES …: what a statement is, for a reader."""
    if isinstance(statement, Show):
        return f"SHOW {statement.what}"
    name = type(statement).__name__
    return "".join(f" {c}" if c.isupper() else c.upper() for c in name).strip()


def json_value(value: Any) -> Any:
    """Numbers, texts, lists and maps as they are; all else as it is printed."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if value - value == 0 else format_value(value)
        case list() | tuple():
            return [json_value(item) for item in value]
        case dict():
            return {str(key): json_value(item) for key, item in value.items()}
        case _:
            return format_value(value)
