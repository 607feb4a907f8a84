"""What the REST API can ask about connectors and have done with them. Reads answer anywhere, writes on the leader."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headrace.connect import common
from headrace.connect import state as records
from headrace.connect.answers import (
    NO_LEADER,
    REBALANCE,
    NotLeader,
    Refusal,
    bad_request,
    not_found,
)
from headrace.connect.client_options import WrongOverride
from headrace.connect.java_order import java_order, table_of_copy
from headrace.connect.leadership import Leadership
from headrace.connect.plugins import Connector, Kind, Plugins, UnknownPlugin
from headrace.connect.providers import Providers
from headrace.connect.runner import Runner
from headrace.connect.state import ClusterState, RunState, Status, TargetState
from headrace.connect.topics import Entry, Fenced, Log
from headrace.connect.validation import Verdict, validate
from headrace.connectors.kafka.login_modules import login_sets
from headrace.toolchain.jars import installed

Config = Mapping[str, str | None]


class Herder:
    def __init__(
        self,
        plugins: Plugins,
        providers: Providers,
        state: ClusterState,
        log: Log,
        leadership: Leadership,
        runner: Runner,
    ) -> None:
        self.plugins = plugins
        self.providers = providers
        self.state = state
        self.log = log
        self.leadership = leadership
        self.runner = runner
        self.leads = False
        # What is looked up before a write still holds when it is written.
        self.changing = threading.RLock()

    # -- reading

    def info(self, name: str) -> dict[str, Any]:
        config = self._config(name)
        tasks = range(len(self.state.tasks(name)))
        return {
            "name": name,
            "config": config,
            "tasks": [{"connector": name, "task": number} for number in tasks],
            "type": self.type_of(config),
        }

    def config(self, name: str) -> dict[str, str]:
        return self._config(name)

    def tasks(self, name: str) -> list[dict[str, Any]]:
        self._config(name)
        return [
            {"id": {"connector": name, "task": number}, "config": config}
            for number, config in enumerate(self.state.tasks(name))
        ]

    def status(self, name: str) -> dict[str, Any]:
        status = self.state.statuses.get(name)
        if status is None:
            raise not_found(f"No status found for connector {name}")
        return self._shown(name, status, self.state.statuses_of_tasks(name))

    def task_status(self, name: str, task: int) -> dict[str, Any]:
        status = self.state.task_statuses.get((name, task))
        if status is None:
            raise not_found(f"No status found for task {name}-{task}")
        return {"id": task, **status.to_json()}

    def topics(self, name: str) -> dict[str, Any]:
        """Also of connectors that nobody knows: they use none."""
        return {name: {"topics": list(self.state.topics.get(name, {}))}}

    def type_of(self, config: Config | None) -> str:
        try:
            return self.plugins.connector((config or {}).get("connector.class") or "").kind.value
        except UnknownPlugin:
            return "unknown"

    # -- checking

    def validate(self, config: Config, *, unknown_class: int) -> Verdict:
        """The verdict on the configuration as it would be started; `unknown_class` is the status where there is none."""
        connector = self._connector(config, unknown_class)
        # References stand for text that must be valid too, and a null is a fault to be told, not resolved.
        known = self.providers.resolve({k: text for k, text in config.items() if text is not None})
        try:
            return validate(self.plugins, connector, {**config, **known}, self.runner.worker)
        except WrongOverride as error:
            raise Refusal(500, _wrapped(_CONFIG_EXCEPTION, str(error), unknown_class)) from None

    def options_of(self, plugin_name: str) -> list[dict[str, Any]]:
        try:
            plugin = self.plugins.find(plugin_name)
        except UnknownPlugin:
            raise not_found(f"Unknown plugin {plugin_name}.") from None
        base = {Kind.SINK: common.sink, Kind.SOURCE: common.source}.get(plugin.kind)
        own = plugin.config()
        if base is None:
            return [key.to_json() for key in own]
        every = base(self.plugins)
        every = every.plus([common.of_version(every.keys["connector.plugin.version"], plugin)])
        others = [key for key in every if key.name not in own.keys]
        return [key.to_json() for key in [*own, *others]]

    def _connector(self, config: Config, unknown_class: int) -> type[Connector]:
        name = config.get("connector.class")
        if name is None:
            message = f"Connector config {_as_java(config)} contains no connector type"
            raise Refusal(unknown_class, _wrapped(_BAD_REQUEST, message, unknown_class))
        try:
            return self.plugins.connector(name)
        except UnknownPlugin as error:
            message = f"org.apache.kafka.connect.errors.ConnectException: {error}"
            raise Refusal(unknown_class, _wrapped(_BAD_REQUEST, message, unknown_class)) from None

    # -- writing

    def put(
        self, name: str, config: Config, target: TargetState | None, *, replace: bool
    ) -> tuple[bool, dict[str, Any]]:
        """Whether the connector is new, and its info."""
        errors = self.validate(config, unknown_class=400).errors
        if errors:
            raise bad_request(invalid_config(errors))
        self.require_leader()
        self._require_jars(config)
        states = [] if target is None else [records.target_entry(name, target)]
        with self.changing:
            exists = name in self.state.configs
            if exists and not replace:
                raise Refusal(409, f"Connector {name} already exists")
            # To start may take a while, in which a new connector must not seem to be none.
            status = [] if exists else [self._unassigned(name, config)]
            self.write([*states, records.config_entry(name, config), *status])
            info = self.info(name)
            self.runner.sync(name)
            return not exists, info

    def _require_jars(self, config: Config) -> None:
        """Raises JARS_NOT_INSTALLED, with the command that downloads what the connector needs."""
        given = {key: text for key, text in config.items() if text is not None}
        sets = self.plugins.connector(given["connector.class"]).jar_sets
        installed(*sets, *login_sets(self.providers.resolve(given)))

    def _unassigned(self, name: str, config: Config) -> Entry:
        version = self._connector(config, 400).version
        status = Status(RunState.UNASSIGNED, self.runner.worker_id, version=version)
        return records.status_entry(name, status)

    def patch(self, name: str, changes: Config) -> dict[str, Any]:
        self.require_leader()
        with self.changing:
            merged = {**self._config(name), **changes}
            kept = {key: text for key, text in merged.items() if text is not None}
            return self.put(name, kept, None, replace=True)[1]

    def delete(self, name: str) -> None:
        self.require_leader()
        with self.changing:
            self._config(name)
            self.write([records.config_entry(name, None), records.target_entry(name, None)])
            self.runner.sync(name)

    def set_target(self, name: str, target: TargetState) -> None:
        self.require_leader()
        if name not in self.state.configs:
            raise not_found(f"Unknown connector {name}")
        if self.state.targets.get(name, TargetState.STARTED) is target:
            return
        tasks = records.task_entries(name, []) if target is TargetState.STOPPED else []
        self.write([records.target_entry(name, target), *tasks])
        self.runner.sync(name)

    def restart(self, name: str) -> None:
        """The connector alone; its tasks go on unless it makes others."""
        self.require_leader()
        if name not in self.state.configs:
            raise not_found(f"Unknown connector: {name}")
        self.runner.restart(name, True, ())

    def restart_task(self, name: str, task: int) -> None:
        self.require_leader()
        if name not in self.state.configs:
            raise not_found(f"Unknown connector: {name}")
        if (name, task) not in self.state.task_configs:
            raise not_found(f"Unknown task: {name}-{task}")
        if task >= len(self.state.tasks(name)):
            # It was one, but none of this moment: nobody runs it, which Connect takes for a rebalance.
            raise Refusal(409, NO_LEADER)
        self.runner.restart(name, False, [task])

    def restart_parts(self, name: str, *, include_tasks: bool, only_failed: bool) -> dict[str, Any]:
        """The status as it is while the chosen parts restart."""
        self.require_leader()
        if name not in self.state.configs:
            raise not_found(f"Unknown connector: {name}")
        status = self.state.statuses.get(name)
        if status is None:
            raise not_found(f"Status for connector {name} not found")
        tasks = self.state.statuses_of_tasks(name)

        def chosen(part: Status) -> bool:
            return not only_failed or part.state is RunState.FAILED

        numbers = [n for n, task in tasks.items() if include_tasks and chosen(task)]
        shown = self._shown(
            name,
            _restarting(status) if chosen(status) else status,
            {n: _restarting(task) if n in numbers else task for n, task in tasks.items()},
        )
        self.runner.restart(name, chosen(status), numbers)
        return shown

    def reset_topics(self, name: str) -> None:
        self.require_leader()
        self.write(records.topic_reset_entries(name, list(self.state.topics.get(name, {}))))

    # -- leading

    def require_leader(self) -> None:
        if not self.leads:
            raise NotLeader(self.leadership.leader_url())

    def write(self, entries: Sequence[Entry]) -> None:
        with self.leading():
            self.log.write(entries)

    @contextlib.contextmanager
    def leading(self) -> Iterator[None]:
        """Around what only a leader writes: one that leads no more says so."""
        try:
            yield
        except Fenced:
            self.leads = False
            raise Refusal(409, REBALANCE) from None

    def _config(self, name: str) -> dict[str, str]:
        config = self.state.configs.get(name)
        if config is None:
            raise not_found(f"Connector {name} not found")
        return dict(config)

    def _shown(self, name: str, status: Status, tasks: Mapping[int, Status]) -> dict[str, Any]:
        return {
            "name": name,
            "connector": status.to_json(),
            "tasks": [{"id": number, **task.to_json()} for number, task in tasks.items()],
            "type": self.type_of(self.state.configs.get(name)),
        }


_BAD_REQUEST = "org.apache.kafka.connect.runtime.rest.errors.BadRequestException"
_CONFIG_EXCEPTION = "org.apache.kafka.common.config.ConfigException"


def _wrapped(exception: str, message: str, status: int) -> str:
    """Connect checks for `validate` in a thread of its own, and shows what that threw with its class."""
    return f"{exception}: {message}" if status == 500 else message


# Connect shows these as well.
_SECRET = re.compile(r"password|secret|token|credential|jaas|private|access\.key", re.IGNORECASE)


def _as_java(config: Config) -> str:
    """A configuration as Java prints it: a copy of what was sent, to which the name was added."""
    table = table_of_copy(len(config) - ("name" in config))
    shown = (
        f"{name}={'null' if text is None else '[hidden]' if _SECRET.search(name) else text}"
        for name, text in ((name, config[name]) for name in java_order(config, table))
    )
    return f"{{{', '.join(shown)}}}"


def _restarting(status: Status) -> Status:
    return Status(RunState.RESTARTING, status.worker_id, status.trace, status.version)


def invalid_config(errors: Sequence[str]) -> str:
    listed = "\n".join(errors)
    return (
        f"Connector configuration is invalid and contains the following {len(errors)} error(s):\n{listed}\n"
        "You can also find the above list of errors at the endpoint "
        "`/connector-plugins/{connectorType}/config/validate`"
    )
