from __future__ import annotations

import io
import os
import urllib.error
from email.message import Message

import pytest

from benchmarks.connect.worker import Worker, source, wait
from headrace.errors import EnvironmentFault


class Scripted(Worker):
    """Answers by a list; an int is a refusal."""

    def ask(self, method, path, body=None):
        answer = self.process.pop(0)
        if isinstance(answer, int):
            raise urllib.error.HTTPError(path, answer, "", Message(), io.BytesIO(b"because"))
        return answer


def worker(*answers):
    return Scripted("http://nowhere", list(answers))


def test_a_change_is_tried_again_until_there_is_a_leader():
    asked = worker(409, 409, {})
    asked.run("c", {})
    assert asked.process == []


def test_other_refusals_end_the_run():
    with pytest.raises(EnvironmentFault) as failure:
        worker(400).run("c", {})
    assert failure.value.found == "because"


def test_a_failed_task_ends_the_run():
    fine = {"connector": {"state": "RUNNING"}, "tasks": [{"state": "RUNNING"}]}
    worker(fine).check("c")
    worker(404).check("c")
    broken = {**fine, "tasks": [{"state": "FAILED", "trace": "first\nsecond"}]}
    with pytest.raises(EnvironmentFault) as failure:
        worker(broken).check("c")
    assert failure.value.found == "first"


def test_waiting_ends():
    with pytest.raises(EnvironmentFault, match="does not do its work"):
        wait(lambda: False, 0.0)


def test_a_configuration_as_users_write_it():
    config = source("postgresql://me:pw@host:5433/db", poll_interval_ms="1000")
    assert config["connection.url"] == "jdbc:postgresql://host:5433/db"
    assert (config["connection.user"], config["connection.password"]) == ("me", "pw")
    assert config["poll.interval.ms"] == "1000"


def test_cpu_time_is_that_of_the_process():
    class Own:
        pid = os.getpid()

    assert Worker("", Own()).cpu_seconds() > 0
