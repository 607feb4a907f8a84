"""Whole pipelines: SQL in, records out, on the shared Spark session and the shared broker."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from http.client import NOT_FOUND
from typing import Any

import psutil
import pytest

from headrace.connect.client import Client, ConnectRefused
from headrace.errors import HeadraceError
from headrace.runtime.environment import TableEnvironment
from headrace.services.guard import own
from headrace.services.kafka import KafkaService
from headrace.services.ports import free_port
from headrace.testing.topics import eventually

_numbers = itertools.count()


@pytest.fixture
def servers(kafka_broker: KafkaService) -> str:
    return kafka_broker.bootstrap_servers


@pytest.fixture
def topic() -> Callable[[str], str]:
    """A topic name of the test's own."""
    number = next(_numbers)
    return lambda name: f"{name}-{number}"


@pytest.fixture
def env(spark: Any) -> Iterator[TableEnvironment]:
    environment = TableEnvironment({"table.local-time-zone": "UTC"})
    yield environment
    environment.stop()


class ConnectWorker:
    """Our worker as a process of its own, on the same port each time it is started."""

    def __init__(self, servers: str, home) -> None:
        self.servers, self.home, self.port = servers, home, free_port()
        self.group = f"debezium-{uuid.uuid4().hex[:6]}"
        self.api = Client(f"http://127.0.0.1:{self.port}")
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        settings = {
            "group.id": self.group,
            "listeners": f"http://127.0.0.1:{self.port}",
            # How much is read again after a kill.
            "offset.flush.interval.ms": "500",
            **{f"{s}.storage.topic": f"{self.group}-{s}" for s in ("config", "offset", "status")},
        }
        given = [part for name, text in settings.items() for part in ("-D", f"{name}={text}")]
        main = [sys.executable, "-m", "headrace.cli.main", "connect"]
        with (self.home / "ours.log").open("ab") as log:
            self.process = subprocess.Popen(
                [*main, "--bootstrap-servers", self.servers, *given],
                env={**os.environ, "HEADRACE_HOME": str(self.home), "PG_SECRET": "trusted-anyway"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
            own(self.process)
        eventually(self._is_up, bool)

    def _is_up(self) -> bool:
        """Whether it leads: before, and while it is not there, it has no word on unknown connectors."""
        try:
            self.api.call("PUT", "/connectors/unknown/pause")
        except ConnectRefused as refused:
            return refused.status == NOT_FOUND
        except HeadraceError:
            return False
        raise AssertionError("an unknown connector was paused")

    def end(self, how: signal.Signals) -> None:
        assert self.process is not None
        java = self.java()
        self.process.send_signal(how)
        self.process.wait(60)
        # Whatever ends us ends the Java worker too.
        eventually(lambda: [one for one in java if one.is_running()], lambda left: not left)

    def java(self) -> list[psutil.Process]:
        """The Java worker, if it runs."""
        assert self.process is not None
        return psutil.Process(self.process.pid).children()

    def put(self, name: str, config: dict[str, str]) -> None:
        self.api.call("PUT", f"/connectors/{name}/config", config)
        self.until(name, "RUNNING", ["RUNNING"])

    def until(self, name: str, connector: str, tasks: list[str]) -> None:
        def states():
            try:
                status = self.api.get(f"/connectors/{name}/status")
            except HeadraceError as error:
                return error.render()
            return status["connector"]["state"], [task["state"] for task in status["tasks"]]

        eventually(states, lambda seen: seen == (connector, tasks))


@pytest.fixture
def start_worker() -> Iterator[Callable[[str, Any], ConnectWorker]]:
    """Starts a worker of the test's own, on other brokers than the shared one."""
    started: list[ConnectWorker] = []

    def start(servers: str, home: Any) -> ConnectWorker:
        started.append(ConnectWorker(servers, home))
        started[-1].start()
        return started[-1]

    yield start
    for made in started:
        if made.process is not None and made.process.poll() is None:
            made.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def worker(kafka_broker, tmp_path_factory) -> Iterator[ConnectWorker]:
    made = ConnectWorker(kafka_broker.bootstrap_servers, tmp_path_factory.mktemp("home"))
    made.start()
    yield made
    if made.process is not None and made.process.poll() is None:
        made.end(signal.SIGTERM)
