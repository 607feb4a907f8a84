"""The connections of a task: one that is kept and opened again when it broke, and what tasks of Spark connect by."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from threading import Event
from typing import Any

from headrace.connect.jdbc.config import ISOLATIONS
from headrace.connect.jdbc.database import Database, load_drivers
from headrace.connect.jdbc.dialects.base import Dialect
from headrace.connect.jdbc.dialects.postgres import PostgresDialect
from headrace.connect.jdbc.dialects.registry import dialect_of
from headrace.connect.jdbc.faults import PassingDatabaseFault, attempted, database_fault
from headrace.connect.jdbc.settings import SourceSettings


class Link:
    """`lossless`: whether what PostgreSQL knows of transactions is used."""

    def __init__(self, session: Any, config: Mapping[str, str], stopping: Event) -> None:
        self.session = session
        self.config = config
        self.settings = SourceSettings(config)
        self.stopping = stopping
        self.dialect: Dialect = dialect_of(
            self.settings.url,
            self.settings.values["dialect.name"],
            quoting=self.settings.quoting,
        )
        self.is_postgres = isinstance(self.dialect, PostgresDialect)
        self.lossless = self.is_postgres and bool(self.settings.values["headrace.lossless"])
        load_drivers(session)
        self.login = self._java.Login(
            self.dialect.address(self.settings.url), self.settings.login, self._isolation()
        )
        self._open: Database | None = None
        # Each name on the way to a class of Java's is a question to the JVM, and every look asks some.
        self._new_query = self._java.Query
        self.fetch = self._java.Fetched.of

    @property
    def _java(self) -> Any:
        return self.session._jvm.headrace.connect.jdbc

    def _isolation(self) -> int:
        """All tables of a poll are read in one snapshot where late rows are told by snapshots."""
        wanted = self.settings.isolation
        if self.lossless and wanted < ISOLATIONS["REPEATABLE_READ"]:
            return ISOLATIONS["REPEATABLE_READ"]
        return wanted

    def database(self) -> Database:
        """The connection, opened as often as `connection.attempts` says."""
        if self._open is None:
            values = self.settings.values
            pause = values["connection.backoff.ms"] / 1000
            attempts = values["connection.attempts"]
            try:
                self._open = attempted(self._connected, attempts, pause, self.stopping)
            except PassingDatabaseFault as fault:
                # A query is tried again without end by default; a server that is not there fails the task, as in Connect.
                raise fault.lasting(f"after {attempts} attempts") from None
        return self._open

    def _connected(self) -> Database:
        with self.told("connecting"):
            return Database(self._java.Database(self.login.open()))

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Database]:
        """One transaction, which only reads."""
        database = self.database()
        try:
            with self.told("reading"):
                yield database
                database.connection.rollback()
        except Exception:
            self.close()
            raise

    @contextlib.contextmanager
    def told(self, doing: str) -> Iterator[None]:
        try:
            yield
        except Exception as failure:
            fault = database_fault(failure, self.config, doing)
            if fault is failure:
                raise
            raise fault from None

    def query(self, sql: str, parameters: str) -> Any:
        return self._new_query(sql, parameters, self.settings.zone, self.settings.fetch_size)

    def close(self) -> None:
        """What is broken already may fail to close."""
        if self._open is not None:
            with contextlib.suppress(Exception):
                self._open.close()
            self._open = None
