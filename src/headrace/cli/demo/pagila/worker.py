"""The worker of the demo: `headrace connect` in a separate process, as in the tutorial."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

from headrace.connect.client import Client
from headrace.errors import HeadraceError
from headrace.services.ports import HOST, accepts_connections
from headrace.services.processes import Launch
from headrace.services.supervisor import Service
from headrace.toolchain.paths import HOME_VARIABLE
from headrace.toolchain.progress import Reporter

# For JVMs that live for a minute: on two cores their optimising compiler would take more time than it saves.
SHORT_LIVED = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")


class WorkerService(Service):
    """`environment` holds the variables that configurations name with ${env:…}, and the credentials of S3."""

    name: ClassVar[str] = "connect"
    # Streaming queries end between two batches, and the Java worker needs up to 25 s.
    stop_seconds: ClassVar[float] = 60.0

    def __init__(self, folder: Path, servers: str, environment: Mapping[str, str]) -> None:
        super().__init__(folder)
        self._servers = servers
        self._environment = environment

    @property
    def client(self) -> Client:
        return Client(f"http://{self.address}")

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        command = [
            *(sys.executable, "-m", "headrace.cli.main", "connect"),
            *("--bootstrap-servers", self._servers, "--port", str(ports["main"])),
            *("-D", f"spark.driver.extraJavaOptions={SHORT_LIVED[0]}"),
        ]
        # Its state is deleted with the demo's folder.
        own = {
            HOME_VARIABLE: str(self.folder / "home"),
            "KAFKA_HEAP_OPTS": " ".join(("-Xmx1g", *SHORT_LIVED)),
        }
        return Launch(command, self.folder, self.log, {**self._environment, **own})

    def is_ready(self, address: str) -> bool:
        if not accepts_connections(int(address.rpartition(":")[2]), HOST):
            return False
        try:
            return bool(Client(f"http://{address}").get("/health")["status"] == "healthy")
        except HeadraceError:
            return False
