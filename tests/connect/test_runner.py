from __future__ import annotations

import threading
from typing import ClassVar

import pytest

from headrace.connect import runner as module
from headrace.connect.lanes import Lanes
from headrace.connect.outages import unreachable
from headrace.connect.plugins import Connector, Kind, Plugins
from headrace.connect.providers import configured
from headrace.connect.runner import Runner
from headrace.connect.state import (
    ClusterState,
    RunState,
    TargetState,
    config_entry,
    target_entry,
)
from headrace.connect.topics import Fenced, Store
from headrace.errors import EnvironmentFault
from headrace.testing.connect_worker import PLUGINS, SOURCE, CountingSource, MemoryLog
from headrace.testing.topics import eventually


class Cluster:
    """A runner with its log and state."""

    def __init__(self, plugins=PLUGINS) -> None:
        self.log, self.state = MemoryLog(), ClusterState()
        self.log.start(self.state.apply)
        self.log.lead()
        worker = {"bootstrap.servers": "b:1"}
        self.runner = Runner(plugins, configured({}), self.state, self.log, "w:1", worker)
        self.runner.start()

    def put(self, name: str = "c", **config: str) -> None:
        named = {key.replace("__", "."): text for key, text in config.items()}
        given = {"connector.class": SOURCE, "topic": "t", "name": name, **named}
        self.log.write([config_entry(name, given)])
        self.runner.sync(name)
        self.settle()

    def target(self, target: TargetState, name: str = "c") -> None:
        self.log.write([target_entry(name, target)])
        self.runner.sync(name)
        self.settle()

    def settle(self) -> None:
        assert self.runner.settled(30)

    def states(self, name: str = "c"):
        tasks = self.state.statuses_of_tasks(name).values()
        return self.state.statuses[name].state.value, [task.state.value for task in tasks]

    def task_fails(self, number: int = 0, name: str = "c") -> str:
        status = eventually(
            lambda: self.state.statuses_of_tasks(name).get(number),
            lambda seen: seen is not None and seen.state is RunState.FAILED,
        )
        return status.trace


@pytest.fixture
def cluster():
    made = Cluster()
    yield made
    made.runner.stop()


def test_a_connector_starts_with_its_tasks(cluster):
    cluster.put(tasks__max="2")
    assert cluster.states() == ("RUNNING", ["RUNNING", "RUNNING"])
    assert [task["part"] for task in cluster.state.tasks("c")] == ["0", "1"]
    assert cluster.state.statuses["c"].version == "1.2.3"


def test_an_equal_config_changes_nothing(cluster):
    cluster.put()
    before = cluster.runner.running["c"].connector
    cluster.put()
    assert cluster.runner.running["c"].connector is before
    cluster.put(count="9")
    assert cluster.runner.running["c"].connector is not before


def test_fewer_tasks_leave_no_statuses_behind(cluster):
    cluster.put(tasks__max="3")
    cluster.put(tasks__max="1")
    assert cluster.states() == ("RUNNING", ["RUNNING"])


def test_a_connector_that_fails_says_why(cluster):
    cluster.put(fail="connector")
    status = cluster.state.statuses["c"]
    assert status.state is RunState.FAILED
    assert "RuntimeError: cannot start" in status.trace
    cluster.put(fail="")
    assert cluster.states() == ("RUNNING", ["RUNNING"])
    assert cluster.state.statuses["c"].trace is None


def test_a_task_that_fails_says_why_and_others_go_on(cluster):
    cluster.put(fail="task-1", tasks__max="2")
    assert "RuntimeError: cannot go on" in cluster.task_fails(1)
    assert cluster.states() == ("RUNNING", ["RUNNING", "FAILED"])


class TestRestartsByThemselves:
    AGAIN: ClassVar[dict[str, str]] = {"headrace__restart__delay__ms": "0"}

    def starts(self, cluster, number=0):
        """How often a task was told to be at work."""
        told = (e.value for e in cluster.log.entries if e.key == f"status-task-c-{number}")
        return sum(value is not None and value["state"] == "RUNNING" for value in told)

    def test_a_task_as_often_as_told(self, cluster):
        cluster.put(fail="task-0", headrace__restart__attempts="2", **self.AGAIN)
        eventually(lambda: self.starts(cluster), lambda found: found == 3)
        assert "RuntimeError: cannot go on" in cluster.task_fails()
        cluster.settle()
        assert self.starts(cluster) == 3
        cluster.runner.restart("c", False, [0])
        eventually(lambda: self.starts(cluster), lambda found: found == 6)

    def test_a_task_that_goes_on_is_left_alone(self, cluster):
        cluster.put(headrace__restart__attempts="-1", **self.AGAIN)
        assert self.starts(cluster) == 1

    def test_a_connector_that_could_not_start(self, cluster, monkeypatch):
        failing = iter([RuntimeError("not yet"), RuntimeError("not yet")])
        start = CountingSource.start

        def hesitant(self, config, context):
            for error in failing:
                raise error
            return start(self, config, context)

        monkeypatch.setattr(CountingSource, "start", hesitant)
        cluster.put(headrace__restart__attempts="-1", **self.AGAIN)
        eventually(lambda: cluster.state.statuses["c"].state, lambda s: s is RunState.RUNNING)

    def test_a_connector_that_was_deleted_or_paused_stays_so(self, cluster):
        cluster.put(fail="connector", headrace__restart__attempts="-1", **self.AGAIN)
        cluster.target(TargetState.PAUSED)
        cluster.settle()
        assert cluster.state.statuses["c"].state is RunState.PAUSED
        assert "c" not in cluster.runner.running

    def test_a_number_that_is_none_fails_the_connector(self, cluster):
        cluster.put(headrace__restart__attempts="often")
        assert "Not a number of type INT" in cluster.state.statuses["c"].trace


def test_more_tasks_than_allowed_fail_the_connector(cluster):
    cluster.put(tasks="2")
    assert "tasks.max allows 1" in cluster.state.statuses["c"].trace
    cluster.put(tasks="2", tasks__max__enforce="false")
    assert cluster.states() == ("RUNNING", ["RUNNING", "RUNNING"])


def test_a_fault_of_ours_is_told_without_a_stack(cluster, monkeypatch):
    def broken(self, config, context):
        raise EnvironmentFault("the well is dry", where="the well", cure="wait for rain")

    monkeypatch.setattr(CountingSource, "start", broken)
    cluster.put()
    told = "[ENVIRONMENT] the well is dry\n  at: the well\n  cure: wait for rain"
    assert cluster.state.statuses["c"].trace == told


class Waiting(CountingSource):
    """Starts as soon as it is let, or told to stop, if its config says so."""

    def __init__(self) -> None:
        self.stopped = threading.Event()

    def start(self, config, context):
        if config.get("fail") == "late" and self.stopped.wait(30):
            raise RuntimeError("stopped before it was started")
        return super().start(config, context)

    def stop(self):
        self.stopped.set()


class TestOneThatDoesNotStart:
    @pytest.fixture
    def cluster(self):
        made = Cluster(Plugins([Waiting]))
        late = {"connector.class": SOURCE, "topic": "t", "fail": "late"}
        made.log.write([config_entry("late", late)])
        made.runner.sync("late")
        eventually(lambda: "late" in made.runner.starting, bool)
        yield made
        made.runner.stop()

    def begin(self, cluster, name):
        cluster.log.write([config_entry(name, {"connector.class": SOURCE, "topic": "t"})])
        cluster.runner.sync(name)

    def test_others_do_not_wait_for_it(self, cluster):
        self.begin(cluster, "c")
        eventually(lambda: cluster.state.statuses_of_tasks("c"), bool)
        assert cluster.states() == ("RUNNING", ["RUNNING"])
        assert "late" in cluster.runner.starting

    def test_what_is_asked_of_it_next_ends_the_wait_without_a_failure(self, cluster, caplog):
        cluster.log.write([config_entry("late", None)])
        cluster.runner.sync("late")
        cluster.settle()
        assert cluster.state.statuses == {}
        assert "failed" not in caplog.text

    def test_another_config_starts_it(self, cluster):
        self.begin(cluster, "late")
        cluster.settle()
        assert cluster.states("late") == ("RUNNING", ["RUNNING"])

    def test_the_runner_stops_without_it(self, cluster):
        cluster.runner.stop()
        assert cluster.state.statuses == {}
        assert cluster.runner.running == {}


def test_a_start_that_nobody_wants_any_more_is_stopped(cluster, monkeypatch):
    stopped = []

    def told_meanwhile(self, config, context):
        cluster.runner.starting.clear()
        return [config]

    monkeypatch.setattr(CountingSource, "start", told_meanwhile)
    monkeypatch.setattr(CountingSource, "stop", lambda self: stopped.append(self))
    cluster.put()
    assert len(stopped) == 1
    assert cluster.runner.running == {}


class TestSecrets:
    @pytest.fixture
    def reference(self, monkeypatch):
        monkeypatch.setenv("CONNECT_TEST_SECRET", "hunter2-hunter2")
        return "${env:CONNECT_TEST_SECRET}"

    def test_they_are_resolved_late_and_stored_as_references(self, cluster, reference):
        cluster.put(password=reference)
        assert CountingSource.started[-1]["password"] == "hunter2-hunter2"
        assert cluster.state.tasks("c")[0]["password"] == reference
        assert "hunter2" not in repr(cluster.log.entries)

    def test_a_restart_reads_them_again(self, cluster, reference, monkeypatch):
        """As Connect does: providers of files and variables announce no changes by themselves."""
        cluster.put(password=reference)
        monkeypatch.setenv("CONNECT_TEST_SECRET", "changed-since-then")
        cluster.runner.restart("c", True, [0])
        cluster.settle()
        assert CountingSource.started[-1]["password"] == "changed-since-then"

    def test_they_are_not_in_traces(self, cluster, reference, caplog):
        cluster.put(password=reference, fail="task-0")
        trace = cluster.task_fails()
        assert "cannot go on with [hidden]" in trace
        assert "hunter2" not in trace + caplog.text

    def test_a_reference_that_leads_nowhere_fails_the_connector(self, cluster):
        cluster.put(password="${env:CONNECT_TEST_NOT_SET}")
        assert "CONNECT_TEST_NOT_SET" in cluster.state.statuses["c"].trace


class TestStates:
    def test_pause(self, cluster):
        cluster.put()
        thread = cluster.runner.running["c"].tasks[0].thread
        cluster.target(TargetState.PAUSED)
        assert not thread.is_alive()
        assert cluster.states() == ("PAUSED", ["PAUSED"])
        cluster.target(TargetState.STARTED)
        assert cluster.states() == ("RUNNING", ["RUNNING"])

    def test_a_failed_task_does_not_pause_and_still_says_why(self, cluster):
        cluster.put(fail="task-1", tasks__max="2")
        trace = cluster.task_fails(1)
        cluster.target(TargetState.PAUSED)
        assert cluster.states() == ("PAUSED", ["PAUSED", "FAILED"])
        assert cluster.state.task_statuses["c", 1].trace == trace

    def test_a_task_of_a_connector_that_is_gone_is_not_run(self, cluster, caplog):
        cluster.put()
        cluster.log.write([config_entry("c", None)])
        cluster.runner._run_task("c", 0)
        cluster.runner.sync("c")
        cluster.settle()
        assert cluster.state.task_statuses == {}
        assert "failed" not in caplog.text

    def test_stop(self, cluster):
        cluster.put()
        cluster.target(TargetState.STOPPED)
        assert cluster.states() == ("STOPPED", [])

    def test_delete(self, cluster):
        cluster.put()
        eventually(lambda: cluster.state.topics.get("c"), bool)
        cluster.log.write([config_entry("c", None)])
        cluster.runner.sync("c")
        cluster.settle()
        assert cluster.state.statuses == {}
        assert cluster.state.topics["c"] == {}
        assert cluster.runner.running == {}

    def test_a_paused_connector_is_not_restarted(self, cluster):
        cluster.put()
        cluster.target(TargetState.PAUSED)
        cluster.runner.restart("c", True, [0])
        cluster.settle()
        assert cluster.states() == ("PAUSED", ["PAUSED"])


class TestRestart:
    def test_a_failed_connector(self, cluster):
        cluster.put(fail="connector")
        cluster.runner.restart("c", True, ())
        cluster.settle()
        assert cluster.states()[0] == "FAILED"

    def test_a_connector_that_fails_now_leaves_its_tasks_at_work(self, cluster, monkeypatch):
        cluster.put()
        thread = cluster.runner.running["c"].tasks[0].thread

        def broken(self, config, context):
            raise RuntimeError("not again")

        monkeypatch.setattr(CountingSource, "start", broken)
        cluster.runner.restart("c", True, ())
        cluster.settle()
        assert cluster.states() == ("FAILED", ["RUNNING"])
        assert thread.is_alive()
        monkeypatch.undo()
        cluster.runner.restart("c", True, ())
        cluster.settle()
        assert cluster.states() == ("RUNNING", ["RUNNING"])
        assert cluster.runner.running["c"].tasks[0].thread is thread

    def test_what_is_gone_is_not_restarted(self, cluster):
        cluster.runner.restart("nobody", True, [0])
        cluster.settle()
        assert cluster.state.statuses == {}

    def test_a_task(self, cluster):
        cluster.put(tasks__max="2")
        before = [task.thread for task in cluster.runner.running["c"].tasks.values()]
        cluster.runner.restart("c", False, [1])
        cluster.settle()
        after = cluster.runner.running["c"].tasks
        assert after[0].thread is before[0]
        assert after[1].thread is not before[1]

    def test_a_connector_that_makes_other_tasks_now(self):
        class Growing(CountingSource):
            count = 1

            def start(self, config, context):
                Growing.context = context
                return [{**config, "part": str(part)} for part in range(Growing.count)]

        cluster = Cluster(Plugins([Growing]))
        try:
            cluster.put(tasks__max="5")
            assert len(cluster.state.tasks("c")) == 1
            Growing.count = 2
            Growing.context.reconfigure()
            cluster.settle()
            assert cluster.states() == ("RUNNING", ["RUNNING", "RUNNING"])
        finally:
            cluster.runner.stop()


def test_a_task_that_ends_by_itself_has_failed():
    class Brief(Connector):
        class_name = SOURCE
        kind = Kind.SOURCE

        def start(self, config, context):
            return [{}]

        def run_task(self, config, context):
            return

    cluster = Cluster(Plugins([Brief]))
    cluster.put()
    assert "without being told" in cluster.task_fails()
    cluster.runner.stop()


def test_a_task_that_does_not_end_is_left_behind(monkeypatch):
    release, refused = threading.Event(), threading.Event()

    class Deaf(Connector):
        class_name = SOURCE
        kind = Kind.SOURCE

        def start(self, config, context):
            return [{}]

        def run_task(self, config, context):
            release.wait()
            try:
                context.write_offsets([({"p": 1}, {"at": 1})])
            except Fenced:
                refused.set()

    monkeypatch.setattr(module, "GRACE_SECONDS", 0.0)
    cluster = Cluster(Plugins([Deaf]))
    cluster.put()
    cluster.target(TargetState.PAUSED)
    assert cluster.states() == ("PAUSED", ["PAUSED"])
    release.set()
    assert refused.wait(30)
    assert cluster.state.offsets_of("c") == []
    cluster.runner.stop()


def test_offsets_and_topics_of_tasks(cluster):
    cluster.put(count="4")
    eventually(lambda: cluster.state.offset("c", {"part": "0"}), lambda seen: seen == {"at": 4})
    assert list(cluster.state.topics["c"]) == ["t"]
    cluster.runner.restart("c", False, [0])
    eventually(lambda: cluster.state.offset("c", {"part": "0"}), lambda seen: seen == {"at": 8})
    topics = [e for e in cluster.log.entries if e.key.startswith("status-topic-")]
    assert len(topics) == 1


def test_stopping_the_runner_writes_nothing(cluster):
    cluster.put()
    eventually(lambda: cluster.state.topics.get("c"), bool)
    thread = cluster.runner.running["c"].tasks[0].thread
    count = len(cluster.log.entries)
    cluster.runner.stop()
    assert not thread.is_alive()
    assert len(cluster.log.entries) == count


def test_a_fenced_runner_stops_its_tasks(cluster):
    cluster.put()
    thread = cluster.runner.running["c"].tasks[0].thread
    cluster.log.entries.append(config_entry("d", {"connector.class": SOURCE, "topic": "t"}))
    cluster.state.apply(cluster.log.entries[-1])
    cluster.log.leads = False
    cluster.runner.sync("d")
    eventually(thread.is_alive, lambda alive: not alive)
    assert not [e for e in cluster.log.entries if e.store is Store.STATUS and "-d" in e.key]


AWAY = unreachable({"bootstrap.servers": "b:1"}, "nobody answers")


class TestBrokersAway:
    @pytest.fixture(autouse=True)
    def at_once(self, monkeypatch):
        monkeypatch.setattr(module, "_PAUSE_SECONDS", 0.01)
        monkeypatch.setattr(module, "_AWAY_SECONDS", 0.01)
        monkeypatch.setattr("headrace.connect.statuses._PAUSE_SECONDS", 0.01)

    @pytest.fixture
    def cut_off(self, cluster, monkeypatch):
        """Nothing that `hits` can be written, until it is said so."""
        write, tried, back = cluster.log.write, [], threading.Event()

        def cut_off(hits):
            def failing(entries):
                if not back.is_set() and any(map(hits, entries)):
                    tried.append(entries)
                    raise AWAY
                write(entries)

            monkeypatch.setattr(cluster.log, "write", failing)
            return tried, back

        return cut_off

    def test_a_task_begins_anew_and_does_not_fail(self, cluster, monkeypatch):
        faults, run = [AWAY, AWAY], CountingSource.run_task

        def hesitant(self, config, context):
            if faults:
                raise faults.pop()
            run(self, config, context)

        monkeypatch.setattr(CountingSource, "run_task", hesitant)
        cluster.put()
        eventually(lambda: cluster.state.offsets_of("c"), bool)
        assert cluster.states() == ("RUNNING", ["RUNNING"])
        told = [e.value["state"] for e in cluster.log.entries if e.key == "status-task-c-0"]
        assert told == ["RUNNING"]

    def test_a_task_that_waits_can_be_stopped(self, cluster, monkeypatch):
        def away(self, config, context):
            raise AWAY

        monkeypatch.setattr(CountingSource, "run_task", away)
        cluster.put()
        cluster.target(TargetState.PAUSED)
        assert cluster.states() == ("PAUSED", ["PAUSED"])
        assert not cluster.runner.abandoned

    def test_offsets_are_written_when_they_are_back(self, cluster, cut_off):
        tried, back = cut_off(lambda entry: entry.store is Store.OFFSET)
        cluster.put()
        eventually(lambda: len(tried), lambda tries: tries > 1)
        assert cluster.states() == ("RUNNING", ["RUNNING"])
        back.set()
        eventually(lambda: cluster.state.offsets_of("c"), bool)
        assert [offset for _, offset in cluster.state.offsets_of("c")] == [{"at": 3}]

    def test_a_failure_is_told_here_at_once_and_written_later(self, cluster, cut_off):
        tried, back = cut_off(lambda e: e.value is not None and e.value.get("state") == "FAILED")
        cluster.put(fail="task-0")
        assert "cannot go on" in cluster.task_fails()
        eventually(lambda: len(tried), lambda tries: tries > 1)
        cluster.put("other")
        assert cluster.states("other") == ("RUNNING", ["RUNNING"])
        back.set()
        eventually(lambda: cluster.log.entries[-1].value.get("state"), lambda s: s == "FAILED")

    def test_a_start_that_was_not_written_happens_again(self, cluster, cut_off):
        tried, back = cut_off(lambda entry: entry.key == "commit-c")
        cluster.log.write([config_entry("c", {"connector.class": SOURCE, "topic": "t"})])
        cluster.runner.sync("c")
        eventually(lambda: len(tried), lambda tries: tries > 1)
        back.set()
        eventually(lambda: cluster.state.statuses_of_tasks("c"), bool)
        eventually(lambda: cluster.states(), lambda seen: seen == ("RUNNING", ["RUNNING"]))

    def test_a_connector_whose_own_brokers_are_away_starts_later(self, cluster, monkeypatch):
        faults, start = [AWAY, AWAY], CountingSource.start

        def hesitant(self, config, context):
            if faults:
                raise faults.pop()
            return start(self, config, context)

        monkeypatch.setattr(CountingSource, "start", hesitant)
        cluster.put()
        eventually(lambda: cluster.state.statuses["c"].state, lambda s: s is RunState.RUNNING)

    def test_a_task_that_fails_otherwise_fails(self, cluster, monkeypatch):
        def broken(self, config, context):
            raise EnvironmentFault("the well is dry")

        monkeypatch.setattr(CountingSource, "run_task", broken)
        cluster.put()
        assert "the well is dry" in cluster.task_fails()

    def test_the_end_of_a_term_is_no_failure_of_a_task(self, cluster, monkeypatch):
        ended = threading.Event()

        def fenced(self, config, context):
            ended.set()
            raise Fenced("another leads")

        monkeypatch.setattr(CountingSource, "run_task", fenced)
        cluster.put()
        assert ended.wait(30)
        cluster.runner.running["c"].tasks[0].thread.join(30)
        assert cluster.states() == ("RUNNING", ["RUNNING"])

    def test_what_was_to_be_repeated_is_not_in_the_next_term(self, cluster):
        cluster.put()
        before, thread = cluster.runner.lanes, cluster.runner.running["c"].tasks[0].thread
        cluster.runner._begin_anew(before, "c")
        again = cluster.runner.running["c"].tasks[0].thread
        assert again is not thread
        cluster.runner._begin_anew(Lanes(), "c")
        assert cluster.runner.running["c"].tasks[0].thread is again
