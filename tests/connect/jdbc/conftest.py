from __future__ import annotations

import json
import threading
import uuid
from contextlib import contextmanager
from urllib.parse import urlsplit

import psycopg
import pytest

from headrace.connect.data.schema import struct
from headrace.connect.jdbc.connector import JdbcSource
from headrace.connect.jdbc.database import open_database
from headrace.connect.jdbc.types import TypeSettings, fields, reading
from headrace.connect.plugins import ConnectorContext, TaskContext
from headrace.testing.topics import eventually, read_topic


class Bench:
    """A schema of the test's own in PostgreSQL, and connectors over it whose offsets are kept in memory."""

    def __init__(self, servers: str, url: str, folder) -> None:
        self.servers, self.folder = servers, folder
        self.schema = f"s{uuid.uuid4().hex[:12]}"
        self.offsets: dict[str, tuple[dict, dict]] = {}
        self.errors: list[BaseException] = []
        self.topics: list[str] = []
        self.sent: list[list] = []
        self.url = url
        parts = urlsplit(url)
        self.login = {
            "connection.url": f"jdbc:postgresql://{parts.hostname}:{parts.port}{parts.path}",
            "connection.user": parts.username or "postgres",
            "connection.password": parts.password or "",
        }
        self.opened: list[psycopg.Connection] = []
        self.database = psycopg.connect(url, autocommit=True)
        self.opened.append(self.database)
        self.database.execute(f"CREATE SCHEMA {self.schema}")
        self.database.execute(f"SET search_path = {self.schema}")

    def connect(self, **options):
        connection = psycopg.connect(self.url, **options)
        self.opened.append(connection)
        connection.execute(f"SET search_path = {self.schema}")
        connection.commit()
        return connection

    def execute(self, sql: str):
        return self.database.execute(sql)

    @property
    def prefix(self) -> str:
        return f"{self.schema}."

    def config(self, **options: str) -> dict[str, str]:
        """Underscores stand for dots."""
        return {
            "name": self.schema,
            "connector.class": "JdbcSource",
            **self.login,
            "schema.pattern": self.schema,
            "topic.prefix": self.prefix,
            "poll.interval.ms": "100",
            "value.converter": "org.apache.kafka.connect.json.JsonConverter",
            "value.converter.schemas.enable": "false",
            "key.converter": "org.apache.kafka.connect.json.JsonConverter",
            "key.converter.schemas.enable": "false",
            **{name.replace("_", "."): text for name, text in options.items()},
        }

    @property
    def worker(self) -> dict[str, str]:
        return {"bootstrap.servers": self.servers, "headrace.state.dir": str(self.folder)}

    @contextmanager
    def running(self, config: dict[str, str], reconfigure=lambda: None):
        """The connector with its tasks, until the block ends."""
        assert JdbcSource.validate(config) == {}
        connector = JdbcSource()
        context = ConnectorContext(self.schema, self.worker, reconfigure, list)
        tasks = [self._task(number) for number in range(int(config.get("tasks.max", "1")))]
        threads = [
            threading.Thread(target=self._run, args=(connector, given, task), daemon=True)
            for given, task in zip(connector.start(config, context), tasks, strict=False)
        ]
        for thread in threads:
            thread.start()
        try:
            yield connector
        finally:
            connector.stop()
            for task in tasks:
                task.stopping.set()
            for thread in threads:
                thread.join(30)

    def _task(self, number: int) -> TaskContext:
        return TaskContext(
            self.schema, number, self.worker, self.offset, self._write, self.topics.extend
        )

    def _run(self, connector, config, context) -> None:
        try:
            connector.run_task(config, context)
        except Exception as error:
            if not context.stopping.is_set():
                self.errors.append(error)

    def offset(self, partition):
        found = self.offsets.get(json.dumps(partition, sort_keys=True))
        return None if found is None else found[1]

    def _write(self, offsets) -> None:
        for partition, offset in offsets:
            self.offsets[json.dumps(partition, sort_keys=True)] = (dict(partition), dict(offset))
        self.sent.append(list(offsets))

    def records(self, topic: str):
        """What a topic holds, none where it does not exist yet."""
        try:
            return read_topic(self.servers, self.prefix + topic)
        except Exception:
            return []

    def values(self, topic: str) -> list:
        return [record.json_value() for record in self.records(topic)]

    def until(self, topic: str, done, seconds: float = 60):
        """Its values, once they are as wanted; a task that failed ends the wait."""

        def seen():
            if self.errors:
                raise self.errors[0]
            return self.values(topic)

        return eventually(seen, done, seconds)

    def ids(self, topic: str, *wanted: int) -> list[int]:
        """The ids of a topic's records in their order, once all that are wanted are there."""
        rows = self.until(topic, lambda rows: len(rows) >= len(wanted))
        return [row["id"] for row in rows]


class MariaBench(Bench):
    """The same with a database of the test's own in MariaDB, which the JVM's driver talks to."""

    def __init__(self, servers: str, url: str, folder, spark) -> None:
        self.servers, self.folder = servers, folder
        self.schema = f"s{uuid.uuid4().hex[:12]}"
        self.offsets, self.errors, self.topics, self.sent, self.opened = {}, [], [], [], []
        address, _, options = url.partition("?")
        login = dict(option.split("=") for option in options.split("&"))
        server = open_database(spark, url, {})
        run(server, f"CREATE DATABASE {self.schema} CHARACTER SET utf8mb4")
        server.close()
        self.login = {
            "connection.url": f"{address.rpartition('/')[0]}/{self.schema}",
            "connection.user": login["user"],
            "connection.password": login["password"],
        }
        self.database = open_database(spark, self.login["connection.url"], login)

    def execute(self, sql: str):
        return run(self.database, sql)

    def config(self, **options: str) -> dict[str, str]:
        config = super().config(**options)
        del config["schema.pattern"]
        return config


def run(database, sql: str) -> None:
    statement = database.connection.createStatement()
    statement.execute(sql)
    statement.close()


@pytest.fixture
def maria_bench(spark, kafka_broker, mariadb_server, tmp_path):
    made = MariaBench(kafka_broker.bootstrap_servers, mariadb_server.url, tmp_path, spark)
    yield made
    made.database.close()


@pytest.fixture
def bench(spark, kafka_broker, postgres_server, tmp_path):
    made = Bench(kafka_broker.bootstrap_servers, postgres_server.url, tmp_path)
    yield made
    for connection in made.opened:
        connection.close()


class Rows:
    """Rows of a SELECT as the JVM reads them: Spark's internal values, as Python or Java shows them."""

    def __init__(self, spark, database, dialect) -> None:
        self.spark, self.database, self.dialect = spark, database, dialect

    def of(self, source, where="", **settings):
        """Schemas by column, and the rows."""
        chosen = TypeSettings(**settings)
        columns = self.dialect.columns(self.database, source)
        found = fields(self.dialect, columns, chosen)
        target = source if isinstance(source, str) else self.dialect.qualified(source)
        origin = f"({target}) AS q" if isinstance(source, str) else target
        sql = f"SELECT {', '.join(f.select for f in found)} FROM {origin} {where}"
        cells = self.spark._jvm.headrace.connect.jdbc.Cells(reading(found, chosen))
        schemas = {f.name: f.schema for f in found}
        # The frame that converters see has the types of the schemas.
        assert json.loads(cells.schema().json()) == struct(schemas).spark().jsonValue()
        return schemas, list(self._read(sql, cells))

    def _read(self, sql, cells):
        types = [field.dataType() for field in cells.schema().fields()]
        names = list(cells.schema().fieldNames())
        statement = self.database.connection.createStatement()
        try:
            result = statement.executeQuery(sql)
            while result.next():
                row = cells.read(result)
                yield {n: shown(row, i, types[i]) for i, n in enumerate(names)}
        finally:
            statement.close()


def shown(row, place, type):
    if row.isNullAt(place):
        return None
    value = row.get(place, type)
    return value if isinstance(value, bool | int | float | bytes) else value.toString()


@pytest.fixture(scope="session")
def make_rows(spark):
    return lambda database, dialect: Rows(spark, database, dialect)


@pytest.fixture(scope="session")
def postgres_database(spark, postgres_server):
    """A database of its own, a connection of the JVM and one of Python."""
    name = "jdbc_types"
    with psycopg.connect(postgres_server.url, autocommit=True) as server:
        server.execute(f"DROP DATABASE IF EXISTS {name}")
        server.execute(f"CREATE DATABASE {name}")
    parts = psycopg.conninfo.conninfo_to_dict(postgres_server.url) | {"dbname": name}
    login = {"user": parts["user"], "password": parts.get("password") or ""}
    url = f"jdbc:postgresql://{parts['host']}:{parts['port']}/{name}"
    database = open_database(spark, url, login)
    with psycopg.connect(**parts, autocommit=True) as python:
        yield database, python
    database.close()
