"""A connection of the JVM, asked from Python: every question is one call."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from headrace.toolchain.coordinates import JDBC_SET
from headrace.toolchain.jars import installed


class Database:
    """A `headrace.connect.jdbc.Database` of the JVM; `connection` is its java.sql.Connection."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self.connection = handle.connection()

    def rows(self, sql: str, *parameters: str | int) -> list[list[Any]]:
        """The rows of a query: texts, numbers, truth values and None."""
        return _list(self._handle.rows(sql, list(parameters)))

    def tables(
        self, catalog: str | None, schema: str | None, types: Sequence[str]
    ) -> list[list[str | None]]:
        """Catalogue, schema and name by the driver's own metadata."""
        return _list(self._handle.tables(catalog, schema, list(types)))

    def columns(self, catalog: str | None, schema: str | None, table: str) -> dict[str, Any]:
        """`columns` and `key` of a table by the driver's own metadata."""
        found: dict[str, Any] = json.loads(self._handle.columns(catalog, schema, table))
        return found

    def described(self, sql: str) -> list[dict[str, Any]]:
        """The columns of a query, which is not run."""
        return _list(self._handle.described(sql))

    def instant(self, sql: str, zone: str) -> int:
        """Microseconds since 1970 of a query's one timestamp."""
        return int(self._handle.instant(sql, zone))

    @property
    def quotes(self) -> str:
        return str(self._handle.quotes())

    @property
    def catalog(self) -> str | None:
        name: str | None = self._handle.catalog()
        return name

    def close(self) -> None:
        self._handle.close()


def open_database(session: Any, url: str, properties: Mapping[str, str]) -> Database:
    """Connects with a driver of Headrace's, or one that Spark was given."""
    load_drivers(session)
    return Database(session._jvm.headrace.connect.jdbc.Database.open(url, dict(properties)))


def load_drivers(session: Any) -> None:
    """Show the drivers to this JVM, which takes jars while it runs, and to executors elsewhere."""
    jars = installed(JDBC_SET.name)
    session._jvm.headrace.connect.jdbc.Drivers.add([jar.as_uri() for jar in jars])
    if not session.sparkContext._jsc.isLocal():
        for jar in jars:
            session.sparkContext._jsc.addJar(str(jar))


def _list(text: str) -> list[Any]:
    found: list[Any] = json.loads(text)
    return found
