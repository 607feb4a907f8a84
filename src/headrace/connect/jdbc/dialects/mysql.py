"""MySQL and MariaDB: tables and columns come from their information schema."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, ClassVar

from headrace.connect.jdbc.columns import SourceColumn, TableId
from headrace.connect.jdbc.dialects.base import Asked, Dialect
from headrace.connect.jdbc.filters import TableFilters, like
from headrace.connect.jdbc.types import DATE, PLAIN, TIME, Reading, TypeSettings, moment, numeric

_TABLES = """
SELECT table_schema, table_name, table_type FROM information_schema.tables
"""
_SYSTEM = ("information_schema", "mysql", "performance_schema", "sys")
_KINDS = {
    "BASE TABLE": "TABLE",
    "SYSTEM VERSIONED": "TABLE",
    "VIEW": "VIEW",
    "SYSTEM VIEW": "SYSTEM TABLE",
    "TEMPORARY": "LOCAL TEMPORARY",
}

# A list of placeholders would be a statement of its own for every number of tables.
_COLUMNS = """
SELECT c.table_schema, c.table_name, c.column_name, c.data_type, c.column_type, c.is_nullable = 'YES',
       COALESCE(c.numeric_precision, 0), COALESCE(c.numeric_scale, 0), c.extra LIKE '%auto_increment%',
       (SELECT k.ordinal_position FROM information_schema.key_column_usage k
        WHERE k.constraint_name = 'PRIMARY' AND k.table_schema = c.table_schema AND k.table_name = c.table_name
          AND k.column_name = c.column_name)
FROM information_schema.columns c
WHERE JSON_CONTAINS(?, JSON_QUOTE(CONCAT(c.table_schema, '.', c.table_name)))
ORDER BY c.table_schema, c.table_name, c.ordinal_position
"""

_PLAIN = {
    "tinyint": PLAIN["int8"],
    "smallint": PLAIN["int16"],
    "mediumint": PLAIN["int32"],
    "int": PLAIN["int32"],
    "bigint": PLAIN["int64"],
    "float": PLAIN["float"],
    "double": PLAIN["double"],
    "date": DATE,
    "time": TIME,
    # As a number: the driver's own form of a year depends on how it was connected.
    "year": Reading("year", DATE.schema, "{} + 0"),
    **dict.fromkeys(
        ("char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set", "json"),
        PLAIN["string"],
    ),
    **dict.fromkeys(
        ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob"), PLAIN["bytes"]
    ),
}
_UNSIGNED = {
    "tinyint": PLAIN["int16"],
    "smallint": PLAIN["int32"],
    "int": PLAIN["int64"],
    # Its upper half is beyond Connect's numbers, and so is refused where it is met.
    "bigint": Reading("whole:int64", PLAIN["int64"].schema),
}
_GEOMETRIES = (
    "geometry",
    "point",
    "linestring",
    "polygon",
    "multipoint",
    "multilinestring",
    "multipolygon",
    "geometrycollection",
    "geomcollection",
)

# Names of the driver's that are not the server's; tinyint(1) is a truth value to it.
_DESCRIBED = {"integer": "int", "boolean": "tinyint"}


class MySqlDialect(Dialect):
    name: ClassVar[str] = "MySqlDatabaseDialect"
    schemes: ClassVar[tuple[str, ...]] = ("mysql", "mariadb")
    quotes = "`"

    def address(self, url: str) -> str:
        """MariaDB's driver takes addresses of MySQL only if it is told so."""
        if not url.startswith("jdbc:mysql:") or "permitMysqlScheme" in url:
            return url
        return f"{url}{'&' if '?' in url else '?'}permitMysqlScheme"

    def tables(self, database: Asked, filters: TableFilters) -> list[TableId]:
        """A database is a catalogue here, and there are no schemas; without a pattern it is that of the address."""
        wanted = filters.catalog if filters.catalog is not None else database.catalog
        found = (
            TableId(catalog, None, name)
            for catalog, name, kind in database.rows(_TABLES)
            if like(wanted, catalog)
            and (catalog == wanted or catalog not in _SYSTEM)
            and _KINDS.get(kind, kind) in filters.types
        )
        return filters.chosen(found, self.quoted)

    def columns_of(
        self, database: Asked, tables: Sequence[TableId]
    ) -> dict[TableId, list[SourceColumn]]:
        found: dict[TableId, list[SourceColumn]] = {}
        asked = json.dumps([table.full_name for table in tables])
        for catalog, name, *facts in database.rows(_COLUMNS, asked):
            found.setdefault(TableId(catalog, None, name), []).append(_column(facts))
        return {table: found[table] for table in tables if table in found}

    def columns_of_query(self, database: Asked, sql: str) -> list[SourceColumn]:
        return [_described(column) for column in database.described(sql)]

    def shape(self, database: Asked, tables: Sequence[TableId]) -> Any:
        return self.columns_of(database, tables)

    def now(self, database: Asked, timezone: str) -> int:
        return database.instant("SELECT CURRENT_TIMESTAMP(6)", timezone)

    def reading(self, column: SourceColumn, settings: TypeSettings) -> Reading | None:
        match column.type:
            case "decimal":
                return numeric(column.precision, column.scale, settings)
            case "datetime" | "timestamp":
                return moment("timestamp", settings)
            case "bit":
                # As a number: the driver's truth values of one bit differ from Connect's numbers.
                return Reading("int8", PLAIN["int8"].schema, "{} + 0") if column.precision == 1 else PLAIN["bytes"]  # fmt: skip
        if column.unsigned and column.type in _UNSIGNED:
            return _UNSIGNED[column.type]
        return _PLAIN.get(column.type)

    def text_of(self, column: SourceColumn) -> Reading:
        spatial = column.type in _GEOMETRIES
        return Reading(
            "string", PLAIN["string"].schema, "ST_AsText({})" if spatial else "CAST({} AS CHAR)"
        )


def _column(facts: Sequence[Any]) -> SourceColumn:
    name, type, declared, nullable, precision, scale, counted, place = facts
    return SourceColumn(
        name,
        type.lower(),
        nullable=bool(nullable),
        precision=int(precision),
        scale=int(scale),
        unsigned="unsigned" in declared.lower(),
        auto_increment=bool(counted),
        key_position=place,
        declared=declared,
    )


def _described(column: dict[str, Any]) -> SourceColumn:
    declared = str(column["type"]).lower()
    bare = re.split(r"[ (]", declared)[0]
    return SourceColumn(
        column["name"],
        _DESCRIBED.get(bare, bare),
        nullable=column["nullable"],
        precision=column["precision"],
        scale=column["scale"],
        unsigned="unsigned" in declared or not column["signed"],
        auto_increment=column["increments"],
        declared=declared,
    )
