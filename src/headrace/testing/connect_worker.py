"""Connect without a cluster: stores in memory, a connector that does as it is told, and a worker made of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from headrace.connect.configdef import (
    ConfigDef,
    ConfigKey,
    Importance,
    Type,
    Width,
    at_least,
)
from headrace.connect.group_client import Positions
from headrace.connect.java.process import Ask, JavaWorker
from headrace.connect.plugins import (
    Connector,
    ConnectorContext,
    Kind,
    Offset,
    Plugin,
    Plugins,
    TaskContext,
)
from headrace.connect.rest.messages import Request, Response, error_response
from headrace.connect.settings import load
from headrace.connect.topics import Apply, Entry, Fenced, Store
from headrace.connect.worker import Worker
from headrace.errors import EnvironmentFault, HeadraceError

SOURCE = "headrace.testing.CountingSourceConnector"
SINK = "headrace.testing.CollectingSinkConnector"
MASK = "headrace.testing.Mask$Value"


class MemoryLog:
    """The stores as a list. Several logs over one list are several workers; the last that led may write configs."""

    def __init__(self, entries: list[Entry] | None = None) -> None:
        self.entries: list[Entry] = [] if entries is None else entries
        self.applies: list[Apply] = []
        self.leads = False
        self.lock = threading.RLock()

    def start(self, apply: Apply) -> None:
        with self.lock:
            for entry in self.entries:
                apply(entry)
            self.applies.append(apply)

    def lead(self) -> None:
        self.leads = True

    def write(self, entries: Sequence[Entry]) -> None:
        with self.lock:
            if not self.leads and any(entry.store is Store.CONFIG for entry in entries):
                raise Fenced("another worker leads")
            for entry in entries:
                self.entries.append(entry)
                for apply in self.applies:
                    apply(entry)

    def resign(self) -> None:
        self.leads = False

    def stop(self) -> None:
        self.applies.clear()


class SoleLeadership:
    """A group of one, or a follower of the URL that it is given."""

    def __init__(self, follows: str | None = None, leads: bool = True) -> None:
        self.follows = follows
        self.leads = leads

    def join(
        self, gained: Callable[[], None], lost: Callable[[], None], works: Callable[[], bool]
    ) -> None:
        if self.leads:
            gained()

    def leader_url(self) -> str | None:
        return self.follows

    def leave(self) -> None:
        """Nobody else is there to be told."""


class MemoryGroups:
    """Committed offsets by group."""

    def __init__(self) -> None:
        self.groups: dict[str, Positions] = {}

    def read(self, group: str) -> Positions:
        return dict(self.groups.get(group, {}))

    def replace(self, group: str, positions: Positions) -> None:
        self.groups[group] = dict(positions)


class CountingSource(Connector):
    """Counts, and notes in its offsets how far it has come. Fails where its config says so."""

    class_name = SOURCE
    kind = Kind.SOURCE
    version = "1.2.3"
    task_class = "headrace.testing.CountingSourceTask"
    started: ClassVar[list[Mapping[str, str]]] = []

    @classmethod
    def config(cls) -> ConfigDef:
        return ConfigDef(
            [
                ConfigKey(
                    "topic",
                    Type.STRING,
                    importance=Importance.HIGH,
                    documentation="Topic to write to.",
                    group="Counting",
                    order=1,
                    width=Width.LONG,
                    display_name="Topic",
                    recommend=lambda config: ["numbers", "letters"],
                ),
                ConfigKey("count", Type.INT, 3, validator=at_least(0), group="Counting", order=2),
                ConfigKey("password", Type.PASSWORD, None, group="Counting", order=3),
                ConfigKey("fail", Type.STRING, "", dependents=("count",)),
            ]
        )

    @classmethod
    def validate(cls, config: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
        clash = config.get("topic") == "forbidden"
        return {"topic": ["The topic 'forbidden' may not be written to"]} if clash else {}

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        if config.get("fail") == "connector":
            raise RuntimeError(f"cannot start with {config.get('password')}")
        CountingSource.started.append(config)
        wanted = int(config.get("tasks", config.get("tasks.max", "1")))
        return [{**config, "part": str(part)} for part in range(wanted)]

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        if config.get("fail") == f"task-{context.number}":
            raise RuntimeError(f"cannot go on with {config.get('password')}")
        partition = {"part": config["part"]}
        before = context.read_offset(partition) or {"at": 0}
        context.used_topics([config["topic"]])
        context.write_offsets([(partition, {"at": before["at"] + int(config.get("count", "3"))})])
        context.stopping.wait()


class CollectingSink(Connector):
    """Reads nothing; takes care of its offsets itself where its config says so."""

    class_name = SINK
    kind = Kind.SINK
    version = "2.0"

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        return [dict(config)]

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        context.stopping.wait()

    def alter_offsets(
        self, config: Mapping[str, str], changes: Sequence[tuple[Offset, Offset | None]]
    ) -> bool:
        if config.get("offsets") == "refused":
            raise ValueError("these offsets cannot be taken")
        return config.get("offsets") == "own"


class Mask(Plugin):
    """A transformation with one option."""

    class_name = MASK
    kind = Kind.TRANSFORMATION
    version = "1.0"

    @classmethod
    def config(cls) -> ConfigDef:
        return ConfigDef([ConfigKey("fields", Type.LIST, documentation="Fields to mask.")])


class MemoryJava:
    """A Java worker that keeps what it is sent, and answers by `answers` where a request is named there."""

    def __init__(self) -> None:
        self.configs: dict[str, dict[str, str]] = {}
        self.answers: dict[tuple[str, str], Response] = {}
        self.asked: list[Request] = []
        self.begun = 0
        # Jar sets that are not installed, and why it cannot start.
        self.missing: set[str] = set()
        self.failure: HeadraceError | None = None

    def require_jars(self, sets: Sequence[str]) -> None:
        if self.missing & set(sets):
            raise EnvironmentFault("jars are not installed", cure="run: headrace dev fetch")

    def begin(self, on_ready: Callable[[Ask], None]) -> None:
        if not self.begun:
            on_ready(self.ask)
        self.begun += 1

    def runs(self) -> bool:
        return bool(self.begun)

    def stop(self) -> None:
        self.begun = 0

    def ask(self, request: Request) -> Response:
        if self.failure is not None:
            raise self.failure
        self.asked.append(request)
        told = self.answers.get((request.method, request.path))
        return self._answer(request) if told is None else told

    def _answer(self, request: Request) -> Response:
        name = request.path.split("/")[2] if request.path.count("/") > 1 else ""
        match request.method, request.path.split("/")[3:]:
            case "GET", [] if not name:
                return Response(200, {n: {"info": {"config": c}} for n, c in self.configs.items()})
            case "POST", []:
                name = json.loads(request.body)["name"]
                self.configs[name] = json.loads(request.body)["config"]
                where = {"Location": f"http://127.0.0.1:1/connectors/{name}"}
                return Response(201, {"name": name}, where)
            case "PUT", ["config"]:
                status = 200 if name in self.configs else 201
                self.configs[name] = json.loads(request.body)
                return Response(status, {"name": name})
            case _ if name not in self.configs:
                return error_response(404, f"Connector {name} not found")
            case "DELETE", []:
                del self.configs[name]
                return Response(204)
            case _:
                return Response(200, self.configs[name])


PLUGINS = Plugins([CountingSource, CollectingSink, Mask])


def memory_worker(
    log: MemoryLog | None = None,
    leadership: SoleLeadership | None = None,
    groups: MemoryGroups | None = None,
    java: JavaWorker | None = None,
    **settings: str,
) -> Worker:
    """A worker that is not started yet; underscores in names of settings stand for dots."""
    given = {name.replace("_", "."): value for name, value in settings.items()}
    return Worker(
        load(None, {"bootstrap.servers": "localhost:9092", **given}),
        PLUGINS,
        log or MemoryLog(),
        leadership or SoleLeadership(),
        groups or MemoryGroups(),
        worker_id="127.0.0.1:8083",
        cluster_id="memory",
        java=java,
    )
