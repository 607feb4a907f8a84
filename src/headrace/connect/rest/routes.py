"""The routes of the REST API and what each does."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import headrace
from headrace.connect.answers import Refusal, bad_request, not_found
from headrace.connect.plugins import CONNECTORS, Kind
from headrace.connect.rest.messages import Request, Response
from headrace.connect.state import TargetState
from headrace.connect.worker import Worker

# The release of Kafka Connect whose API this is; clients choose by it what they may ask.
API_VERSION = "4.1.1"

Handler = Callable[[Worker, Request], Response]


@dataclass(frozen=True, slots=True)
class Route:
    method: str
    path: str
    summary: str
    handle: Handler
    query: tuple[str, ...] = ()


def root(worker: Worker, request: Request) -> Response:
    commit = f"headrace-{headrace.__version__}"
    return Response(
        200, {"version": API_VERSION, "commit": commit, "kafka_cluster_id": worker.cluster_id}
    )


def health(worker: Worker, request: Request) -> Response:
    return Response(*worker.health())


def list_connectors(worker: Worker, request: Request) -> Response:
    names = worker.state.names()
    if "expand" not in request.query:
        return Response(200, [*names, *worker.state.java])
    looks = {"status": worker.herder.status, "info": worker.herder.info}
    wanted = [part for part in dict.fromkeys(request.query["expand"]) if part in looks]
    expanded = {}
    for name in names:
        try:
            expanded[name] = {part: looks[part](name) for part in wanted}
        except Refusal:
            # It went while it was looked up, or has no status yet.
            continue
    return Response(200, {**expanded, **worker.java.expanded(request)})


def create_connector(worker: Worker, request: Request) -> Response:
    asked = request.content().creation()
    config = _named(asked.name, asked.config)
    target = None if asked.initial_state is None else _TARGETS[asked.initial_state]
    _, info = worker.herder.put(asked.name, config, target, replace=False)
    return Response(201, info, _location(request, asked.name))


_TARGETS = {
    "RUNNING": TargetState.STARTED,
    "PAUSED": TargetState.PAUSED,
    "STOPPED": TargetState.STOPPED,
}


def get_connector(worker: Worker, request: Request) -> Response:
    return Response(200, worker.herder.info(_name(request)))


def delete_connector(worker: Worker, request: Request) -> Response:
    worker.herder.delete(_name(request))
    return Response(204)


def get_config(worker: Worker, request: Request) -> Response:
    return Response(200, worker.herder.config(_name(request)))


def put_config(worker: Worker, request: Request) -> Response:
    name = _name(request)
    config = _named(name, request.content().config())
    created, info = worker.herder.put(name, config, None, replace=True)
    return Response(201, info, _location(request, name)) if created else Response(200, info)


def patch_config(worker: Worker, request: Request) -> Response:
    content = request.content()
    if content.root is None:
        # Connect looks for the connector before it looks at what is to be changed.
        worker.herder.config(_name(request))
    changes = content.config(("java.util.Map.forEach(java.util.function.BiConsumer)", "patch"))
    return Response(200, worker.herder.patch(_name(request), changes))


def get_status(worker: Worker, request: Request) -> Response:
    return Response(200, worker.herder.status(_name(request)))


def get_tasks(worker: Worker, request: Request) -> Response:
    return Response(200, worker.herder.tasks(_name(request)))


def get_tasks_config(worker: Worker, request: Request) -> Response:
    tasks = worker.herder.tasks(_name(request))
    return Response(200, {f"{_name(request)}-{i}": task["config"] for i, task in enumerate(tasks)})


def get_task_status(worker: Worker, request: Request) -> Response:
    return Response(200, worker.herder.task_status(_name(request), _task(request)))


def restart_task(worker: Worker, request: Request) -> Response:
    worker.herder.restart_task(_name(request), _task(request))
    return Response(204)


def restart(worker: Worker, request: Request) -> Response:
    tasks, failed = request.flag("includeTasks"), request.flag("onlyFailed")
    if not tasks and not failed:
        worker.herder.restart(_name(request))
        return Response(204)
    shown = worker.herder.restart_parts(_name(request), include_tasks=tasks, only_failed=failed)
    return Response(202, shown)


def _target(target: TargetState, status: int) -> Handler:
    def handle(worker: Worker, request: Request) -> Response:
        worker.herder.set_target(_name(request), target)
        return Response(status)

    return handle


def get_topics(worker: Worker, request: Request) -> Response:
    _require_tracking(worker, "topic.tracking.enable", "Topic tracking is disabled.")
    return Response(200, worker.herder.topics(_name(request)))


def reset_topics(worker: Worker, request: Request) -> Response:
    _require_tracking(worker, "topic.tracking.enable", "Topic tracking is disabled.")
    _require_tracking(worker, "topic.tracking.allow.reset", "Topic tracking reset is disabled.")
    worker.herder.reset_topics(_name(request))
    return Response(202)


def _require_tracking(worker: Worker, setting: str, message: str) -> None:
    if not worker.settings.values[setting]:
        raise Refusal(403, message)


def get_offsets(worker: Worker, request: Request) -> Response:
    return Response(200, worker.offsets.read(_name(request)))


def patch_offsets(worker: Worker, request: Request) -> Response:
    changes = request.content().offsets()
    return Response(200, worker.offsets.alter(_name(request), changes))


def delete_offsets(worker: Worker, request: Request) -> Response:
    return Response(200, worker.offsets.reset(_name(request)))


def list_plugins(worker: Worker, request: Request) -> Response:
    kinds = CONNECTORS if request.flag("connectorsOnly", True) else tuple(Kind)
    ours = [_plugin(item) for item in worker.plugins.of_kind(*kinds)]
    return Response(200, [*ours, *worker.java.listed_plugins(request)])


def _plugin(plugin: Any) -> dict[str, str]:
    shown = {"class": plugin.class_name, "type": plugin.kind.value}
    return shown if plugin.version is None else {**shown, "version": plugin.version}


def plugin_config(worker: Worker, request: Request) -> Response:
    return Response(200, worker.herder.options_of(request.parameters["pluginName"]))


def validate_config(worker: Worker, request: Request) -> Response:
    asked, config = request.parameters["pluginName"], request.content().config()
    included = config.get("connector.class")
    if included is not None and not _short(included).endswith(_short(asked)):
        raise bad_request(f"Included connector type {included} does not match request type {asked}")
    return Response(200, worker.herder.validate(config, unknown_class=500).to_json())


def _short(name: str) -> str:
    return name.removesuffix("Connector") or name


def list_loggers(worker: Worker, request: Request) -> Response:
    _require_admin(worker)
    return Response(200, worker.loggers.all())


def get_logger(worker: Worker, request: Request) -> Response:
    _require_admin(worker)
    name = request.parameters["logger"]
    found = worker.loggers.one(name)
    if found is None:
        raise not_found(f"Logger {name} not found.")
    return Response(200, found)


def set_logger(worker: Worker, request: Request) -> Response:
    _require_admin(worker)
    cluster = (request.query.get("scope") or [""])[0].lower() == "cluster"
    level = request.content().config(("java.util.Map.get(Object)", "levelMap")).get("level")
    affected = worker.set_level(request.parameters["logger"], level, cluster=cluster)
    affected = sorted({*affected, *worker.java.set_level(request)})
    return Response(204) if cluster else Response(200, affected)


def _require_admin(worker: Worker) -> None:
    if worker.settings.values["admin.listeners"] == "":
        raise not_found("HTTP 404 Not Found")


def _name(request: Request) -> str:
    return request.parameters["connector"]


def _task(request: Request) -> int:
    text = request.parameters["task"]
    # Java's int.
    if not re.fullmatch(r"[+-]?[0-9]+", text) or not -(2**31) <= int(text) < 2**31:
        raise not_found("HTTP 404 Not Found")
    return int(text)


def internal(worker: Worker, request: Request) -> Response:
    """What Connect's own workers ask each other, with a signature; ours do not."""
    raise bad_request("Internal request missing required signature")


def _named(name: str, config: dict[str, str | None]) -> dict[str, str | None]:
    """The configuration with the connector's name in it."""
    included = config.get("name")
    if included is None:
        return {**config, "name": name}
    if included != name:
        raise bad_request(
            f"Connector name configuration ({included}) doesn't match connector name in the URL ({name})"
        )
    return config


def _location(request: Request, name: str) -> dict[str, str]:
    base = request.headers.get("x-base-url", "")
    return {"Location": f"{base}/connectors/{quote(name, safe='')}"}


_NAMED = "/connectors/{connector}"

ROUTES = (
    Route("GET", "/", "Version of the API and id of the Kafka cluster", root),
    Route("GET", "/health", "Whether the worker is ready", health),
    Route("GET", "/connectors", "Names of connectors, or their status and info", list_connectors, ("expand",)),
    Route("POST", "/connectors", "Create a connector", create_connector),
    Route("GET", _NAMED, "A connector's configuration and tasks", get_connector),
    Route("DELETE", _NAMED, "Delete a connector; its offsets stay", delete_connector),
    Route("GET", f"{_NAMED}/config", "A connector's configuration", get_config),
    Route("PUT", f"{_NAMED}/config", "Create a connector or replace its configuration", put_config),
    Route("PATCH", f"{_NAMED}/config", "Change some options; null removes one", patch_config),
    Route("GET", f"{_NAMED}/status", "State of a connector and its tasks", get_status),
    Route("GET", f"{_NAMED}/tasks", "Tasks with their configurations", get_tasks),
    Route("POST", f"{_NAMED}/tasks", "Refused: between Kafka's own workers", internal),
    Route("PUT", f"{_NAMED}/fence", "Refused: between Kafka's own workers", internal),
    Route("GET", f"{_NAMED}/tasks-config", "Configurations of tasks by name", get_tasks_config),
    Route("GET", f"{_NAMED}/tasks/{{task}}/status", "State of one task", get_task_status),
    Route("POST", f"{_NAMED}/tasks/{{task}}/restart", "Restart one task", restart_task),
    Route("POST", f"{_NAMED}/restart", "Restart a connector, and tasks", restart, ("includeTasks", "onlyFailed")),
    Route("PUT", f"{_NAMED}/pause", "Pause a connector and its tasks", _target(TargetState.PAUSED, 202)),
    Route("PUT", f"{_NAMED}/resume", "Let a connector go on", _target(TargetState.STARTED, 202)),
    Route("PUT", f"{_NAMED}/stop", "Stop a connector and remove its tasks", _target(TargetState.STOPPED, 204)),
    Route("GET", f"{_NAMED}/topics", "Topics that a connector has used", get_topics),
    Route("PUT", f"{_NAMED}/topics/reset", "Forget the topics used so far", reset_topics),
    Route("GET", f"{_NAMED}/offsets", "How far a connector has come", get_offsets),
    Route("PATCH", f"{_NAMED}/offsets", "Alter offsets of a stopped connector", patch_offsets),
    Route("DELETE", f"{_NAMED}/offsets", "Reset offsets of a stopped connector", delete_offsets),
    Route("GET", "/connector-plugins", "Installed plugins", list_plugins, ("connectorsOnly",)),
    Route("GET", "/connector-plugins/{pluginName}/config", "Options of a plugin", plugin_config),
    Route("PUT", "/connector-plugins/{pluginName}/config/validate", "Check a configuration", validate_config),
    Route("GET", "/admin/loggers", "Loggers with a level of their own", list_loggers),
    Route("GET", "/admin/loggers/{logger}", "Level of a logger", get_logger),
    Route("PUT", "/admin/loggers/{logger}", "Set the level of a logger and those below it", set_logger, ("scope",)),
)  # fmt: skip
