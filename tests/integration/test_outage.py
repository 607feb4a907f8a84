"""A worker whose only broker is killed stays the same process and resumes by itself.

The broker is away for as long as it takes the worker to notice, which is a session of its group. `--outage-seconds` (make soak)
makes it longer and adds an outage in which the broker stops in order. A minute and a half is more than any of the worker's own
timeouts.
"""

from __future__ import annotations

import json
import os
import signal
import time
import uuid
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from headrace.errors import HeadraceError
from headrace.services.kafka import KafkaService
from headrace.testing.topics import create_topic, eventually, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

FILE = "org.apache.kafka.connect.file.FileStream"
TEXT = "org.apache.kafka.connect.storage.StringConverter"
JSON = "org.apache.kafka.connect.json.JsonConverter"
CONNECTORS = ("lines", "copy", "rows", "lake")

# Before, during and after each of the outages.
PORTION = 20


class Flow:
    """Lines of a file through a topic to a file, and rows of a table through a topic to files of a folder."""

    def __init__(self, worker, servers: str, folder: Path, url: str) -> None:
        self.worker, self.servers, self.folder, self.url = worker, servers, folder, url
        self.name = f"outage_{uuid.uuid4().hex[:8]}"
        self.count = 0
        with self._database() as database:
            database.execute(f"CREATE TABLE {self.name} (id int PRIMARY KEY)")
        for topic in ("lines", self.name):
            create_topic(servers, topic, partitions=2)

    def _database(self) -> psycopg.Connection:
        return psycopg.connect(self.url, autocommit=True)

    def connectors(self) -> dict[str, dict[str, str]]:
        parts = urlsplit(self.url)
        plain = {"value.converter": JSON, "value.converter.schemas.enable": "false"}
        text = {"value.converter": TEXT, "key.converter": TEXT}
        return {
            "lines": {
                "connector.class": f"{FILE}SourceConnector",
                "file": str(self.folder / "in.txt"),
                "topic": "lines",
                **text,
            },
            "copy": {
                "connector.class": f"{FILE}SinkConnector",
                "file": str(self.folder / "out.txt"),
                "topics": "lines",
                **text,
            },
            "rows": {
                "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
                "connection.url": f"jdbc:postgresql://{parts.hostname}:{parts.port}{parts.path}",
                "connection.user": parts.username or "postgres",
                "connection.password": parts.password or "none",
                "mode": "incrementing",
                "incrementing.column.name": "id",
                "table.whitelist": self.name,
                "topic.prefix": "",
                "poll.interval.ms": "300",
                **plain,
            },
            "lake": {
                "connector.class": "headrace.connect.FolderSinkConnector",
                "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
                "store.url": f"file://{self.folder}/lake",
                "topics": self.name,
                "flush.size": "1",
                "retry.backoff.ms": "500",
                **plain,
                "key.converter": TEXT,
            },
        }

    def feed(self) -> None:
        new = range(self.count, self.count + PORTION)
        with (self.folder / "in.txt").open("a") as file:
            file.writelines(f"line {number}\n" for number in new)
        with self._database() as database, database.cursor() as cursor:
            cursor.executemany(f"INSERT INTO {self.name} VALUES (%s)", [(n,) for n in new])
        self.count += PORTION

    def arrived(self) -> None:
        """Everything that was fed has come through, and the folder has what its topic has, each record once."""
        lines = {f"line {number}" for number in range(self.count)}
        eventually(lambda: set(self._copied()), lambda seen: seen == lines)
        rows = set(range(self.count))
        eventually(lambda: set(self._topic()), lambda seen: seen == rows)
        eventually(lambda: Counter(self._files()), lambda seen: seen == Counter(self._topic()))

    def _copied(self) -> list[str]:
        file = self.folder / "out.txt"
        return file.read_text().splitlines() if file.exists() else []

    def _topic(self) -> list[int]:
        return [json.loads(record.value)["id"] for record in read_topic(self.servers, self.name)]

    def _files(self) -> list[int]:
        found = [f for f in (self.folder / "lake").rglob("*.json") if ".headrace" not in f.parts]
        return [json.loads(line)["id"] for file in found for line in file.read_text().splitlines()]

    def states(self) -> set[str]:
        found = set()
        for name in CONNECTORS:
            status = self.worker.api.get(f"/connectors/{name}/status")
            found |= {status["connector"]["state"], *(task["state"] for task in status["tasks"])}
        return found


def refused_in_time(worker, method: str, path: str, body: object = None) -> str:
    """What the worker says to what it cannot do without brokers; quicker than Kafka's own, which takes 90 s."""
    began = time.monotonic()
    with pytest.raises(HeadraceError) as caught:
        worker.api.call(method, path, body)
    assert time.monotonic() - began < 60
    return caught.value.render()


def look_around(flow: Flow) -> None:
    """While no broker is there."""
    api = flow.worker.api
    assert sorted(api.get("/connectors")) == sorted(CONNECTORS)
    assert api.get("/connectors/rows/config")["table.whitelist"] == flow.name
    paused = refused_in_time(flow.worker, "PUT", "/connectors/rows/pause")
    assert "[CONNECT_REFUSED]" in paused
    assert "status 409" in paused
    offsets = refused_in_time(flow.worker, "GET", "/connectors/lake/offsets")
    assert "Request timed out" in offsets
    assert "status 500" in offsets


def take_away(broker: KafkaService, how: signal.Signals) -> None:
    if how is signal.SIGKILL:
        pid = broker.status().pid
        assert pid is not None
        os.kill(pid, how)
    broker.stop()


def test_the_only_broker_goes_and_comes_back(tmp_path, start_worker, postgres_server, request):
    seconds = request.config.getoption("--outage-seconds") or 0
    # To the worker both look alike within a second, so that an ordinary run has the harder one alone.
    ways = (signal.SIGTERM, signal.SIGKILL) if seconds else (signal.SIGKILL,)
    with KafkaService(tmp_path / "kafka") as broker:
        servers = broker.bootstrap_servers
        worker = start_worker(servers, tmp_path)
        pid = worker.process.pid
        flow = Flow(worker, servers, tmp_path, postgres_server.url)
        for name, config in flow.connectors().items():
            worker.put(name, config)
        flow.feed()
        flow.arrived()
        for how in ways:
            flow.feed()
            take_away(broker, how)
            began = time.monotonic()
            flow.feed()
            eventually(flow.states, lambda seen: seen == {"UNASSIGNED"}, 60)
            look_around(flow)
            eventually(
                lambda began=began: time.monotonic() - began, lambda past: past >= seconds, 3600
            )
            assert worker.process.poll() is None
            broker.start()
            assert broker.bootstrap_servers == servers
            flow.feed()
            flow.arrived()
            eventually(flow.states, lambda seen: seen == {"RUNNING"})
        assert worker.process.poll() is None
        assert worker.process.pid == pid
