"""PostgreSQL: tables and columns come from its catalogues, all of them with one query each."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from headrace.connect.jdbc.columns import SourceColumn, TableId
from headrace.connect.jdbc.dialects.base import Asked, Dialect
from headrace.connect.jdbc.filters import TableFilters, like
from headrace.connect.jdbc.types import (
    DATE,
    PLAIN,
    TIME,
    ZONED_TIME,
    Reading,
    TypeSettings,
    array_of,
    moment,
    numeric,
)

logger = logging.getLogger("headrace.connect.jdbc")

# What 'table.types' calls the kinds of relations. A partitioned table holds the rows of its partitions, and a partition's
# rows would come twice if it were read beside its parent.
_KINDS = {"TABLE": "rp", "VIEW": "v", "MATERIALIZED VIEW": "m", "FOREIGN TABLE": "f"}

_TABLES = """
SELECT n.nspname, c.relname,
       CASE WHEN n.nspname = 'pg_catalog' OR n.nspname = 'information_schema' THEN 'SYSTEM TABLE'
            WHEN c.relpersistence = 't' THEN 'LOCAL TEMPORARY'
            ELSE c.relkind::text END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname <> 'pg_toast'
"""

# Domains are followed down to what they are built on; the innermost modifier and every NOT NULL on the way count.
_COLUMNS = """
WITH RECURSIVE asked AS (
  SELECT c.oid, n.nspname, c.relname
  FROM pg_catalog.json_to_recordset(CAST(? AS json)) AS w(schema text, name text)
  JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
  JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name),
typed AS (
  SELECT q.nspname, q.relname, a.attrelid, a.attnum, a.attname, a.attnotnull AS required, a.attidentity,
         a.atttypid AS type, a.atttypmod AS modifier, 0 AS depth, a.atttypid AS declared
  FROM asked q JOIN pg_catalog.pg_attribute a ON a.attrelid = q.oid AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL
  SELECT d.nspname, d.relname, d.attrelid, d.attnum, d.attname, d.required OR t.typnotnull, d.attidentity,
         t.typbasetype, CASE WHEN t.typtypmod < 0 THEN d.modifier ELSE t.typtypmod END, d.depth + 1, d.declared
  FROM typed d JOIN pg_catalog.pg_type t ON t.oid = d.type AND t.typtype = 'd')
SELECT d.nspname, d.relname, d.attname, COALESCE(e.typname, t.typname), d.modifier, d.required,
       e.oid IS NOT NULL, COALESCE(e.typtype, t.typtype)::text, d.depth > 0,
       d.attidentity <> '' OR COALESCE(pg_catalog.pg_get_expr(f.adbin, f.adrelid) LIKE 'nextval(%%', false),
       (SELECT k.place FROM pg_catalog.pg_index i,
               pg_catalog.unnest(i.indkey::int2[]) WITH ORDINALITY AS k(number, place)
        WHERE i.indrelid = d.attrelid AND i.indisprimary AND k.number = d.attnum),
       pg_catalog.format_type(d.declared, NULL)
FROM typed d
JOIN pg_catalog.pg_type t ON t.oid = d.type AND t.typtype <> 'd'
LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'
LEFT JOIN pg_catalog.pg_attrdef f ON f.adrelid = d.attrelid AND f.adnum = d.attnum
ORDER BY d.nspname, d.relname, d.attnum
""".replace("%%", "%")

# Views and foreign tables: their rows have no xmin.
_DERIVED = """
SELECT n.nspname, c.relname
FROM pg_catalog.json_to_recordset(CAST(? AS json)) AS w(schema text, name text)
JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name AND c.relkind IN ('v', 'f')
"""

# A fraction of what _COLUMNS takes: it is asked at every poll.
_SHAPE = """
SELECT md5(string_agg(concat_ws(' ', c.oid, a.attnum, a.atttypid, a.atttypmod, a.attnotnull, a.attname), E'\\n'
                      ORDER BY c.oid, a.attnum))
FROM pg_catalog.json_to_recordset(CAST(? AS json)) AS w(schema text, name text)
JOIN pg_catalog.pg_namespace n ON n.nspname = w.schema
JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relname = w.name
JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
"""

_PLAIN = {
    "int2": PLAIN["int16"],
    "int4": PLAIN["int32"],
    "int8": PLAIN["int64"],
    "oid": PLAIN["int64"],
    "float4": PLAIN["float"],
    "float8": PLAIN["double"],
    "bool": PLAIN["boolean"],
    "bytea": PLAIN["bytes"],
    # Its digits depend on the server's locale; a plain number does not.
    "money": Reading("double", PLAIN["double"].schema, "CAST(CAST({} AS numeric) AS float8)"),
    "date": DATE,
    "time": TIME,
    "timetz": ZONED_TIME,
    # The driver hands these through as they came, and they came in UTF-8.
    **dict.fromkeys(("text", "varchar", "bpchar", "name"), Reading("utf8", PLAIN["string"].schema)),
    **dict.fromkeys(
        ("json", "jsonb", "uuid", "xml", "char"),
        Reading("utf8", PLAIN["string"].schema, "CAST({} AS text)"),
    ),
}
_TEXT = Reading("utf8", PLAIN["string"].schema, "CAST({} AS text)")

# Elements that the driver's arrays hold as they are; all others are read from their texts.
_DRIVEN = {"boolean", "int16", "int32", "int64", "float", "double", "bytes"}

_SERIALS = {"smallserial": "int2", "serial": "int4", "bigserial": "int8"}
_ENUMERATION = "e"

# java.sql.Types.VARCHAR, which the driver gives enumerations in a query.
_VARCHAR = 12


class PostgresDialect(Dialect):
    name: ClassVar[str] = "PostgreSqlDatabaseDialect"
    schemes: ClassVar[tuple[str, ...]] = ("postgresql",)

    def __init__(self, *, quoting: bool = True) -> None:
        super().__init__(quoting=quoting)
        # Tables are looked for every minute; once is enough to be told.
        self.catalogs_told: set[str] = set()

    def tables(self, database: Asked, filters: TableFilters) -> list[TableId]:
        wanted = filters.catalog
        if wanted and wanted != database.catalog and wanted not in self.catalogs_told:
            self.catalogs_told.add(wanted)
            logger.warning(
                "catalog.pattern '%s' is not the database that the connector reads ('%s'), and narrows nothing",
                filters.catalog,
                database.catalog,
            )
        found = (
            TableId(None, schema, name)
            for schema, name, kind in database.rows(_TABLES)
            if like(filters.schema, schema) and _is_wanted(kind, filters.types)
        )
        return filters.chosen(found, self.quoted)

    def columns_of(
        self, database: Asked, tables: Sequence[TableId]
    ) -> dict[TableId, list[SourceColumn]]:
        found: dict[TableId, list[SourceColumn]] = {}
        for schema, name, *facts in database.rows(_COLUMNS, _asked(tables)):
            found.setdefault(TableId(None, schema, name), []).append(_column(facts))
        return found

    def derived(self, database: Asked, tables: Sequence[TableId]) -> set[TableId]:
        found = database.rows(_DERIVED, _asked(tables))
        return {TableId(None, schema, name) for schema, name in found}

    def shape(self, database: Asked, tables: Sequence[TableId]) -> Any:
        return database.rows(_SHAPE, _asked(tables))

    def columns_of_query(self, database: Asked, sql: str) -> list[SourceColumn]:
        return [_described(column) for column in database.described(sql)]

    def reading(self, column: SourceColumn, settings: TypeSettings) -> Reading | None:
        """Connect leaves arrays and domains out, and every type that the driver calls OTHER."""
        if settings.unsupported == "drop" and (column.array or column.declared is not None):
            return None
        element = _PLAIN["text"] if column.enumeration else _reading(column, settings)
        if not column.array:
            return element
        return _array(column.type, element or _TEXT)

    def text_of(self, column: SourceColumn) -> Reading:
        return _TEXT


def _asked(tables: Sequence[TableId]) -> str:
    return json.dumps([{"schema": table.schema, "name": table.name} for table in tables])


def _is_wanted(kind: str, types: Sequence[str]) -> bool:
    return kind in types or any(kind in _KINDS.get(type, "") for type in types)


def _column(facts: Sequence[Any]) -> SourceColumn:
    name, type, modifier, required, array, kind, domain, counted, place, declared = facts
    precision, scale = _digits(type, modifier)
    return SourceColumn(
        name,
        type,
        nullable=not required,
        precision=precision,
        scale=scale,
        array=array,
        auto_increment=counted,
        key_position=place,
        enumeration=kind == _ENUMERATION,
        declared=declared if domain else None,
    )


def _described(column: dict[str, Any]) -> SourceColumn:
    """Of a query; domains come as what they are built on, and names of types may have a schema and quotes."""
    type = str(column["type"]).rpartition(".")[2].strip('"')
    array = type.startswith("_")
    bare = _SERIALS.get(type, type.removeprefix("_") if array else type)
    return SourceColumn(
        column["name"],
        bare,
        nullable=column["nullable"],
        precision=_known_precision(bare, column),
        scale=_signed(column["scale"]),
        array=array,
        auto_increment=column["increments"],
        enumeration=column["jdbc"] == _VARCHAR and bare not in _PLAIN,
    )


def _known_precision(type: str, column: dict[str, Any]) -> int:
    return int(column["precision"]) if type in ("numeric", "bit") else 0


def _digits(type: str, modifier: int) -> tuple[int, int]:
    """Precision and scale as the catalogue packs them."""
    if modifier < 0:
        return 0, 0
    if type == "numeric":
        packed = modifier - 4
        return packed >> 16 & 0xFFFF, _signed(packed)
    return (modifier, 0) if type == "bit" else (0, 0)


def _signed(scale: int) -> int:
    """The lowest 11 bits as a number with a sign."""
    return ((scale & 0x7FF) ^ 0x400) - 0x400


def _reading(column: SourceColumn, settings: TypeSettings) -> Reading | None:
    match column.type:
        case "numeric":
            return numeric(column.precision, column.scale, settings)
        case "timestamp":
            return moment("timestamp", settings)
        case "timestamptz":
            return moment("instant", settings)
        case "bit" if column.precision == 1:
            return Reading("boolean", PLAIN["boolean"].schema, "CAST(CAST({} AS int) AS boolean)")
    return _PLAIN.get(column.type)


def _array(type: str, element: Reading) -> Reading:
    """Elements that a cast would change (money, bit) are told by their texts."""
    whole = array_of(element if element.select == "{}" else _TEXT)
    if type == "numeric" and element.read == "double":
        # The driver makes decimals of them first, which know no NaN.
        return replace(whole, select="CAST({} AS float8[])")
    driven = element.read in _DRIVEN and element.select == "{}"
    return replace(whole, select="{}" if driven else "CAST({} AS text[])")
