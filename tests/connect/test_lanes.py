from __future__ import annotations

import threading

import pytest

from headrace.connect.lanes import Lanes


@pytest.fixture
def gate():
    made = threading.Event()
    yield made
    made.set()


def test_one_name_keeps_its_order():
    lanes, done = Lanes(), []
    for number in range(100):
        lanes.put("a", lambda number=number: done.append(number))
    assert lanes.settled(30)
    assert done == list(range(100))


def test_other_names_do_not_wait(gate):
    lanes, other = Lanes(), threading.Event()
    lanes.put("slow", gate.wait)
    lanes.put("quick", other.set)
    assert other.wait(30)
    assert not lanes.settled(0)
    gate.set()
    assert lanes.settled(30)


def test_without_work_all_is_settled():
    assert Lanes().settled(0)


def test_a_closed_one_forgets_what_waits_and_takes_nothing(gate):
    lanes, done = Lanes(), []
    lanes.put("a", gate.wait)
    lanes.put("a", lambda: done.append("waited"))
    assert lanes.close()
    assert not lanes.close()
    lanes.put("b", lambda: done.append("late"))
    gate.set()
    lanes.wait()
    assert done == []


def test_a_lane_can_wait_for_the_others(gate):
    lanes, waited = Lanes(), threading.Event()

    def last():
        lanes.wait(beside="a")
        waited.set()

    lanes.put("b", gate.wait)
    lanes.put("a", last)
    assert not waited.is_set()
    gate.set()
    assert waited.wait(30)
