"""Random histories of requests against a plain model, and what a worker makes of their records afterwards."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from headrace.connect.rest.dispatch import Dispatcher
from headrace.connect.rest.messages import Request
from headrace.connect.topics import Entry
from headrace.testing.connect_worker import SOURCE, MemoryLog, memory_worker

NAMES = st.sampled_from(["a", "a-0", "b"])
WORDS = st.sampled_from(["pause", "resume", "stop", "restart", "delete"])
PUTS = st.tuples(NAMES, st.just("put"), st.integers(1, 3))
OTHERS = st.tuples(NAMES, WORDS, st.just(0))
HISTORIES = st.lists(st.one_of(PUTS, OTHERS), max_size=12)

TARGETS = {"pause": "PAUSED", "resume": "RUNNING", "stop": "STOPPED"}


@dataclass
class Known:
    """What a connector must look like: its state, and how many tasks it has."""

    wanted: int
    state: str = "RUNNING"
    tasks: int = 0

    def settle(self) -> None:
        """A started connector is split as its config says; a paused one keeps the tasks it had."""
        if self.state == "RUNNING":
            self.tasks = self.wanted
        elif self.state == "STOPPED":
            self.tasks = 0


@dataclass
class Model:
    connectors: dict[str, Known] = field(default_factory=dict)

    def do(self, name: str, word: str, number: int) -> int:
        """The status that the request must have."""
        known = self.connectors.get(name)
        if word == "put":
            return self.put(name, number)
        if known is None:
            return 404
        if word == "delete":
            del self.connectors[name]
            return 204
        if word != "restart":
            known.state = TARGETS[word]
            known.settle()
        return 204 if word in ("stop", "restart") else 202

    def put(self, name: str, number: int) -> int:
        new = name not in self.connectors
        known = self.connectors.setdefault(name, Known(number))
        known.wanted = number
        known.settle()
        return 201 if new else 200

    def shown(self) -> dict[str, tuple[str, list[str]]]:
        return {n: (k.state, [k.state] * k.tasks) for n, k in self.connectors.items()}


class Worker:
    """A worker in memory that is asked for the model's words."""

    def __init__(self, entries: list[Entry] | None = None) -> None:
        self.log = MemoryLog(entries)
        self.worker = memory_worker(log=self.log)
        self.worker.start()
        self.dispatch = Dispatcher(self.worker, lambda url, request: pytest.fail("nobody else"))
        self.settle()

    def do(self, name: str, word: str, number: int) -> int:
        body = f'{{"connector.class": "{SOURCE}", "topic": "t", "tasks.max": {number}}}'.encode()
        method, path = {
            "put": ("PUT", f"/connectors/{name}/config"),
            "delete": ("DELETE", f"/connectors/{name}"),
            "restart": ("POST", f"/connectors/{name}/restart"),
        }.get(word, ("PUT", f"/connectors/{name}/{word}"))
        payload = body if word == "put" else b""
        status = self.dispatch(
            Request(method, path, {}, payload, {"content-type": "application/json"})
        ).status
        self.settle()
        return status

    def settle(self) -> None:
        assert self.worker.runner.settled(30)

    def shown(self) -> dict[str, tuple[str, list[str]]]:
        found = self.dispatch(Request("GET", "/connectors", {"expand": ["status"]})).body
        return {
            name: (
                one["status"]["connector"]["state"],
                [task["state"] for task in one["status"]["tasks"]],
            )
            for name, one in found.items()
        }

    def stop(self) -> None:
        self.worker.stop()


def compacted(entries: list[Entry]) -> list[Entry]:
    """What Kafka leaves of a log in the end: the last record of every key, without deletions."""
    last = {(entry.store, entry.key): place for place, entry in enumerate(entries)}
    kept = [entries[place] for place in sorted(last.values())]
    return [entry for entry in kept if entry.value is not None]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HISTORIES)
def test_connectors_are_what_they_were_told_to_be(history):
    worker, model = Worker(), Model()
    try:
        for step in history:
            assert worker.do(*step) == model.do(*step), step
            assert worker.shown() == model.shown(), step
    finally:
        worker.stop()
    for entries in (list(worker.log.entries), compacted(worker.log.entries)):
        heir = Worker(entries)
        try:
            assert heir.shown() == model.shown()
        finally:
            heir.stop()


@settings(max_examples=40, deadline=None)
@given(HISTORIES, st.integers(0, 40))
@example([("a", "put", 1), ("a", "stop", 0)], 8)
@example([("a", "put", 1), ("a", "stop", 0)], 7)
def test_a_worker_that_died_anywhere_is_followed_by_one_that_works(history, survived):
    """However few of the last records were written, the next worker comes to a state that its configs describe."""
    worker = Worker()
    for step in history:
        worker.do(*step)
    worker.stop()
    heir = Worker(worker.log.entries[:survived])
    try:
        state = heir.worker.state
        shown = heir.shown()
        assert set(shown) == set(state.names())
        for name, (connector, tasks) in shown.items():
            assert len(tasks) == len(state.tasks(name))
            assert {connector, *tasks} == {connector}
            assert connector in TARGETS.values()
    finally:
        heir.stop()


def test_the_model_knows_every_word():
    words = itertools.chain(TARGETS, ["restart", "delete"])
    assert all(Model().do("x", word, 1) == 404 for word in words)
