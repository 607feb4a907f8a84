"""What a connector asks of a kind of database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from headrace.connect.jdbc.columns import SourceColumn, TableId
from headrace.connect.jdbc.filters import TableFilters
from headrace.connect.jdbc.types import PLAIN, Reading, TypeSettings


class Asked(Protocol):
    """A connection, as dialects use it: `database.Database`."""

    def rows(self, sql: str, *parameters: str | int) -> list[list[Any]]: ...

    def tables(
        self, catalog: str | None, schema: str | None, types: Sequence[str]
    ) -> list[list[str | None]]: ...

    def columns(self, catalog: str | None, schema: str | None, table: str) -> dict[str, Any]: ...

    def described(self, sql: str) -> list[dict[str, Any]]: ...

    def instant(self, sql: str, zone: str) -> int: ...

    @property
    def catalog(self) -> str | None: ...


class Dialect:
    """One object per connector; `quoting` is False where names go into statements as they are."""

    name: ClassVar[str]
    schemes: ClassVar[tuple[str, ...]] = ()
    quotes: str = '"'

    def __init__(self, *, quoting: bool = True) -> None:
        self.quoting = quoting

    def quote(self, name: str) -> str:
        return self.quoted(name) if self.quoting else name

    def quoted(self, name: str) -> str:
        mark = self.quotes
        return f"{mark}{name.replace(mark, mark * 2)}{mark}" if mark.strip() else name

    def qualified(self, table: TableId) -> str:
        """What stands behind FROM."""
        return ".".join(map(self.quote, table.parts))

    def address(self, url: str) -> str:
        """The URL as the driver wants it."""
        return url

    def tables(self, database: Asked, filters: TableFilters) -> list[TableId]:
        """The tables to read, in the order of their names."""
        raise NotImplementedError

    def columns(self, database: Asked, source: TableId | str) -> list[SourceColumn]:
        """The columns of a table, or of a query, in order."""
        if isinstance(source, TableId):
            return self.columns_of(database, [source]).get(source, [])
        return self.columns_of_query(database, source)

    def columns_of(
        self, database: Asked, tables: Sequence[TableId]
    ) -> dict[TableId, list[SourceColumn]]:
        """The columns of many tables; a table that is gone is left out."""
        raise NotImplementedError

    def columns_of_query(self, database: Asked, sql: str) -> list[SourceColumn]:
        raise NotImplementedError

    def derived(self, database: Asked, tables: Sequence[TableId]) -> set[TableId]:
        """Those of the tables that hold no rows of their own, such as views."""
        return set()

    def shape(self, database: Asked, tables: Sequence[TableId]) -> Any:
        """Something that is another once the columns of one of the tables are; always None where asking at every poll
        would take too long."""
        return None

    def now(self, database: Asked, timezone: str) -> int:
        """The database's clock in microseconds since 1970; a clock without a zone is that of the time zone."""
        return database.instant("SELECT CURRENT_TIMESTAMP", timezone)

    def reading(self, column: SourceColumn, settings: TypeSettings) -> Reading | None:
        raise NotImplementedError

    def text_of(self, column: SourceColumn) -> Reading:
        return PLAIN["string"]
