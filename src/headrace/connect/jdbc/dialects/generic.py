"""Databases that are known by their drivers' metadata alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from headrace.connect.jdbc.columns import SourceColumn, TableId
from headrace.connect.jdbc.dialects.base import Asked, Dialect
from headrace.connect.jdbc.filters import TableFilters
from headrace.connect.jdbc.types import DATE, PLAIN, TIME, Reading, TypeSettings, moment, numeric

# By the numbers of java.sql.Types.
_NAMES = {
    -7: "bit",
    16: "boolean",
    -6: "tinyint",
    5: "smallint",
    4: "integer",
    -5: "bigint",
    7: "real",
    6: "float",
    8: "double",
    2: "numeric",
    3: "decimal",
    91: "date",
    92: "time",
    93: "timestamp",
    2014: "timestamptz",
    **dict.fromkeys((1, 12, -1, -15, -9, -16, 2005, 2011, 2009, 70), "text"),
    **dict.fromkeys((-2, -3, -4, 2004), "binary"),
}

_PLAIN = {
    "bit": PLAIN["int8"],
    "boolean": PLAIN["boolean"],
    "tinyint": PLAIN["int8"],
    "smallint": PLAIN["int16"],
    "integer": PLAIN["int32"],
    "bigint": PLAIN["int64"],
    "real": PLAIN["float"],
    "float": PLAIN["double"],
    "double": PLAIN["double"],
    "text": PLAIN["string"],
    "binary": PLAIN["bytes"],
    "date": Reading("driven_date", DATE.schema),
    "time": TIME,
}

# Numbers without a sign need the next size.
_WIDER = {"tinyint": "smallint", "smallint": "integer", "integer": "bigint"}


class GenericDialect(Dialect):
    name: ClassVar[str] = "GenericDatabaseDialect"

    def tables(self, database: Asked, filters: TableFilters) -> list[TableId]:
        found = database.tables(filters.catalog, filters.schema, filters.types)
        tables = (TableId(catalog, schema, name or "") for catalog, schema, name in found)
        return filters.chosen(tables, self.quoted)

    def columns_of(
        self, database: Asked, tables: Sequence[TableId]
    ) -> dict[TableId, list[SourceColumn]]:
        found = {table: _columns(database, table) for table in tables}
        return {table: columns for table, columns in found.items() if columns}

    def columns_of_query(self, database: Asked, sql: str) -> list[SourceColumn]:
        return [_column(column, None) for column in database.described(sql)]

    def reading(self, column: SourceColumn, settings: TypeSettings) -> Reading | None:
        match column.type:
            case "numeric" | "decimal":
                return numeric(column.precision, column.scale, settings)
            case "timestamp":
                return moment("driven_timestamp", settings)
            case "timestamptz":
                return moment("instant", settings)
        wider = _WIDER.get(column.type, column.type) if column.unsigned else column.type
        return _PLAIN.get(wider)


def _columns(database: Asked, table: TableId) -> list[SourceColumn]:
    answer = database.columns(table.catalog, table.schema, table.name)
    places = {name: place for place, name in answer["key"]}
    return [_column(column, places.get(column["name"])) for column in answer["columns"]]


def _column(facts: dict[str, Any], place: int | None) -> SourceColumn:
    declared = str(facts["type"]).lower()
    return SourceColumn(
        facts["name"],
        _NAMES.get(facts["jdbc"], declared),
        nullable=facts["nullable"],
        precision=facts["precision"],
        scale=facts["scale"],
        unsigned="unsigned" in declared,
        auto_increment=facts["increments"],
        key_position=place,
        declared=declared,
    )
