"""What the cluster knows: connectors, target states, tasks, statuses, topics and offsets, as the topics' records add up.

The records are Kafka Connect's own, key by key, so that its topics can be taken over and given back.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from headrace.connect.plugins import Offset
from headrace.connect.topics import Entry, Store

Properties = Mapping[str, str]

_TOPIC_SEPARATOR = ":connector-"

# Not one of Connect's own: its workers pass over keys that they do not know.
_JAVA = "java-connector-"


class TargetState(StrEnum):
    """What a connector was told to be."""

    STARTED = "STARTED"
    PAUSED = "PAUSED"
    STOPPED = "STOPPED"


class RunState(StrEnum):
    """What a connector or task is."""

    UNASSIGNED = "UNASSIGNED"
    RUNNING = "RUNNING"
    PAUSED = "PAUSED"
    FAILED = "FAILED"
    RESTARTING = "RESTARTING"
    STOPPED = "STOPPED"


@dataclass(frozen=True, slots=True)
class Status:
    """State of a connector or task, where it is, and why it failed."""

    state: RunState
    worker_id: str
    trace: str | None = None
    version: str | None = None

    def to_json(self) -> dict[str, Any]:
        shown = {"state": self.state.value, "worker_id": self.worker_id}
        if self.version:
            shown["version"] = self.version
        if self.trace:
            shown["trace"] = self.trace
        return shown


class ClusterState:
    """The state in memory. Methods read it; `apply` is what the log calls."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.configs: dict[str, dict[str, str]] = {}
        # Connectors that the Java worker keeps; an ordered set.
        self.java: dict[str, None] = {}
        self.targets: dict[str, TargetState] = {}
        self.task_counts: dict[str, int] = {}
        self.task_configs: dict[tuple[str, int], dict[str, str]] = {}
        self.uncommitted: dict[tuple[str, int], dict[str, str]] = {}
        self.statuses: dict[str, Status] = {}
        self.task_statuses: dict[tuple[str, int], Status] = {}
        self.topics: dict[str, dict[str, None]] = {}
        self.offsets: dict[str, dict[str, tuple[Offset, Offset]]] = {}
        self.on_logger: Callable[[str, str], None] = lambda name, level: None

    def names(self) -> list[str]:
        with self.lock:
            return list(self.configs)

    def tasks(self, name: str) -> list[Properties]:
        """Configs of the tasks that count; those of earlier, larger sets are kept but do not."""
        with self.lock:
            numbers = range(self.task_counts.get(name, 0))
            return [self.task_configs.get((name, number), {}) for number in numbers]

    def statuses_of_tasks(self, name: str) -> dict[int, Status]:
        with self.lock:
            found = {task: s for (owner, task), s in self.task_statuses.items() if owner == name}
        return dict(sorted(found.items()))

    def offsets_of(self, name: str) -> list[tuple[Offset, Offset]]:
        with self.lock:
            return list(self.offsets.get(name, {}).values())

    def offset(self, name: str, partition: Offset) -> Offset | None:
        with self.lock:
            found = self.offsets.get(name, {}).get(canonical(partition))
            return None if found is None else found[1]

    def forsake(self, worker_id: str) -> None:
        """Nothing runs any more where this worker ran it. Seen here alone: who runs it next writes so."""
        with self.lock:
            for statuses in (self.statuses, self.task_statuses):
                _unassign(statuses, worker_id)

    def apply(self, entry: Entry) -> None:
        with self.lock:
            match entry.store:
                case Store.CONFIG:
                    self._apply_config(entry.key, entry.value)
                case Store.STATUS:
                    self._apply_status(entry.key, entry.value)
                case Store.OFFSET:
                    self._apply_offset(entry.key, entry.value)

    def _apply_config(self, key: str, value: Mapping[str, Any] | None) -> None:
        kind, name = _split(
            key, "connector-", "target-state-", "commit-", "task-", "logger-cluster-", _JAVA
        )
        match kind:
            case "connector-":
                self._set_config(name, value)
            case "target-state-":
                _put(self.targets, name, None if value is None else _target(value))
            case "task-" if value is not None:
                connector, _, number = name.rpartition("-")
                self.uncommitted[connector, int(number)] = dict(value["properties"])
            case "commit-" if value is not None:
                self._commit_tasks(name, value["tasks"])
            case "logger-cluster-" if value is not None:
                self.on_logger(name, value["level"])
            case _ if kind == _JAVA:
                _put(self.java, name, None, gone=value is None)

    def _set_config(self, name: str, value: Mapping[str, Any] | None) -> None:
        _put(self.configs, name, None if value is None else dict(value["properties"]))
        if value is None:
            self.task_counts.pop(name, None)
            for stored in (self.task_configs, self.uncommitted):
                for task in [task for task in stored if task[0] == name]:
                    del stored[task]

    def _commit_tasks(self, name: str, count: int) -> None:
        """Configs of tasks count together, once all of a set are written."""
        pending = {task: config for task, config in self.uncommitted.items() if task[0] == name}
        self.task_configs.update(pending)
        for task in pending:
            del self.uncommitted[task]
        self.task_counts[name] = count

    def _apply_status(self, key: str, value: Mapping[str, Any] | None) -> None:
        kind, name = _split(key, "status-connector-", "status-task-", "status-topic-")
        status = None if value is None or kind == "status-topic-" else _status(value)
        match kind:
            case "status-connector-":
                _put(self.statuses, name, status)
            case "status-task-":
                connector, _, number = name.rpartition("-")
                _put(self.task_statuses, (connector, int(number)), status)
            case "status-topic-":
                topic, _, connector = name.partition(_TOPIC_SEPARATOR)
                _put(self.topics.setdefault(connector, {}), topic, None, gone=value is None)

    def _apply_offset(self, key: str, value: Mapping[str, Any] | None) -> None:
        name, partition = json.loads(key)
        found = None if value is None else (partition, value)
        _put(self.offsets.setdefault(name, {}), canonical(partition), found)


def _unassign(statuses: dict[Any, Status], worker_id: str) -> None:
    for part, status in statuses.items():
        if status.state is RunState.RUNNING and status.worker_id == worker_id:
            statuses[part] = Status(RunState.UNASSIGNED, worker_id, version=status.version)


def canonical(partition: Offset) -> str:
    """A partition's identity: the order of its fields does not count."""
    return json.dumps(partition, sort_keys=True, separators=(",", ":"))


def config_entry(name: str, config: Mapping[str, str | None] | None) -> Entry:
    value = None if config is None else {"properties": config}
    return Entry(Store.CONFIG, f"connector-{name}", value)


def target_entry(name: str, target: TargetState | None) -> Entry:
    """`state` is what workers before 3.5 understand, which know no stopped connectors."""
    if target is None:
        return Entry(Store.CONFIG, f"target-state-{name}", None)
    old = TargetState.PAUSED if target is TargetState.STOPPED else target
    return Entry(
        Store.CONFIG, f"target-state-{name}", {"state": old.value, "state.v2": target.value}
    )


def task_entries(name: str, configs: Sequence[Properties]) -> list[Entry]:
    tasks = [
        Entry(Store.CONFIG, f"task-{name}-{number}", {"properties": dict(config)})
        for number, config in enumerate(configs)
    ]
    return [*tasks, Entry(Store.CONFIG, f"commit-{name}", {"tasks": len(configs)})]


def java_entry(name: str, *, there: bool) -> Entry:
    """That the Java worker has a connector of this name, or has it no more."""
    return Entry(Store.CONFIG, f"{_JAVA}{name}", {} if there else None)


def logger_entry(name: str, level: str) -> Entry:
    return Entry(Store.CONFIG, f"logger-cluster-{name}", {"level": level})


def status_entry(name: str, status: Status | None, task: int | None = None) -> Entry:
    key = f"status-connector-{name}" if task is None else f"status-task-{name}-{task}"
    if status is None:
        return Entry(Store.STATUS, key, None)
    value = {
        "state": status.state.value,
        "trace": status.trace,
        "worker_id": status.worker_id,
        # Connect's count of group rebalances, by which it tells stale records; one writer needs none.
        "generation": 0,
        "version": status.version,
    }
    return Entry(Store.STATUS, key, value)


def topic_entry(name: str, topic: str, task: int, now_ms: int) -> Entry:
    value = {"name": topic, "connector": name, "task": task, "discoverTimestamp": now_ms}
    return Entry(Store.STATUS, f"status-topic-{topic}{_TOPIC_SEPARATOR}{name}", {"topic": value})


def topic_reset_entries(name: str, topics: Iterable[str]) -> list[Entry]:
    return [
        Entry(Store.STATUS, f"status-topic-{topic}{_TOPIC_SEPARATOR}{name}", None)
        for topic in topics
    ]


def offset_entry(name: str, partition: Offset, offset: Offset | None) -> Entry:
    """Kafka compares keys byte by byte, so that a partition is always spelled the same."""
    key = json.dumps([name, partition], sort_keys=True, separators=(",", ":"))
    return Entry(Store.OFFSET, key, offset)


def _split(key: str, *prefixes: str) -> tuple[str, str]:
    """The prefix a key begins with, and the rest; other workers' kinds of records have none."""
    for prefix in prefixes:
        if key.startswith(prefix):
            return prefix, key.removeprefix(prefix)
    return "", key


def _target(value: Mapping[str, Any]) -> TargetState:
    return TargetState(value.get("state.v2") or value["state"])


def _status(value: Mapping[str, Any]) -> Status:
    return Status(
        RunState(value["state"]), value["worker_id"], value.get("trace"), value.get("version")
    )


def _put(table: dict[Any, Any], key: Any, value: Any, *, gone: bool | None = None) -> None:
    if value is None if gone is None else gone:
        table.pop(key, None)
    else:
        table[key] = value
