"""A worker in a process of its own, asked through its REST API as users ask it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psutil

from headrace.errors import EnvironmentFault
from headrace.services.ports import HOST, free_port

# The slowest of all is a worker's first connector, which starts Spark.
PATIENCE_SECONDS = 120.0

_REQUEST_SECONDS = 90.0
_LOOK_SECONDS = 0.05

JSON = "org.apache.kafka.connect.json.JsonConverter"


@dataclass(frozen=True, slots=True)
class Worker:
    address: str
    process: subprocess.Popen[bytes]

    def ask(self, method: str, path: str, body: Mapping[str, str] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.address}{path}", data, {"Content-Type": "application/json"}, method=method
        )
        with urllib.request.urlopen(request, timeout=_REQUEST_SECONDS) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def answers(self) -> bool:
        try:
            return bool(self.ask("GET", "/"))
        except OSError:
            return False

    def run(self, name: str, config: Mapping[str, str]) -> None:
        wait(lambda: self._changes("PUT", f"/connectors/{name}/config", config))

    def remove(self, name: str) -> None:
        wait(lambda: self._changes("DELETE", f"/connectors/{name}"))

    def _changes(self, method: str, path: str, body: Mapping[str, str] | None = None) -> bool:
        """Whether it took the change: a worker that is not the leader yet asks to try again."""
        try:
            self.ask(method, path, body)
        except urllib.error.HTTPError as refused:
            if refused.code != HTTPStatus.CONFLICT:
                raise failed(refused.read().decode(errors="replace")[:300]) from None
            return False
        return True

    def cpu_seconds(self) -> float:
        """So far, of its process and of its JVM."""
        root = psutil.Process(self.process.pid)
        times = (process.cpu_times() for process in (root, *root.children(recursive=True)))
        return float(sum(spent.user + spent.system for spent in times))

    def check(self, name: str) -> None:
        """Raises with the first line of the trace where a task failed."""
        try:
            status = self.ask("GET", f"/connectors/{name}/status")
        except urllib.error.HTTPError:
            return
        for part in (status["connector"], *status["tasks"]):
            if part["state"] == "FAILED":
                raise failed(str(part.get("trace", "")).splitlines()[0])


def failed(found: str) -> EnvironmentFault:
    return EnvironmentFault(
        "the connector does not do its work", condition="BENCHMARK_FAILED", found=found
    )


def wait(done: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not done():
        if time.monotonic() > deadline:
            raise failed(f"nothing happened for {seconds:.0f} s")
        time.sleep(_LOOK_SECONDS)


@contextmanager
def running(servers: str, folder: Path) -> Iterator[Worker]:
    """A worker that answers."""
    address = f"http://{HOST}:{free_port()}"
    command = [
        *(sys.executable, "-m", "headrace.cli.main", "connect"),
        *("--bootstrap-servers", servers, "-D", f"listeners={address}"),
    ]
    environment = {**os.environ, "HEADRACE_HOME": str(folder / "home")}
    with (folder / "worker.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
    worker = Worker(address, process)
    try:
        wait(worker.answers)
        yield worker
    finally:
        process.terminate()
        process.wait()


def source(url: str, **options: str) -> dict[str, str]:
    """The configuration of a JDBC source of PostgreSQL; underscores of options stand for dots."""
    parts = urlsplit(url)
    return {
        "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
        "connection.url": f"jdbc:postgresql://{parts.hostname}:{parts.port}{parts.path}",
        "connection.user": parts.username or "postgres",
        "connection.password": parts.password or "",
        "numeric.mapping": "best_fit",
        "topic.prefix": "bench.",
        "value.converter": JSON,
        "value.converter.schemas.enable": "false",
        **{name.replace("_", "."): text for name, text in options.items()},
    }
