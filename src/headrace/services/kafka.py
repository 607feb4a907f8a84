"""A Kafka broker: one KRaft node from the jars of the `broker` set, tuned for development."""

from __future__ import annotations

import base64
import os
import re
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from headrace.errors import EnvironmentFault
from headrace.services.certificates import write_private
from headrace.services.ports import HOST, accepts_connections, choose_port
from headrace.services.processes import Launch
from headrace.services.supervisor import Service, telling_line
from headrace.toolchain.coordinates import BROKER_SET
from headrace.toolchain.jars import ensure, fetch_command
from headrace.toolchain.java import find_java, utf8_locale
from headrace.toolchain.progress import ProgressEvent, Reporter
from headrace.toolchain.properties import render

NODE_ID = 1

# Enough for some thousand partitions and the benchmarks; the default of 1 GB is much on a laptop beside Spark.
HEAP = "512m"

# One attempt of the readiness probe; the supervisor tries again.
_PROBE_SECONDS = 5.0

# Of Kafka's programs, which stop in a shutdown hook; a logger that stopped in another one would miss what it says.
LOG_CONFIGURATION = """\
status = warn
shutdownHook = disable
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{ISO8601} %-5p %c{1}: %m%n
rootLogger.level = info
rootLogger.appenderRef.out.ref = out
"""

DEVELOPMENT_SETTINGS: Mapping[str, str] = {
    # One node cannot replicate; without these the internal topics are never created.
    "offsets.topic.replication.factor": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "share.coordinator.state.topic.replication.factor": "1",
    "share.coordinator.state.topic.min.isr": "1",
    # 50 partitions each by default: that many folders on the first group and the first transaction.
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
    # 3 s by default, waiting for more members; a development group has one.
    "group.initial.rebalance.delay.ms": "0",
    # 128 MB by default, a quarter of the heap; compacted development topics are small.
    "log.cleaner.dedupe.buffer.size": str(16 * 1024 * 1024),
    # As in the distribution's own configuration; named because production clusters often differ.
    "auto.create.topics.enable": "true",
}


@dataclass(frozen=True, slots=True)
class Listener:
    """A way in: its name, security protocol (PLAINTEXT, SSL, SASL_SSL …) and port (None: any free one)."""

    name: str
    protocol: str = "PLAINTEXT"
    port: int | None = None


class KafkaService(Service):
    """The broker. `listeners[0]` is the one that `bootstrap_servers` names."""

    name: ClassVar[str] = "kafka"
    packages: ClassVar[tuple[str, ...]] = ("confluent_kafka",)
    jar_sets: ClassVar[tuple[str, ...]] = (BROKER_SET.name,)
    well_known_port: ClassVar[int | None] = 9092

    def __init__(
        self,
        folder: Path | None = None,
        *,
        listeners: Sequence[Listener] = (Listener("CLIENT"),),
        settings: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(folder, port=listeners[0].port)
        self.listeners = tuple(listeners)
        self.settings = dict(settings or {})

    @property
    def bootstrap_servers(self) -> str:
        return self.address

    def variables(self) -> dict[str, str]:
        return {"KAFKA_BOOTSTRAP_SERVERS": self.bootstrap_servers}

    def choose_ports(self, remembered: Mapping[str, int]) -> dict[str, int]:
        ports = super().choose_ports(remembered)
        for listener in self.listeners[1:]:
            ports[listener.name] = choose_port(listener.port, remembered.get(listener.name))
        return {**ports, "controller": choose_port(None, remembered.get("controller"))}

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        classpath = os.pathsep.join(map(str, ensure(BROKER_SET.name, progress)))
        properties, logging = self.folder / "server.properties", self.folder / "log4j2.properties"
        write_private(properties, render(self.properties(ports)).encode())
        logging.write_text(LOG_CONFIGURATION, encoding="utf-8")
        java = [
            str(find_java().executable),
            f"-Xmx{HEAP}",
            *self.java_options(),
            f"-Dlog4j2.configurationFile={logging}",
            *("-cp", classpath),
        ]
        if not (self.data / "meta.properties").exists():
            progress(ProgressEvent(self.name, f"formatting {self.data}", 0, 1))
            self._format(java, properties)
        return Launch([*java, "kafka.Kafka", str(properties)], self.folder, self.log)

    def is_ready(self, address: str) -> bool:
        """Whether a transaction can be opened: that writes to a log, which a mere connection does not prove."""
        if not accepts_connections(int(address.rpartition(":")[2])):
            return False
        how = self.probe_settings()
        return how is None or _can_produce({"bootstrap.servers": address, **how})

    def java_options(self) -> list[str]:
        """Of the broker's Java, beside those that every broker needs."""
        return []

    def probe_settings(self) -> dict[str, str] | None:
        """How the readiness probe connects to the first listener, as librdkafka calls it; None where it cannot."""
        return {} if self.listeners[0].protocol == "PLAINTEXT" else None

    def properties(self, ports: Mapping[str, int]) -> dict[str, str]:
        """The broker's whole configuration."""
        controller = f"{HOST}:{ports['controller']}"
        addresses = [
            f"{listener.name}://{HOST}:{ports['main' if number == 0 else listener.name]}"
            for number, listener in enumerate(self.listeners)
        ]
        protocols = [f"{listener.name}:{listener.protocol}" for listener in self.listeners]
        return {
            "process.roles": "broker,controller",
            "node.id": str(NODE_ID),
            "controller.quorum.voters": f"{NODE_ID}@{controller}",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": self.listeners[0].name,
            "listeners": ",".join([*addresses, f"CONTROLLER://{controller}"]),
            "advertised.listeners": ",".join(addresses),
            "listener.security.protocol.map": ",".join([*protocols, "CONTROLLER:PLAINTEXT"]),
            "log.dirs": str(self.data),
            **DEVELOPMENT_SETTINGS,
            **self.settings,
        }

    def _format(self, java: list[str], properties: Path) -> None:
        command = [
            *java,
            "kafka.tools.StorageTool",
            "format",
            # One word: an identifier may begin with a dash.
            f"--cluster-id={_cluster_id()}",
            "-c",
            str(properties),
        ]
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=os.environ | utf8_locale(),
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode != 0:
            found = telling_line(done.stdout + done.stderr)
            # Java reports a damaged jar as one that lacks its classes.
            lacks_class = re.search("ClassNotFound|NoClassDefFound|main class", found)
            raise EnvironmentFault(
                "the data folder of the broker cannot be formatted",
                condition="SERVICE_NOT_STARTED",
                where=str(self.data),
                found=found,
                cure=f"run: {fetch_command([BROKER_SET.name])}"
                if lacks_class
                else f"make sure that {self.data.parent} can be written to and has space",
            )


def _cluster_id() -> str:
    """As Kafka writes identifiers: 16 random bytes, base64 for URLs, without padding."""
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()


def _can_produce(client: Mapping[str, str]) -> bool:
    from confluent_kafka import KafkaException, Producer

    producer = Producer(
        {
            **client,
            "transactional.id": "headrace-readiness",
            # While the broker starts, refused connections are expected and would fill the terminal.
            "log_level": 0,
            "error_cb": _ignore,
        }
    )
    try:
        producer.init_transactions(_PROBE_SECONDS)
    except KafkaException:
        return False
    return True


def _ignore(error: object) -> None:
    """Errors of single connections; the call itself reports whether it succeeded."""
