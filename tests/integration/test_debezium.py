"""Debezium's PostgreSQL connector behind our REST API: a table's changes in topics, through kills, and read by SQL."""

from __future__ import annotations

import io
import json
import signal
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import fastavro
import psycopg
import pytest

from headrace.errors import HeadraceError
from headrace.testing.topics import Record, eventually, json_table, read_topic

pytestmark = pytest.mark.services

CLASS = "io.debezium.connector.postgresql.PostgresConnector"
PLAIN = {
    f"{part}.converter{option}": text
    for part in ("key", "value")
    for option, text in (
        ("", "org.apache.kafka.connect.json.JsonConverter"),
        (".schemas.enable", "false"),
    )
}
APICURIO = "io.apicurio.registry.utils.converter.AvroConverter"


class Database:
    """A database with a table of actors, and the configuration that captures it."""

    def __init__(self, url: str) -> None:
        self.name = f"pagila_{uuid.uuid4().hex[:6]}"
        server = psycopg.conninfo.conninfo_to_dict(url)
        with psycopg.connect(url, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {self.name}")
        self.connection = psycopg.connect(url, dbname=self.name, autocommit=True)
        self.run("CREATE TABLE actor (actor_id int PRIMARY KEY, first_name text NOT NULL)")
        self.run("INSERT INTO actor VALUES (1, 'PENELOPE'), (2, 'NICK'), (3, 'ED')")
        # The walk-through's configuration, with an option of Debezium 1.x.
        self.config = {
            "connector.class": CLASS,
            "database.hostname": str(server["host"]),
            "database.port": str(server["port"]),
            "database.user": str(server["user"]),
            "database.password": "${env:PG_SECRET}",
            "database.dbname": self.name,
            "database.server.name": self.name,
            "plugin.name": "pgoutput",
            "slot.name": self.name,
            "table.include.list": "public.actor",
        }
        self.topic = f"{self.name}.public.actor"

    def run(self, statement: str) -> None:
        self.connection.execute(statement)


@pytest.fixture
def database(postgres_server) -> Iterator[Database]:
    made = Database(postgres_server.url)
    yield made
    made.connection.close()


@contextmanager
def removed(worker, name: str) -> Iterator[str]:
    """A connector's name, taken away at the end so that it does not go on beside other tests."""
    yield name
    worker.api.call("DELETE", f"/connectors/{name}")


def changes(servers: str, topic: str) -> list[tuple[str | None, str | None]]:
    """Operation and name of each message, a tombstone as a pair of none."""

    def one(message):
        message = message and message.get("payload", message)
        row = message and (message["after"] or message["before"])
        return (None, None) if message is None else (message["op"], row["first_name"])

    return [one(record.json_value()) for record in read_topic(servers, topic)]


def test_a_table_is_captured_whatever_is_killed(worker, database, kafka_broker):
    servers, name = kafka_broker.bootstrap_servers, database.name

    def seen(*wanted):
        eventually(lambda: changes(servers, database.topic), lambda found: found == [*wanted])

    worker.put(name, {**database.config, **PLAIN})
    snapshot = [("r", "PENELOPE"), ("r", "NICK"), ("r", "ED")]
    seen(*snapshot)
    database.run("INSERT INTO actor VALUES (4, 'JENNIFER')")
    database.run("UPDATE actor SET first_name = 'NICOLAS' WHERE actor_id = 2")
    database.run("DELETE FROM actor WHERE actor_id = 3")
    live = [("c", "JENNIFER"), ("u", "NICOLAS"), ("d", ""), (None, None)]
    seen(*snapshot, *live)

    stored = worker.api.get(f"/connectors/{name}/config")
    assert stored["database.password"] == "${env:PG_SECRET}"
    assert stored["topic.prefix"] == name
    assert worker.api.get(f"/connectors/{name}/topics")[name]["topics"] == [database.topic]
    (offset,) = worker.api.get(f"/connectors/{name}/offsets")["offsets"]
    assert offset["partition"] == {"server": name}
    assert offset["offset"]["lsn"] > 0

    # Killed without a word; what is committed meanwhile arrives later, nothing is lost.
    worker.end(signal.SIGKILL)
    database.run("INSERT INTO actor VALUES (5, 'JOHNNY')")
    worker.start()
    assert name in worker.api.get("/connectors")
    worker.until(name, "RUNNING", ["RUNNING"])
    database.run("INSERT INTO actor VALUES (6, 'BETTE')")
    last = eventually(
        lambda: changes(servers, database.topic), lambda found: found[-1:] == [("c", "BETTE")]
    )
    # At least once: what was not noted before the kill may come again, in its order.
    assert last[: len(snapshot) + len(live)] == [*snapshot, *live]
    assert last[-2:] == [("c", "JOHNNY"), ("c", "BETTE")]

    # The Java worker alone dies: it is started again.
    (before,) = worker.java()
    before.kill()
    eventually(worker.java, lambda found: found not in ([], [before]))
    database.run("INSERT INTO actor VALUES (7, 'GRACE')")
    eventually(lambda: changes(servers, database.topic), lambda f: f[-1:] == [("c", "GRACE")])

    # Paused, stopped, offsets reset: the next start takes a snapshot again.
    worker.api.call("PUT", f"/connectors/{name}/pause")
    worker.until(name, "PAUSED", ["PAUSED"])
    worker.api.call("PUT", f"/connectors/{name}/stop")
    worker.until(name, "STOPPED", [])
    assert worker.api.call("DELETE", f"/connectors/{name}/offsets")["message"].startswith("The ")
    # Connect shows a partition without an offset until it has read that there is none any more.
    left = worker.api.get(f"/connectors/{name}/offsets")["offsets"]
    assert [one["offset"] for one in left] in ([], [None])
    count = len(changes(servers, database.topic))
    worker.api.call("PUT", f"/connectors/{name}/resume")
    again = eventually(
        lambda: changes(servers, database.topic)[count:], lambda found: len(found) >= 6
    )
    assert {op for op, _ in again} == {"r"}

    worker.api.call("DELETE", f"/connectors/{name}")
    assert name not in worker.api.get("/connectors")
    logs = (worker.home / "ours.log").read_text() + next(
        worker.home.rglob("worker.log")
    ).read_text()
    assert "is called 'topic.prefix'" in logs
    assert "trusted-anyway" not in logs


def test_what_is_wrong_is_told_as_connect_tells_it(worker, database):
    path = f"/connector-plugins/{CLASS}/config/validate"
    wrong = {**database.config, "topic.prefix": "not/a/topic", "snapshot.mode": "sometimes"}
    verdict = worker.api.call("PUT", path, wrong)
    faulty = {one["value"]["name"] for one in verdict["configs"] if one["value"]["errors"]}
    assert {"topic.prefix", "snapshot.mode"} <= faulty
    with pytest.raises(HeadraceError, match="contains the following"):
        worker.api.call("PUT", "/connectors/wrong/config", wrong)
    assert "wrong" not in worker.api.get("/connectors")
    options = worker.api.get(f"/connector-plugins/{CLASS}/config")
    assert "slot.name" in {option["name"] for option in options}
    listed = worker.api.get("/connector-plugins", connectorsOnly="false")
    kinds = {one["class"]: one["type"] for one in listed}
    assert kinds["io.debezium.transforms.ByLogicalTableRouter"] == "transformation"
    assert kinds[APICURIO] == "converter"


@pytest.mark.spark
@pytest.mark.parametrize("schemas", ["true", "false"])
def test_sql_reads_what_debezium_writes(env, worker, database, kafka_broker, topic, schemas):
    servers, copy = kafka_broker.bootstrap_servers, topic(f"actors-{schemas}")
    converters = {
        name: schemas if name.endswith("schemas.enable") else text for name, text in PLAIN.items()
    }
    common = f"'properties.bootstrap.servers' = '{servers}', 'scan.bounded.mode' = 'latest-offset'"
    columns = "actor_id INT, first_name STRING, PRIMARY KEY (actor_id) NOT ENFORCED"
    with removed(worker, database.name):
        worker.put(database.name, {**database.config, **converters})
        eventually(lambda: changes(servers, database.topic), lambda found: len(found) == 3)
        database.run("UPDATE actor SET first_name = 'NICOLAS' WHERE actor_id = 2")
        database.run("DELETE FROM actor WHERE actor_id = 3")
        eventually(lambda: changes(servers, database.topic), lambda found: len(found) == 6)
    env.execute_sql(f"""CREATE TABLE actor ({columns}) WITH ('connector' = 'kafka',
        'topic' = '{database.topic}', {common}, 'scan.startup.mode' = 'earliest-offset',
        'format' = 'debezium-json', 'debezium-json.schema-include' = '{schemas}')""")
    env.execute_sql(f"""CREATE TABLE actors ({columns}) WITH ('connector' = 'upsert-kafka',
        'topic' = '{copy}', {common}, 'key.format' = 'json', 'value.format' = 'json')""")
    env.execute_sql("INSERT INTO actors SELECT actor_id, UPPER(first_name) FROM actor").wait()
    rows = json_table(servers, copy).values()
    assert sorted((row["actor_id"], row["first_name"]) for row in rows) == [
        (1, "PENELOPE"),
        (2, "NICOLAS"),
    ]
    assert any(record.value is None for record in read_topic(servers, copy))


def test_avro_through_apicurio_with_rows_unwrapped(worker, database, kafka_broker, schema_registry):
    """The walk-through's configuration 06: Debezium 1.x's options of ExtractNewRecordState, Apicurio's converter."""
    registry = f"http://{schema_registry.address}/apis/registry/v2"
    converters = {
        f"{part}.converter{option}": text
        for part in ("key", "value")
        for option, text in (
            ("", APICURIO),
            (".apicurio.registry.url", registry),
            (".apicurio.registry.auto-register", "true"),
            (".apicurio.registry.find-latest", "true"),
        )
    }
    unwrap = {
        "transforms": "unwrap",
        "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
        "transforms.unwrap.drop.tombstones": "false",
        "transforms.unwrap.delete.handling.mode": "rewrite",
        "transforms.unwrap.add.fields": "op,db,table,schema,lsn,source.ts_ms",
    }
    servers = kafka_broker.bootstrap_servers
    with removed(worker, database.name):
        worker.put(database.name, {**database.config, **converters, **unwrap})
        eventually(lambda: read_topic(servers, database.topic), lambda found: len(found) == 3)
        database.run("DELETE FROM actor WHERE actor_id = 3")
        found = eventually(
            lambda: read_topic(servers, database.topic), lambda found: len(found) == 5
        )
    rows = [decoded(record, registry) for record in found[:4]]
    added = {"__op": "r", "__db": database.name, "__table": "actor", "__schema": "public"}
    first = rows[0]
    assert first.pop("__lsn") > 0
    assert first.pop("__source_ts_ms") > 0
    assert first == {"actor_id": 1, "first_name": "PENELOPE", "__deleted": "false", **added}
    assert [(row["actor_id"], row["__op"], row["__deleted"]) for row in rows[1:]] == [
        (2, "r", "false"),
        (3, "r", "false"),
        (3, "d", "true"),
    ]
    # The tombstone is kept after the rewritten delete.
    assert found[4].value is None


def decoded(record: Record, registry: str) -> dict[str, Any]:
    """The row, by the schema whose number is in Apicurio's header."""
    number = int.from_bytes(dict(record.headers)["apicurio.value.globalId"], "big")
    with urllib.request.urlopen(f"{registry}/ids/globalIds/{number}", timeout=30) as answer:
        schema = fastavro.parse_schema(json.load(answer))
    return fastavro.schemaless_reader(io.BytesIO(record.value), schema)
