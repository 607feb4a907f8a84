from __future__ import annotations

import io

import pytest

from headrace.plan.nodes import Field
from headrace.runtime.jobs import Job, JobState, Progress
from headrace.runtime.results import ChangeStream, TableResult
from headrace.types import DataType, Kind


class FakeJob(Job):
    """A job with a progress and a state of the test's choosing, and no JVM behind it."""

    def __init__(
        self,
        name: str = "copy",
        *,
        bounded: bool = True,
        state: JobState = JobState.RUNNING,
        progress: Progress | None = None,
        resumed: bool = False,
    ) -> None:
        super().__init__(name, bounded=bounded, resumed=resumed)
        self.query = object()
        self.now = state
        self.reported = progress

    @property
    def state(self) -> JobState:
        return self.now

    def progress(self) -> Progress | None:
        return self.reported

    def stop(self) -> None:
        self.now = JobState.CANCELED


@pytest.fixture
def make_job():
    return FakeJob


@pytest.fixture
def make_query():
    """A query's result: rows end with their weight."""

    def make(*rows: tuple[object, ...], job: Job, live: bool = False) -> TableResult:
        changes = ChangeStream(("id", "name"), None)
        changes.add_batch(list(rows), live=live)
        schema = (Field("id", DataType(Kind.BIGINT)), Field("name", DataType(Kind.STRING)))
        return TableResult(schema=schema, jobs=[job], changes=changes)

    return make


class Terminal(io.StringIO):
    """A stream that claims to be a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal():
    return Terminal()
