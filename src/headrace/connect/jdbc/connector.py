"""The JDBC source: rows of tables, or of a query, into topics, as Confluent's and Aiven's connectors move them."""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Mapping, Sequence
from typing import ClassVar

import headrace
from headrace.connect import application
from headrace.connect.configdef import ConfigDef
from headrace.connect.jdbc import topics
from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.config import OPTIONS
from headrace.connect.jdbc.filters import TableFilters
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.settings import SourceSettings
from headrace.connect.jdbc.task import TABLES, SourceTask, tables_option
from headrace.connect.jdbc.validation import faults
from headrace.connect.plugins import Connector, ConnectorContext, Kind, Offset, TaskContext
from headrace.errors import HeadraceError, nearest
from headrace.toolchain.coordinates import JDBC_SET

logger = logging.getLogger("headrace.connect.jdbc")


class JdbcSource(Connector):
    class_name: ClassVar[str] = "io.confluent.connect.jdbc.JdbcSourceConnector"
    kind: ClassVar[Kind] = Kind.SOURCE
    version: ClassVar[str | None] = headrace.__version__
    task_class: ClassVar[str | None] = "io.confluent.connect.jdbc.source.JdbcSourceTask"
    jar_sets: ClassVar[tuple[str, ...]] = (JDBC_SET.name,)

    def __init__(self) -> None:
        self.stopping = threading.Event()

    @classmethod
    def config(cls) -> ConfigDef:
        return OPTIONS

    @classmethod
    def validate(cls, config: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
        found = faults(config)
        for option, message in topics.faults(config):
            found.setdefault(option, []).append(message)
        return found

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        settings = SourceSettings(config)
        warn_of_unknown(context.name, config)
        if settings.query:
            return [dict(config)]
        link = self._link(config, context)
        found = self._tables(link)
        if not found:
            logger.warning(
                "%s: no table of the database matches%s, so that there is nothing to do; it is looked again every %s ms",
                context.name,
                _wanted(config),
                settings.values["table.poll.interval.ms"],
            )
        self._watch(link, context, found)
        return [
            {**config, TABLES: tables_option(part)}
            for part in split(found, int(config.get("tasks.max", "1")))
        ]

    def _link(self, config: Mapping[str, str], context: ConnectorContext) -> Link:
        session = application.session(context.worker, context.name)
        return Link(session, config, self.stopping)

    def _tables(self, link: Link) -> list[TableId]:
        """A connection for each look: there are long pauses between them."""
        try:
            with link.transaction() as database:
                return link.dialect.tables(database, TableFilters.of(link.config))
        finally:
            link.close()

    def _watch(self, link: Link, context: ConnectorContext, known: Sequence[TableId]) -> None:
        """Looks for new and dropped tables, of which the tasks are then made anew."""
        interval = link.settings.values["table.poll.interval.ms"] / 1000

        def watch() -> None:
            while not self.stopping.wait(interval):
                try:
                    if self._tables(link) != list(known):
                        context.reconfigure()
                        return
                except HeadraceError as fault:
                    logger.warning("%s: tables could not be looked for: %s", context.name, fault)

        threading.Thread(target=watch, name=f"tables-{context.name}", daemon=True).start()

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        SourceTask(config, context).run()

    def stop(self) -> None:
        self.stopping.set()

    def alter_offsets(
        self, config: Mapping[str, str], changes: Sequence[tuple[Offset, Offset | None]]
    ) -> bool:
        for partition, offset in changes:
            _require_partition(partition)
            if offset is not None:
                _require_offset(offset)
        return False


def _wanted(config: Mapping[str, str]) -> str:
    given = [name for name in sorted(config) if name.startswith(("table.", "schema.", "catalog."))]
    chosen = [f"{name} = {config[name]}" for name in given if not name.endswith(".ms")]
    return f" {', '.join(chosen)}" if chosen else ""


class AivenJdbcSource(JdbcSource):
    class_name: ClassVar[str] = "io.aiven.connect.jdbc.JdbcSourceConnector"
    task_class: ClassVar[str | None] = "io.aiven.connect.jdbc.source.JdbcSourceTask"


# Options of all sources, and those that belong to transforms, converters and clients.
_COMMON = re.compile(
    r"name|connector\.class|tasks\.max.*|config\.action\.reload|exactly\.once\.support|offsets\.storage\.topic"
    r"|(key|value|header)\.converter.*|(transforms|predicates)(\..+)?|(errors|topic\.creation|connection)\..+"
    r"|transaction\.boundary.*|(producer|consumer|admin)\.override\..+"
)


def warn_of_unknown(name: str, config: Mapping[str, str]) -> None:
    """Connect tolerates options that nobody declared; a misspelled one should not go without a word."""
    for option in config:
        if option not in OPTIONS.keys and not _COMMON.fullmatch(option):
            close = nearest(option, OPTIONS.keys)
            hint = f"; did you mean '{close}'?" if close else ""
            logger.warning("%s: option '%s' is not known and has no effect%s", name, option, hint)


def split(tables: Sequence[TableId], most: int) -> list[list[TableId]]:
    """Neighbours stay together, and no part has more than one table more than another."""
    parts = min(len(tables), most)
    if parts == 0:
        return []
    size, rest = divmod(len(tables), parts)
    ends = [size * (i + 1) + min(i + 1, rest) for i in range(parts)]
    return [list(tables[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _require_partition(partition: Offset | None) -> None:
    if not partition or ("table" not in partition and "query" not in partition):
        raise ValueError("Partition objects should contain the key 'table' or 'query'")


def _require_offset(offset: Offset) -> None:
    unknown = [
        name for name in offset if name not in ("timestamp", "timestamp_nanos", "incrementing")
    ]
    if unknown:
        raise ValueError(f"Offsets have no key '{unknown[0]}'")
    for name, value in offset.items():
        if value is not None and not isinstance(value, int):
            raise ValueError(f"The value for the '{name}' key in the offset is no whole number")
