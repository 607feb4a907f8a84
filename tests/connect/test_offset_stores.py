from __future__ import annotations

import pytest

from headrace.connect.offset_stores import OffsetStore, OffsetStores
from headrace.connect.state import ClusterState, canonical, offset_entry
from headrace.connect.topics import Fenced
from headrace.testing.connect_worker import MemoryLog

A, B, C = ({"table": name} for name in "abc")


class Own:
    def __init__(self, happened, *known) -> None:
        self.happened = happened
        self.found = {canonical(partition): (partition, offset) for partition, offset in known}

    def write(self, changes):
        self.happened.append(("own", list(changes)))


class Recording(MemoryLog):
    """Notes what is written, and fails where it is told to."""

    def __init__(self, happened) -> None:
        super().__init__()
        self.happened = happened
        self.failure: Exception | None = None

    def write(self, entries):
        if self.failure is not None:
            raise self.failure
        self.happened.append(("worker", [(entry.key, entry.value) for entry in entries]))
        super().write(entries)


@pytest.fixture
def happened():
    return []


@pytest.fixture
def log(happened):
    return Recording(happened)


@pytest.fixture
def state(log):
    made = ClusterState()
    log.start(made.apply)
    log.lead()
    for partition, at in ((A, 1), (B, 2)):
        made.apply(offset_entry("c", partition, {"at": at}))
    return made


class TestReading:
    def test_the_worker_s_topic_alone(self, state, log):
        store = OffsetStore("c", state, log)
        assert store.all() == [(A, {"at": 1}), (B, {"at": 2})]
        assert (store.get(A), store.get(C)) == ({"at": 1}, None)

    def test_one_s_own_comes_first_and_the_worker_s_has_the_rest(self, state, log, happened):
        store = OffsetStore("c", state, log, Own(happened, (B, {"at": 20}), (C, {"at": 30})))
        assert store.all() == [(A, {"at": 1}), (B, {"at": 20}), (C, {"at": 30})]
        assert [store.get(one) for one in (A, B, C)] == [{"at": 1}, {"at": 20}, {"at": 30}]


class TestWriting:
    def test_one_s_own_before_the_worker_s(self, state, log, happened):
        OffsetStore("c", state, log, Own(happened)).write([(A, {"at": 9})])
        assert [where for where, _ in happened] == ["own", "worker"]
        assert state.offset("c", A) == {"at": 9}

    def test_what_is_reset_is_gone_from_the_worker_s_first(self, state, log, happened):
        OffsetStore("c", state, log, Own(happened)).write([(A, None), (B, {"at": 9})])
        keys = [offset_entry("c", one, None).key for one in (A, B)]
        assert happened == [
            ("worker", [(keys[0], None)]),
            ("own", [(A, None), (B, {"at": 9})]),
            ("worker", [(keys[1], {"at": 9})]),
        ]

    def test_a_failure_of_the_second_write_is_only_told(self, state, log, happened, caplog):
        log.failure = OSError("no broker")
        OffsetStore("c", state, log, Own(happened)).write([(A, {"at": 9})])
        assert happened == [("own", [(A, {"at": 9})])]
        assert "offsets of c are in its own topic alone: no broker" in caplog.text

    def test_a_failure_of_the_first_is_one(self, state, log, happened):
        log.failure = OSError("no broker")
        with pytest.raises(OSError, match="no broker"):
            OffsetStore("c", state, log, Own(happened)).write([(A, None)])
        assert happened == []
        with pytest.raises(OSError, match="no broker"):
            OffsetStore("c", state, log).write([(A, {"at": 9})])

    def test_who_does_not_lead_is_told(self, state, log, happened):
        log.failure = Fenced("not any more")
        with pytest.raises(Fenced):
            OffsetStore("c", state, log, Own(happened)).write([(A, {"at": 9})])

    def test_nothing_to_write(self, state, log, happened):
        OffsetStore("c", state, log).write([])
        assert happened == []


def test_stores_by_what_a_configuration_says(state, log, happened):
    own = Own(happened)
    stores = OffsetStores(state, log, lambda name, config: own if config else None)
    assert stores.open("c", {"offsets.storage.topic": "x"}).own is own
    assert stores.open("c", {}).own is None
    assert stores.shared("c").own is None
    assert OffsetStores(state, log).open("c", {"offsets.storage.topic": "x"}).own is None
