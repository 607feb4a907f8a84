"""The JDBC source in a worker of its own process: killed under writers that commit late, every row arrives.

`--kills` (make soak) makes it more kills and more writes.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
import uuid
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest

from headrace.connect.client import Client
from headrace.errors import HeadraceError
from headrace.services.guard import own
from headrace.services.ports import choose_port
from headrace.testing.topics import eventually, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

KILLS = 1
WRITERS = 3
# Rows are chosen among these, so that most writes are updates.
IDS = 500
ROWS_PER_KILL = 3000
KEY = {
    "transforms": "createKey,extractInt",
    "transforms.createKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.createKey.fields": "id",
    "transforms.extractInt.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.extractInt.field": "id",
}


class Worker:
    """`headrace connect` in a process, which can be killed and started again."""

    def __init__(self, servers: str, home: Path) -> None:
        self.port = choose_port(None)
        self.client = Client(f"http://127.0.0.1:{self.port}")
        self.home = home
        group = uuid.uuid4().hex[:8]
        stores = {s: f"{s}.storage.topic={group}-{s}" for s in ("config", "offset", "status")}
        self.command = [
            *(sys.executable, "-m", "headrace.cli.main", "connect", "--bootstrap-servers", servers),
            *("--port", str(self.port), "--group-id", group),
            *(part for text in stores.values() for part in ("-D", text)),
        ]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        log = (self.home / "worker.log").open("ab")
        with log:
            self.process = subprocess.Popen(
                self.command,
                env={**os.environ, "HEADRACE_HOME": str(self.home)},
                stdout=log,
                stderr=log,
            )
            own(self.process)
        eventually(self._answers, bool, 120)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.home / "worker.log").read_text()
        with contextlib.suppress(HeadraceError):
            return bool(self.client.get("/health")["status"] == "healthy")
        return False

    def put(self, name: str, config: dict[str, object]) -> None:
        """Once the worker leads."""

        def created() -> bool:
            with contextlib.suppress(HeadraceError):
                self.client.call("PUT", f"/connectors/{name}/config", config)
                return True
            return False

        eventually(created, bool, 120)

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def states(self, name: str) -> list[str]:
        status = self.client.get(f"/connectors/{name}/status")
        return [status["connector"]["state"], *(task["state"] for task in status["tasks"])]


class Writers:
    """Transactions that are held open across polls, roll back, use savepoints, and share timestamps."""

    def __init__(self, url: str, seed: int) -> None:
        self.url = url
        self.seed = seed
        self.written = 0
        self.stopping = threading.Event()
        self.failures: list[BaseException] = []
        self.threads = [
            threading.Thread(target=self._run, args=(number,)) for number in range(WRITERS)
        ]

    def __enter__(self) -> Writers:
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        for thread in self.threads:
            thread.join()
        assert self.failures == []

    def _run(self, number: int) -> None:
        dice = random.Random(f"{self.seed}-{number}")
        try:
            with psycopg.connect(self.url) as connection:
                while not self.stopping.is_set():
                    self._transaction(connection, number, dice)
        except Exception as failure:
            self.failures.append(failure)

    def _transaction(self, connection, number: int, dice: random.Random) -> None:
        for _ in range(dice.randint(1, 4)):
            # Writers have ids of their own: they would wait for each other's rows otherwise.
            ids = [dice.randrange(IDS) * WRITERS + number for _ in range(dice.choice([1, 5, 60]))]
            if dice.random() < 0.3:
                connection.execute("SAVEPOINT s")
            connection.execute(
                "INSERT INTO proof SELECT i, %s, date_trunc('second', now()) FROM unnest(%s::int[]) i "
                "GROUP BY i ON CONFLICT (id) DO UPDATE SET value = EXCLUDED.value, at = EXCLUDED.at",
                (dice.randrange(1 << 30), ids),
            )
            self.written += len(ids)
            self.stopping.wait(dice.choice([0, 0, 0.01, 0.05, 1.2]))
        if dice.random() < 0.15:
            connection.rollback()
        else:
            connection.commit()


@pytest.fixture
def database(postgres_server) -> Iterator[psycopg.Connection]:
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        yield connection


@pytest.fixture
def worker(kafka_broker, tmp_path) -> Iterator[Worker]:
    made = Worker(kafka_broker.bootstrap_servers, tmp_path)
    made.start()
    yield made
    made.kill()


def source(url: str, **options: object) -> dict[str, object]:
    parts = urlsplit(url)
    return {
        "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
        "connection.url": f"jdbc:postgresql://{parts.hostname}:{parts.port}{parts.path}",
        "connection.user": parts.username or "postgres",
        "connection.password": parts.password or "none",
        "poll.interval.ms": 300,
        "mode": "timestamp",
        **{name.replace("_", "."): value for name, value in options.items()},
    }


def latest(servers: str, topic: str) -> dict[int, int]:
    values = (json.loads(record.value)["payload"] for record in read_topic(servers, topic))
    return {row["id"]: row["value"] for row in values}


def test_every_row_arrives_whatever_is_killed(
    worker, database, postgres_server, kafka_broker, request
):
    kills = request.config.getoption("--kills") or KILLS
    database.execute("DROP TABLE IF EXISTS proof")
    database.execute("CREATE TABLE proof (id int PRIMARY KEY, value int, at timestamptz NOT NULL)")
    database.execute("CREATE INDEX ON proof (at)")
    topic = f"proof-{uuid.uuid4().hex[:8]}."
    config = source(postgres_server.url, timestamp_column_name="at", table_whitelist="proof")
    worker.put("proof", {**config, **KEY, "topic.prefix": topic})
    servers = kafka_broker.bootstrap_servers
    with Writers(postgres_server.url, seed=kills) as writers:
        for _ in range(kills):
            goal = writers.written + ROWS_PER_KILL
            eventually(lambda: writers.written, lambda written, goal=goal: written >= goal, 120)
            worker.kill()
            worker.start()
    wanted = dict(database.execute("SELECT id, value FROM proof").fetchall())
    assert len(wanted) > IDS
    eventually(lambda: latest(servers, f"{topic}proof"), lambda seen: seen == wanted, 90)
    assert worker.states("proof") == ["RUNNING", "RUNNING"]


def test_offsets_are_shown_altered_and_reset_as_connect_s(
    worker, database, postgres_server, kafka_broker
):
    database.execute("DROP TABLE IF EXISTS altered")
    database.execute(
        "CREATE TABLE altered (id int PRIMARY KEY, value int, at timestamptz NOT NULL)"
    )
    database.execute("INSERT INTO altered VALUES (1, 1, '2020-01-01Z'), (2, 2, '2020-01-02Z')")
    topic = f"altered-{uuid.uuid4().hex[:8]}."
    config = source(
        postgres_server.url,
        timestamp_column_name="at",
        table_whitelist="altered",
        catalog_pattern="public",
        topic_prefix=topic,
    )
    call, at = worker.client.call, "/connectors/altered"
    worker.put("altered", config)

    def count() -> int:
        with contextlib.suppress(Exception):
            return len(read_topic(kafka_broker.bootstrap_servers, f"{topic}altered"))
        return 0

    partition = {"protocol": "1", "table": "public.altered"}
    offset = {"timestamp": 1577923200000, "timestamp_nanos": 0}
    eventually(
        lambda: call("GET", f"{at}/offsets"),
        lambda shown: shown == {"offsets": [{"partition": partition, "offset": offset}]},
        90,
    )
    assert count() == 2
    call("PUT", f"{at}/stop")
    earlier = {"timestamp": 1577836800000, "timestamp_nanos": 0}
    body = {"offsets": [{"partition": partition, "offset": earlier}]}
    eventually(
        lambda: call("GET", f"{at}/status")["connector"]["state"], lambda s: s == "STOPPED", 30
    )
    call("PATCH", f"{at}/offsets", body)
    call("PUT", f"{at}/resume")
    eventually(count, lambda seen: seen == 3, 60)
    call("PUT", f"{at}/pause")
    eventually(lambda: worker.states("altered"), lambda seen: seen == ["PAUSED", "PAUSED"], 30)
    database.execute("INSERT INTO altered VALUES (3, 3, now())")
    call("PUT", f"{at}/stop")
    eventually(
        lambda: call("GET", f"{at}/status")["connector"]["state"], lambda s: s == "STOPPED", 30
    )
    call("DELETE", f"{at}/offsets")
    assert call("GET", f"{at}/offsets") == {"offsets": []}
    call("PUT", f"{at}/resume")
    eventually(count, lambda seen: seen == 6, 60)
