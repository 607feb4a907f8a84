from __future__ import annotations

import threading

import pytest

from headrace.connect import statuses as module
from headrace.connect.outages import unreachable
from headrace.connect.statuses import Statuses
from headrace.connect.topics import Entry, Fenced, Store
from headrace.testing.connect_worker import MemoryLog
from headrace.testing.topics import eventually


def status(state: str, part: str = "c-0") -> Entry:
    return Entry(Store.STATUS, f"status-task-{part}", {"state": state})


class Flaky(MemoryLog):
    """A log whose brokers are away until they are said to be back."""

    def __init__(self) -> None:
        super().__init__()
        self.fault: Exception | None = unreachable({}, "away")
        self.tries = 0
        self.entered = threading.Event()
        self.hold = threading.Event()
        self.hold.set()

    def write(self, entries):
        self.tries += 1
        self.entered.set()
        assert self.hold.wait(30)
        if self.fault is not None:
            raise self.fault
        super().write(entries)

    def states(self, part: str = "c-0") -> list[str]:
        key = f"status-task-{part}"
        return [entry.value["state"] for entry in list(self.entries) if entry.key == key]


@pytest.fixture
def log():
    return Flaky()


@pytest.fixture
def shown():
    return []


@pytest.fixture
def statuses(log, shown, monkeypatch):
    monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)
    made = Statuses(log, shown.append)
    yield made
    made.close()


def test_a_report_is_written_when_brokers_are_back(statuses, log, shown):
    statuses.report(status("FAILED"))
    assert shown == [status("FAILED")]
    eventually(lambda: log.tries, lambda tries: tries > 2)
    assert log.states() == []
    log.fault = None
    eventually(lambda: log.states(), lambda seen: seen == ["FAILED"])
    eventually(lambda: statuses.waiting, lambda waiting: not waiting)
    eventually(lambda: statuses.thread, lambda thread: thread is None)


def test_the_newest_of_each_part_is_written(statuses, log):
    statuses.report(status("FAILED", "c-0"))
    statuses.report(status("FAILED", "c-1"))
    statuses.report(status("RUNNING", "c-0"))
    log.fault = None
    eventually(lambda: statuses.waiting, lambda waiting: not waiting)
    assert (log.states("c-0"), log.states("c-1")) == (["RUNNING"], ["FAILED"])


def test_what_is_written_now_makes_what_waits_obsolete(statuses, log):
    statuses.report(status("FAILED"))
    log.fault = None
    statuses.write([status("RUNNING")])
    eventually(lambda: statuses.waiting, lambda waiting: not waiting)
    assert log.states()[-1] == "RUNNING"


def test_one_that_was_overtaken_is_written_again(statuses, log):
    old, new = status("FAILED"), status("RUNNING")
    statuses.newest[new.key] = new
    statuses.waiting[old.key] = old
    statuses._settle({old.key: old})
    assert statuses.waiting == {new.key: new}
    statuses._settle({new.key: new})
    assert statuses.waiting == {}


def test_who_writes_now_is_told_that_it_failed(statuses, log):
    with pytest.raises(Exception, match="away"):
        statuses.write([status("RUNNING")])
    assert statuses.waiting == {}


def test_others_do_not_wait_for_a_report(statuses, log):
    """One hangs; the others of another connector are written."""
    log.fault = None
    log.hold.clear()
    hanging = threading.Thread(target=statuses.report, args=(status("FAILED", "slow-0"),))
    hanging.start()
    assert log.entered.wait(30)
    assert statuses.lock.acquire(timeout=30)
    statuses.lock.release()
    log.hold.set()
    hanging.join(30)
    assert log.states("slow-0") == ["FAILED"]


def test_a_former_leader_gives_up(statuses, log):
    statuses.report(status("FAILED"))
    log.fault = Fenced("another leads")
    eventually(lambda: statuses.closed.is_set(), bool)
    assert statuses.waiting == {}
    log.fault = None
    statuses.report(status("FAILED", "c-1"))
    statuses.thread.join(30)
    assert log.states() == []


def test_a_report_of_a_former_leader_is_no_failure(statuses, log):
    log.fault = Fenced("another leads")
    statuses.report(status("FAILED"))
    assert statuses.waiting == {}
    assert statuses.thread is None


def test_nothing_is_kept_after_the_end(statuses, log):
    statuses.report(status("FAILED"))
    thread = statuses.thread
    statuses.close()
    thread.join(30)
    statuses.report(status("FAILED", "c-1"))
    assert statuses.waiting == {}
    assert log.states() == []
