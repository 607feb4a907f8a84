from __future__ import annotations

import pytest

from headrace.runtime.jobs import Job
from headrace.runtime.readiness import is_reading


class Status:
    def __init__(self, message: str) -> None:
        self._message = message

    def message(self) -> str:
        return self._message


class Nothing:
    def isDefined(self) -> bool:
        return False


class Query:
    """What a StreamingQuery of the JVM answers."""

    def __init__(self, message: str, *, active: bool = True, progress: object = None) -> None:
        self._message = message
        self._active = active
        self._progress = progress

    def isActive(self) -> bool:
        return self._active

    def status(self) -> Status:
        return Status(self._message)

    def lastProgress(self) -> object:
        return self._progress

    def exception(self) -> Nothing:
        return Nothing()


def job(query: Query | None) -> Job:
    return Job("j", bounded=False, query=query)


@pytest.mark.parametrize(
    "message",
    ["Initializing StreamExecution", "Initializing sources", "Getting offsets from KafkaV2[…]"],
)
def test_not_while_offsets_are_looked_up(message):
    assert not is_reading(job(Query(message)))


@pytest.mark.parametrize(
    "message", ["Waiting for data to arrive", "Waiting for next trigger", "Processing new data"]
)
def test_once_every_source_gave_its_offsets(message):
    assert is_reading(job(Query(message)))


def test_progress_proves_it_whatever_the_status_says_now():
    assert is_reading(job(Query("Getting offsets from KafkaV2[…]", progress=object())))


def test_an_ended_job_is_past_its_start():
    assert is_reading(job(Query("Stopped", active=False)))
    assert is_reading(job(None))
