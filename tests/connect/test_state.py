from __future__ import annotations

import pytest

from headrace.connect import state as records
from headrace.connect.state import ClusterState, RunState, Status, TargetState
from headrace.connect.topics import Entry, Store


@pytest.fixture
def state():
    return ClusterState()


def applied(state: ClusterState, *entries: Entry) -> ClusterState:
    for entry in entries:
        state.apply(entry)
    return state


def test_configs_come_and_go(state):
    applied(state, records.config_entry("a", {"x": "1"}), records.config_entry("b", {}))
    assert state.names() == ["a", "b"]
    applied(state, records.config_entry("a", None))
    assert state.configs == {"b": {}}


@pytest.mark.parametrize("target", list(TargetState))
def test_target_states(state, target):
    applied(state, records.target_entry("a", target))
    assert state.targets == {"a": target}
    applied(state, records.target_entry("a", None))
    assert state.targets == {}


def test_old_workers_take_stopped_for_paused():
    assert records.target_entry("a", TargetState.STOPPED).value == {
        "state": "PAUSED",
        "state.v2": "STOPPED",
    }


def test_a_target_state_of_an_old_worker(state):
    applied(state, Entry(Store.CONFIG, "target-state-a", {"state": "PAUSED"}))
    assert state.targets["a"] is TargetState.PAUSED


class TestTasks:
    def test_they_count_together(self, state):
        first, second, commit = records.task_entries("a", [{"n": "0"}, {"n": "1"}])
        applied(state, first, second)
        assert state.tasks("a") == []
        applied(state, commit)
        assert state.tasks("a") == [{"n": "0"}, {"n": "1"}]

    def test_a_set_that_was_not_finished_changes_nothing(self, state):
        applied(state, *records.task_entries("a", [{"n": "0"}]))
        applied(state, *records.task_entries("a", [{"n": "new"}, {"n": "1"}])[:2])
        assert state.tasks("a") == [{"n": "0"}]

    def test_fewer_than_before(self, state):
        applied(state, *records.task_entries("a", [{}, {}]), *records.task_entries("a", [{}]))
        assert len(state.tasks("a")) == 1
        assert ("a", 1) in state.task_configs

    def test_names_may_contain_dashes_and_numbers(self, state):
        applied(state, *records.task_entries("a-1", [{"n": "0"}]))
        assert state.tasks("a-1") == [{"n": "0"}]
        assert state.tasks("a") == []

    def test_a_deleted_connector_has_none(self, state):
        applied(state, records.config_entry("a", {}), *records.task_entries("a", [{}]))
        applied(state, records.config_entry("a", None))
        assert state.tasks("a") == []
        assert state.task_configs == {}


class TestStatuses:
    FAILED = Status(RunState.FAILED, "w:1", "boom", "1.0")

    def test_of_connectors_and_tasks(self, state):
        applied(
            state,
            records.status_entry("a", self.FAILED),
            records.status_entry("a", Status(RunState.RUNNING, "w:1"), 10),
            records.status_entry("a", Status(RunState.RUNNING, "w:1"), 2),
            records.status_entry("a-b", Status(RunState.PAUSED, "w:1"), 0),
        )
        assert state.statuses == {"a": self.FAILED}
        assert list(state.statuses_of_tasks("a")) == [2, 10]
        applied(state, records.status_entry("a", None), records.status_entry("a", None, 2))
        assert state.statuses == {}
        assert list(state.statuses_of_tasks("a")) == [10]

    def test_the_record_is_connects(self):
        entry = records.status_entry("a", self.FAILED, 3)
        assert entry == Entry(
            Store.STATUS,
            "status-task-a-3",
            {
                "state": "FAILED",
                "trace": "boom",
                "worker_id": "w:1",
                "generation": 0,
                "version": "1.0",
            },
        )

    def test_a_trace_is_shown_when_there_is_one(self):
        assert self.FAILED.to_json() == {
            "state": "FAILED",
            "worker_id": "w:1",
            "version": "1.0",
            "trace": "boom",
        }
        assert Status(RunState.RUNNING, "w:1").to_json() == {"state": "RUNNING", "worker_id": "w:1"}


def test_topics(state):
    applied(state, records.topic_entry("a", "t:1", 0, 5), records.topic_entry("a", "u", 1, 6))
    assert list(state.topics["a"]) == ["t:1", "u"]
    applied(state, *records.topic_reset_entries("a", ["u"]))
    assert list(state.topics["a"]) == ["t:1"]


class TestOffsets:
    def test_the_order_of_fields_does_not_count(self, state):
        applied(state, Entry(Store.OFFSET, '["a",{"y":2,"x":1}]', {"at": 1}))
        assert state.offset("a", {"x": 1, "y": 2}) == {"at": 1}
        applied(state, records.offset_entry("a", {"y": 2, "x": 1}, {"at": 2}))
        assert state.offsets_of("a") == [({"x": 1, "y": 2}, {"at": 2})]

    def test_a_reset_forgets(self, state):
        applied(state, records.offset_entry("a", {"x": 1}, {"at": 1}))
        applied(state, records.offset_entry("a", {"x": 1}, None))
        assert state.offsets_of("a") == []
        assert state.offset("a", {"x": 1}) is None

    def test_the_key_is_compact_json(self):
        entry = records.offset_entry("a", {"table": "public.address", "protocol": "1"}, {"t": 1})
        assert entry.key == '["a",{"protocol":"1","table":"public.address"}]'


def test_levels_of_loggers_are_passed_on(state):
    told = []
    state.on_logger = lambda name, level: told.append((name, level))
    applied(state, records.logger_entry("a.b", "WARN"))
    assert told == [("a.b", "WARN")]


@pytest.mark.parametrize(
    "key", ["session-key", "restart-connector-a", "tasks-fencing-a", "new-kind"]
)
def test_records_that_mean_nothing_here_are_passed_by(state, key):
    applied(
        state,
        Entry(Store.CONFIG, key, {"x": 1}),
        Entry(Store.STATUS, key, {"state": "RUNNING", "worker_id": "w"}),
    )
    assert state.names() == []
    assert state.statuses == {}


class TestJava:
    def test_names_come_and_go(self, state):
        applied(state, records.java_entry("a", there=True), records.java_entry("b", there=True))
        assert list(state.java) == ["a", "b"]
        applied(state, records.java_entry("a", there=False))
        assert list(state.java) == ["b"]
        applied(state, records.java_entry("unknown", there=False))
        assert list(state.java) == ["b"]

    def test_they_are_no_connectors_of_ours(self, state):
        applied(state, records.java_entry("a", there=True))
        assert state.names() == []
        applied(state, records.config_entry("a", {"x": "1"}), records.java_entry("a", there=False))
        assert state.names() == ["a"]

    def test_an_own_key_that_connect_passes_over(self):
        entry = records.java_entry("connector-a", there=True)
        assert (entry.store, entry.key, entry.value) == (
            Store.CONFIG,
            "java-connector-connector-a",
            {},
        )


def test_what_a_worker_no_longer_runs_is_nobody_s(state):
    def status(run, worker="w:1", trace=None):
        return Status(run, worker, trace, "1.0")

    running, failed = RunState.RUNNING, RunState.FAILED
    applied(
        state,
        records.status_entry("a", status(running)),
        records.status_entry("a", status(running), 0),
        records.status_entry("a", status(failed, trace="why"), 1),
        records.status_entry("b", status(RunState.PAUSED)),
        records.status_entry("c", status(running, "other:1")),
    )
    state.forsake("w:1")
    assert state.statuses["a"] == Status(RunState.UNASSIGNED, "w:1", version="1.0")
    assert [s.state for s in state.statuses_of_tasks("a").values()] == [
        RunState.UNASSIGNED,
        RunState.FAILED,
    ]
    assert state.statuses["b"].state is RunState.PAUSED
    assert state.statuses["c"].state is running
