"""A worker: the parts put together, started and stopped."""

from __future__ import annotations

import logging
import threading
from typing import Any

from headrace.connect import application
from headrace.connect.answers import bad_request, not_found
from headrace.connect.common import EXACTLY_ONCE_SOURCES
from headrace.connect.groups import KafkaGroups
from headrace.connect.herder import Herder
from headrace.connect.java.connectors import JavaConnectors
from headrace.connect.java.plugins import JavaPlugins
from headrace.connect.java.process import JavaProcess, JavaWorker
from headrace.connect.leadership import GroupLeadership, Leadership
from headrace.connect.loggers import LEVELS, Loggers
from headrace.connect.offset_stores import OffsetStores
from headrace.connect.offsets import Groups, Offsets
from headrace.connect.own_offsets import OwnTopics
from headrace.connect.plugins import Plugins
from headrace.connect.runner import GRACE_SECONDS, Runner
from headrace.connect.settings import Settings
from headrace.connect.state import ClusterState, logger_entry
from headrace.connect.topics import KafkaLog, Log, Store, cluster_id

logger = logging.getLogger("headrace.connect")


class Worker:
    """What the REST API talks to. `url` is where the other workers find its listener."""

    def __init__(
        self,
        settings: Settings,
        plugins: Plugins,
        log: Log,
        leadership: Leadership,
        groups: Groups,
        *,
        worker_id: str,
        cluster_id: str,
        java: JavaWorker | None = None,
    ) -> None:
        self.settings = settings
        self.plugins = plugins
        self.log = log
        self.leadership = leadership
        self.worker_id = worker_id
        self.cluster_id = cluster_id
        self.state = ClusterState()
        self.loggers = Loggers()
        self.state.on_logger = self._set_logger
        own = OwnTopics(settings.topics[Store.OFFSET], settings.raw)
        stores = OffsetStores(self.state, log, own)
        self.runner = Runner(
            plugins, settings.providers, self.state, log, worker_id, settings.raw, stores
        )
        self.herder = Herder(plugins, settings.providers, self.state, log, leadership, self.runner)
        self.java = JavaConnectors(
            JavaPlugins(settings.raw.get("plugin.path")), java or JavaProcess(settings), self.herder
        )
        self.offsets = Offsets(self.herder, groups)
        self.joined = False
        self.ready = False
        self.failure: str | None = None

    def start(self) -> None:
        if self.settings.values[EXACTLY_ONCE_SOURCES].lower() == "enabled":
            logger.warning(
                "%s = enabled holds for Java connectors; Headrace's own sources write at least once",
                EXACTLY_ONCE_SOURCES,
            )
        self.log.start(self.state.apply)
        self.leadership.join(self._gained, self._lost, self._works)
        self.joined = True

    def stop(self) -> None:
        self.leadership.leave()
        self._lost()
        application.stop()
        self.log.stop()

    def set_level(self, name: str, level: str | None, *, cluster: bool) -> list[str]:
        """Names of the loggers that have it now; none are told where all workers shall set it."""
        if level is None:
            raise bad_request("Desired 'level' parameter was not specified in request.")
        if level.upper() not in LEVELS:
            raise not_found(f"invalid log level '{level}'.")
        if not cluster:
            return self.loggers.set(name, level)
        self.herder.require_leader()
        self.herder.write([logger_entry(name, level.upper())])
        return []

    def health(self) -> tuple[int, dict[str, Any]]:
        if self.failure is not None:
            return 500, {"status": "unhealthy", "message": f"{_UNHEALTHY} {self.failure}"}
        if not self._has_started():
            return 503, {"status": "starting", "message": "Worker is still starting up."}
        return 200, {
            "status": "healthy",
            "message": "Worker has completed startup and is ready to handle requests.",
        }

    def _has_started(self) -> bool:
        """Whether there was a worker that takes changes. This one may have the office before it has read its books."""
        if self.joined and not self.ready:
            leader = None if self.herder.leads else self.leadership.leader_url()
            self.ready = self.herder.leads or not (leader is None or self.worker_id in leader)
        return self.ready

    def _gained(self) -> None:
        try:
            self.log.lead()
        except Exception as error:
            self.failure = f"It cannot lead: {error}"
            logger.exception("this worker cannot lead")
            return
        self.failure = None
        self.herder.leads = True
        self.runner.start()
        self.java.start()

    def _works(self) -> bool:
        return self.herder.leads and self.runner.takes_changes

    def _lost(self) -> None:
        self.herder.leads = False
        # Tasks may write where they are in the time they are given to end; what takes longer would hold up the next term.
        patience = threading.Timer(GRACE_SECONDS, self.log.resign)
        patience.daemon = True
        patience.start()
        self.runner.stop()
        patience.cancel()
        self.log.resign()
        self.java.stop()

    def _set_logger(self, name: str, level: str) -> None:
        if level.upper() in LEVELS:
            self.loggers.set(name, level)


_UNHEALTHY = "Worker was unable to handle this request and may be unable to handle other requests."


def on_kafka(settings: Settings, plugins: Plugins, port: int) -> Worker:
    """A worker with its state in the settings' cluster, whose first listener is at `port`."""
    host, shown = settings.advertised(port)
    worker_id = f"{host}:{shown}"
    url = f"{settings.listeners[0].scheme}://{worker_id}/"
    group, client = settings.values["group.id"], settings.client
    # Asked before there is any other client, each of which would print that it has no broker.
    cluster = cluster_id(client)
    topic = settings.topics[Store.CONFIG].name
    return Worker(
        settings,
        plugins,
        KafkaLog(client, settings.topics, f"connect-cluster-{group}"),
        GroupLeadership(client, group, topic, url),
        KafkaGroups(client),
        worker_id=worker_id,
        cluster_id=cluster,
    )
