"""A table, or the query, that a task reads: its columns as fields of records, and the statements over it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from headrace.connect.data.schema import Schema, struct
from headrace.connect.jdbc.columns import SourceColumn, TableId, auto_increment, has_fractions
from headrace.connect.jdbc.database import Database
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.predicates import Columns, Condition
from headrace.connect.jdbc.types import Field, TypeSettings, fields, reading
from headrace.errors import InvalidOption, UnknownName

# What Connect's offsets call the one query of a connector.
QUERY = "query"
_PROTOCOL = "1"


@dataclass(frozen=True)
class Source:
    """`id` is None for the query. `position` are the columns that its position is made of. `stored`: whether its rows tell
    which transactions wrote them; those of views and queries do not."""

    id: TableId | None
    origin: str
    topic: str
    fields: tuple[Field, ...]
    position: Columns
    key: tuple[str, ...]
    suffix: str
    settings: TypeSettings
    stored: bool = True

    @property
    def name(self) -> str:
        return QUERY if self.id is None else self.id.full_name

    @property
    def partition(self) -> dict[str, str]:
        """As Connect's offsets name it."""
        if self.id is None:
            return {"query": QUERY}
        return {"protocol": _PROTOCOL, "table": self.name}

    @property
    def old_partition(self) -> dict[str, str]:
        """As connectors before protocol 1 named it."""
        return {"query": QUERY} if self.id is None else {"table": self.id.name}

    @cached_property
    def schema(self) -> Schema:
        name = None if self.id is None else self.id.name
        return struct({field.name: field.schema for field in self.fields}, name=name)

    @cached_property
    def reading(self) -> str:
        return reading(self.fields, self.settings)

    def select(self, condition: Condition, *, ordered: bool = True, positions: bool = True) -> str:
        chosen = [field.select for field in self.fields]
        if positions:
            chosen += self.position.selected
        order = self.position.order() if ordered else ""
        return (
            f"SELECT {', '.join(chosen)} FROM {self.origin}{condition.where()}{order}{self.suffix}"
        )

    def select_last(self, condition: Condition) -> str:
        chosen = ", ".join(self.position.selected)
        return f"SELECT {chosen} FROM {self.origin}{condition.where()}{self.position.last_first()}"


def sources(link: Link, database: Database, names: Sequence[TableId]) -> list[Source]:
    """The query, or the tables; those that are gone are left out."""
    settings = link.settings
    if settings.query:
        columns = link.dialect.columns(database, settings.query)
        # On a line of its own: the query may end with a comment.
        return [_source(link, None, f"({settings.query}\n) AS {QUERY}_", columns, stored=False)]
    found = link.dialect.columns_of(database, names)
    derived = link.dialect.derived(database, names)
    return [
        _source(link, table, _origin(link, table), found[table], stored=table not in derived)
        for table in names
        if table in found
    ]


def _origin(link: Link, table: TableId) -> str:
    if link.settings.values["table.names.qualify"]:
        return link.dialect.qualified(table)
    return link.dialect.quote(table.name)


def _source(
    link: Link,
    id: TableId | None,
    origin: str,
    columns: Sequence[SourceColumn],
    *,
    stored: bool,
) -> Source:
    settings = TypeSettings.of(link.config)
    name = QUERY if id is None else id.full_name
    suffix = str(link.settings.values["query.suffix"]).strip()
    keys = link.settings.values["headrace.delete.detection.keys"] or [
        column.name
        for column in sorted(columns, key=lambda column: column.key_position or 0)
        if column.key_position is not None
    ]
    return Source(
        id,
        origin,
        link.settings.topic("" if id is None else id.name),
        tuple(fields(link.dialect, columns, settings)),
        _position(link, name, {column.name: column for column in columns}, id is not None),
        tuple(keys),
        f" {suffix}" if suffix else "",
        settings,
        stored,
    )


def _position(
    link: Link, name: str, columns: Mapping[str, SourceColumn], is_table: bool
) -> Columns:
    settings = link.settings
    times = settings.timestamp_columns(name)
    number = _incrementing(link, name, columns) if settings.by_number else None
    for wanted in (*times, *([number] if number else [])):
        if wanted not in columns:
            raise UnknownName("column", wanted, columns, where=name)
    if number is not None and has_fractions(columns[number]):
        raise InvalidOption(
            f"column '{number}' may hold fractions, and an offset counts in whole numbers",
            where=name,
            found=columns[number].label,
            cure="name a column of whole numbers with incrementing.column.name",
        )
    if is_table and settings.values["validate.non.null"]:
        _require_values(name, columns, times, number)
    quote = link.dialect.quote
    return Columns(tuple(map(quote, times)), None if number is None else quote(number))


def _incrementing(link: Link, name: str, columns: Mapping[str, SourceColumn]) -> str:
    chosen = link.settings.incrementing_column(name)
    counted = auto_increment(list(columns.values()))
    if chosen is None and counted is None:
        raise InvalidOption(
            "the table has no column, or more than one, that the database counts up",
            condition="NO_INCREMENTING_COLUMN",
            where=name,
            cure="name it with incrementing.column.name",
        )
    return chosen or (counted.name if counted else "")


def _require_values(
    name: str, columns: Mapping[str, SourceColumn], times: Sequence[str], number: str | None
) -> None:
    """Rows whose position is null would never be found."""
    loose = number if number is not None and columns[number].nullable else None
    if loose is None and times and all(columns[time].nullable for time in times):
        loose = times[0]
    if loose is not None:
        raise InvalidOption(
            f"column '{loose}' may be null, and rows with null in it are never found",
            condition="NULLABLE_POSITION",
            where=name,
            cure=f"ALTER TABLE … ALTER COLUMN {loose} SET NOT NULL, or validate.non.null = false",
        )


def cells(session: Any, source: Source) -> Any:
    return session._jvm.headrace.connect.jdbc.Cells(source.reading)
