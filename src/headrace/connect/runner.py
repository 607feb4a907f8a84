"""Connectors at work on the leading worker: started, split into tasks, paused, restarted, stopped.

The changes of one connector happen in the order they are asked for, so that it is never started and stopped at once; those
of others do not wait for it, since to start may take as long as a database does not answer. Tasks run in threads of their
own. What happens is written as statuses, which is all that other workers see.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from headrace.connect import state as records
from headrace.connect.lanes import Lanes
from headrace.connect.offset_stores import OffsetStore, OffsetStores
from headrace.connect.outages import passes
from headrace.connect.plugins import Connector, ConnectorContext, Kind, Offset, Plugins, TaskContext
from headrace.connect.providers import Providers, has_reference
from headrace.connect.restarts import Policy, Restarts
from headrace.connect.state import ClusterState, Properties, RunState, Status, TargetState
from headrace.connect.statuses import Statuses
from headrace.connect.topics import Entry, Fenced, Log
from headrace.connect.traces import trace_of

logger = logging.getLogger("headrace.connect")

# Connect's task.shutdown.graceful.timeout.ms; a thread that does not end in it is left behind.
GRACE_SECONDS = 5.0

# Before what brokers that are away have failed is tried again; to ask them takes seconds by itself.
_PAUSE_SECONDS = 1.0

# The same for a connector that does not start, which tells each time that it has failed.
_AWAY_SECONDS = 10.0


@dataclass(slots=True)
class RunningTask:
    thread: threading.Thread
    context: TaskContext


@dataclass(slots=True)
class Running:
    """A started connector: the object, the config it was started with, its offsets, when a task is started again, and
    its tasks."""

    connector: Connector
    config: Properties
    offsets: OffsetStore
    policy: Policy
    tasks: dict[int, RunningTask] = field(default_factory=dict)


class Runner:
    def __init__(
        self,
        plugins: Plugins,
        providers: Providers,
        state: ClusterState,
        log: Log,
        worker_id: str,
        worker: Mapping[str, str],
        stores: OffsetStores | None = None,
    ) -> None:
        self.plugins = plugins
        self.providers = providers
        self.state = state
        self.log = log
        self.worker_id = worker_id
        self.worker = dict(worker)
        self.stores = stores or OffsetStores(state, log)
        self.running: dict[str, Running] = {}
        self.restarts = Restarts()
        self.abandoned: set[threading.Thread] = set()
        # Those whose start has not returned yet, to be told when nobody waits for it any more.
        self.starting: dict[str, Connector] = {}
        self.lanes = Lanes()
        self.lanes.close()
        self.statuses = Statuses(log, state.apply)

    @property
    def takes_changes(self) -> bool:
        return not self.lanes.closed

    def start(self) -> None:
        """Begin to work, with every connector there is."""
        self.lanes = Lanes()
        self.statuses = Statuses(self.log, self.state.apply)
        for name in self.state.names():
            self.sync(name)

    def stop(self) -> None:
        """End all tasks without a word in the statuses: the next leader writes its own."""
        self.lanes.close()
        self.statuses.close()
        self._hurry(list(self.starting))
        self.lanes.wait()
        self._end_all()
        self.state.forsake(self.worker_id)

    def sync(self, name: str) -> None:
        """Bring a connector to its config and target state."""
        # In this order: what is put may start the connector at once, and that start is wanted.
        self._hurry([name])
        self._put(name, lambda: self._sync(name))

    def restart(self, name: str, connector: bool, tasks: Sequence[int]) -> None:
        self._put(name, lambda: self._restart(name, connector, tasks))

    def settled(self, timeout: float) -> bool:
        """Whether everything asked for so far is done in time."""
        return self.lanes.settled(timeout)

    def _put(self, name: str, change: Callable[[], None]) -> None:
        lanes = self.lanes
        lanes.put(name, lambda: self._change(lanes, name, change))

    def _change(self, lanes: Lanes, name: str, change: Callable[[], None]) -> None:
        try:
            change()
        except Fenced:
            self.statuses.close()
            if lanes.close():
                logger.warning("another worker leads; connectors of this one stop")
                self._hurry(list(self.starting))
                lanes.wait(beside=name)
                self._end_all()
        except Exception as error:
            logger.exception("a change of connector %s failed", name)
            if passes(error):
                self._later(name, _PAUSE_SECONDS, lambda: self._begin_anew(lanes, name))

    def _begin_anew(self, lanes: Lanes, name: str) -> None:
        """After a change that brokers did not let happen as a whole, unless all began anew since."""
        if lanes is self.lanes:
            self._end(name)
            self._sync(name)

    def _hurry(self, names: Iterable[str]) -> None:
        """What starts now will not be wanted: a database that does not answer need not be waited for."""
        for name in names:
            connector = self.starting.pop(name, None)
            if connector is not None:
                connector.stop()

    def _end_all(self) -> None:
        for running in list(self.running.values()):
            self._end_tasks(running.tasks.values())
            running.connector.stop()
        self.running.clear()

    def _sync(self, name: str) -> None:
        config = self.state.configs.get(name)
        if config is None:
            self._forget(name)
            return
        match self.state.targets.get(name, TargetState.STARTED):
            case TargetState.STOPPED:
                self._stop(name)
            case TargetState.PAUSED:
                self._pause(name)
            case TargetState.STARTED:
                running = self.running.get(name)
                if running is None or running.config != config:
                    self._end(name)
                    self._start(name)

    def _start(self, name: str) -> None:
        raw = dict(self.state.configs[name])
        policy = Policy()
        connector: Connector | None = None
        self.restarts.started(name)
        try:
            config = self.providers.resolve(raw)
            policy = Policy.of(config)
            connector = self.plugins.connector(raw["connector.class"])()
            self.starting[name] = connector
            offsets = self._offsets(connector, name, config)
            tasks = self._tasks_of(connector, name, raw, config, offsets)
        except Exception as error:
            if connector is None or self.starting.pop(name, None) is connector:
                self._report(name, RunState.FAILED, error)
                wait = self.restarts.next_wait(policy, name)
                if passes(error):
                    wait = _AWAY_SECONDS
                self._later(name, wait, lambda: self._retry(name, raw))
            return
        if self.starting.pop(name, None) is not connector:
            # It was told to stop while it started; what was asked of it then comes next.
            connector.stop()
            return
        self.running[name] = Running(connector, raw, offsets, policy)
        self.log.write(records.task_entries(name, tasks))
        gone = [
            records.status_entry(name, None, number)
            for number in self.state.statuses_of_tasks(name)
            if number >= len(tasks)
        ]
        self.statuses.write([*gone, self._status(name, RunState.RUNNING)])
        for number in range(len(tasks)):
            self._run_task(name, number)

    def _offsets(self, connector: Connector, name: str, config: Properties) -> OffsetStore:
        """What a sink calls by the same name is none of ours."""
        is_source = connector.kind is Kind.SOURCE
        return self.stores.open(name, config) if is_source else self.stores.shared(name)

    def _tasks_of(
        self,
        connector: Connector,
        name: str,
        raw: Properties,
        config: Properties,
        offsets: OffsetStore,
    ) -> list[Properties]:
        """Configs of the tasks as they are stored: with references where the connector's own config has them."""
        context = ConnectorContext(
            name,
            self.worker,
            lambda: self._put(name, lambda: self._restart(name, True, ())),
            offsets.all,
        )
        tasks = connector.start(config, context)
        most = int(config.get("tasks.max", "1"))
        if len(tasks) > most and config.get("tasks.max.enforce", "true").lower() == "true":
            raise ValueError(f"the connector made {len(tasks)} tasks, tasks.max allows {most}")
        extra = {} if connector.task_class is None else {"task.class": connector.task_class}
        return [
            {
                key: raw[key] if has_reference(raw.get(key, "")) else text
                for key, text in task.items()
            }
            | extra
            for task in tasks
        ]

    def _run_task(self, name: str, number: int) -> None:
        running, configs = self.running[name], self.state.tasks(name)
        if number >= len(configs):
            # The connector was deleted in the meantime; what ends it waits in the queue.
            return
        stopping = threading.Event()
        context = TaskContext(
            name,
            number,
            self.worker,
            running.offsets.get,
            lambda changes: self._write_offsets(running.offsets, number, changes, stopping),
            lambda topics: self._use_topics(name, topics, number),
            stopping,
        )
        thread = threading.Thread(
            target=self._task,
            args=(running, configs[number], context),
            name=f"task-{name}-{number}",
            daemon=True,
        )
        running.tasks[number] = RunningTask(thread, context)
        self.restarts.started(name, number)
        self.statuses.write([self._status(name, RunState.RUNNING, task=number)])
        thread.start()

    def _task(self, running: Running, raw: Mapping[str, str], context: TaskContext) -> None:
        try:
            self._work(running, raw, context)
            if not context.stopping.is_set():
                raise RuntimeError("the task ended without being told to")
        except Fenced as error:
            # Not a failure: this worker's term is over, and the task about to be told so.
            logger.info("%s ends: %s", threading.current_thread().name, error)
        except Exception as error:
            if not context.stopping.is_set():
                self._report(context.name, RunState.FAILED, error, context.number)
                wait = self.restarts.next_wait(running.policy, context.name, context.number)
                self._later(context.name, wait, lambda: self._retry_task(context))

    def _work(self, running: Running, raw: Mapping[str, str], context: TaskContext) -> None:
        """Brokers that are away are waited for, as Kafka's own clients do; the task then begins anew where its offsets are."""
        while True:
            try:
                running.connector.run_task(self.providers.resolve(raw), context)
                return
            except Exception as error:
                if not passes(error) or context.stopping.is_set():
                    raise
                task = f"{context.name}-{context.number}"
                logger.warning("%s waits for brokers: %s", task, self._told(error))
            if context.stopping.wait(_PAUSE_SECONDS):
                return

    def _later(self, name: str, seconds: float | None, action: Callable[[], None]) -> None:
        if seconds is not None:
            timer = threading.Timer(seconds, lambda: self._put(name, action))
            timer.daemon = True
            timer.start()

    def _retry(self, name: str, config: Properties) -> None:
        """Unless the connector was changed, started or told to rest in the meantime."""
        target = self.state.targets.get(name, TargetState.STARTED)
        unchanged = self.state.configs.get(name) == config and name not in self.running
        if unchanged and target is TargetState.STARTED:
            self._start(name)

    def _retry_task(self, failed: TaskContext) -> None:
        """Unless another has taken its place in the meantime."""
        running = self.running.get(failed.name)
        task = None if running is None else running.tasks.get(failed.number)
        if task is not None and task.context is failed:
            self._end_tasks(self._pop_tasks(failed.name, [failed.number]))
            self._run_task(failed.name, failed.number)

    def _pause(self, name: str) -> None:
        self._end(name)
        # What has failed cannot pause, and still says why.
        paused = [
            number
            for number in range(len(self.state.tasks(name)))
            if not self._has_failed(name, number)
        ]
        self.statuses.write(
            [
                self._status(name, RunState.PAUSED),
                *(self._status(name, RunState.PAUSED, task=number) for number in paused),
            ]
        )

    def _has_failed(self, name: str, number: int) -> bool:
        status = self.state.task_statuses.get((name, number))
        return status is not None and status.state is RunState.FAILED

    def _stop(self, name: str) -> None:
        """A worker that died while it was told to stop may have left the configs of tasks."""
        self._end(name)
        self.statuses.write(
            [
                *(records.task_entries(name, []) if self.state.tasks(name) else ()),
                *self._without_tasks(name),
                self._status(name, RunState.STOPPED),
            ]
        )

    def _forget(self, name: str) -> None:
        self._end(name)
        topics = self.state.topics.get(name, {})
        self.statuses.write(
            [
                *self._without_tasks(name),
                records.status_entry(name, None),
                *records.topic_reset_entries(name, topics),
            ]
        )

    def _without_tasks(self, name: str) -> list[Entry]:
        return [
            records.status_entry(name, None, number)
            for number in self.state.statuses_of_tasks(name)
        ]

    def _restart(self, name: str, connector: bool, tasks: Sequence[int]) -> None:
        target = self.state.targets.get(name, TargetState.STARTED)
        if name not in self.state.configs or target is not TargetState.STARTED:
            return
        self.restarts.forget(name)
        if name not in self.running or (connector and not self._renewed(name)):
            self._end(name)
            self._start(name)
            return
        for number in tasks:
            if number < len(self.state.tasks(name)):
                self._end_tasks(self._pop_tasks(name, [number]))
                self._run_task(name, number)

    def _renewed(self, name: str) -> bool:
        """Put a new object in the place of a running connector, if it makes the same tasks, which then go on."""
        running, raw = self.running[name], dict(self.state.configs[name])
        try:
            fresh = self.plugins.connector(raw["connector.class"])()
            resolved = self.providers.resolve(raw)
            tasks = self._tasks_of(fresh, name, raw, resolved, running.offsets)
        except Exception as error:
            self._report(name, RunState.FAILED, error)
            return True
        if running.config != raw or tasks != self.state.tasks(name):
            fresh.stop()
            return False
        running.connector.stop()
        running.connector = fresh
        self.statuses.write([self._status(name, RunState.RUNNING)])
        return True

    def _end(self, name: str) -> None:
        self.restarts.forget(name)
        running = self.running.pop(name, None)
        if running is not None:
            self._end_tasks(running.tasks.values())
            running.connector.stop()

    def _pop_tasks(self, name: str, numbers: Sequence[int]) -> list[RunningTask]:
        tasks = self.running[name].tasks
        return [tasks.pop(number) for number in numbers if number in tasks]

    def _write_offsets(
        self,
        offsets: OffsetStore,
        number: int,
        changes: Sequence[tuple[Offset, Offset]],
        stopping: threading.Event,
    ) -> None:
        """Tried until brokers are back: what the task has sent is not sent again then."""
        task = f"{offsets.name}-{number}"
        while True:
            if threading.current_thread() in self.abandoned:
                raise Fenced(f"task {task} was left behind and may not write offsets any more")
            try:
                offsets.write(changes)
                return
            except Exception as error:
                if not passes(error) or stopping.wait(_PAUSE_SECONDS):
                    raise
                logger.warning("offsets of %s are not written yet: %s", task, error)

    def _use_topics(self, name: str, topics: Iterable[str], task: int) -> None:
        """All in one write: it waits until what was written is read again."""
        known, now = self.state.topics.get(name, {}), int(time.time() * 1000)
        new = [topic for topic in topics if topic not in known]
        if new:
            self.log.write([records.topic_entry(name, topic, task, now) for topic in new])

    def _status(
        self, name: str, state: RunState, *, task: int | None = None, trace: str | None = None
    ) -> Entry:
        version = self._version(name)
        return records.status_entry(name, Status(state, self.worker_id, trace, version), task)

    def _version(self, name: str) -> str | None:
        plugin = self.plugins.names.get(self.state.configs.get(name, {}).get("connector.class", ""))
        return None if plugin is None else plugin.version

    def _report(
        self, name: str, state: RunState, error: BaseException, task: int | None = None
    ) -> None:
        trace = self._told(error)
        logger.error("%s%s failed: %s", name, "" if task is None else f"-{task}", trace)
        self.statuses.report(self._status(name, state, task=task, trace=trace))

    def _told(self, error: BaseException) -> str:
        return self.providers.hide(trace_of(error))

    def _end_tasks(self, tasks: Iterable[RunningTask]) -> None:
        """Tell all of them first, so that they end side by side."""
        ending = list(tasks)
        for task in ending:
            task.context.stopping.set()
        deadline = time.monotonic() + GRACE_SECONDS
        for task in ending:
            task.thread.join(max(0.0, deadline - time.monotonic()))
            if task.thread.is_alive():
                self.abandoned.add(task.thread)
                logger.warning("%s did not end in time and is left behind", task.thread.name)
