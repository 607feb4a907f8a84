"""CREATE TABLE to a Table: columns typed, keys and watermark checked, connector found, options validated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from headrace.catalog.connector import Connector, MetadataKey
from headrace.catalog.options import parse_options
from headrace.catalog.table import (
    Column,
    ComputedColumn,
    Identifier,
    MetadataColumn,
    Table,
    Watermark,
)
from headrace.errors import InvalidOption, InvalidSchema, Position, UnknownName, UserError, nearest
from headrace.plan.binder import Scope, bind
from headrace.plan.nodes import Field
from headrace.plan.types import can_cast
from headrace.sql.statements import (
    ColumnDef,
    ComputedColumnDef,
    CreateTable,
    MetadataColumnDef,
    Options,
    PhysicalColumnDef,
    PrimaryKeyDef,
    WatermarkDef,
)
from headrace.types import TIMESTAMPS, quote

ConnectorFinder = Callable[[str], Connector]

# Rowtime is compared in milliseconds; TIMESTAMP without a precision is taken as well, though Flink reads it as (6).
MAX_ROWTIME_PRECISION = 3
UNSAID_PRECISION = 6


def build_table(
    statement: CreateTable, identifier: Identifier, connectors: ConnectorFinder
) -> Table:
    """`statement` has its LIKE clause merged in already."""
    _reject_duplicates(statement.columns)
    key = _primary_key(statement.primary_keys, statement.columns)
    columns = _columns(statement, key)
    options = options_map(statement.options)
    table = Table(
        identifier=identifier,
        columns=columns,
        options=options,
        connector=_connector(options, connectors, statement),
        primary_key=key,
        key_name=statement.primary_keys[0].name if key else None,
        watermark=_watermark(statement.watermarks, columns, statement.position.source),
        partition_keys=_partition_keys(statement, columns),
        comment=statement.comment,
        temporary=statement.temporary,
        positions={entry.key: entry.key_position for entry in statement.options},
    )
    return validate_table(table, statement.position)


def validate_table(table: Table, where: Position) -> Table:
    try:
        connector = table.connector
        parse_options(
            connector.options(table.options),
            table.options,
            owner=f"connector '{connector.name}'",
            positions=table.positions,
        )
        _check_metadata(table, connector.metadata(table.options))
        connector.validate(table)
    except UserError as error:
        raise error.at(where) from error.__cause__
    return table


def with_options(table: Table, hints: Options) -> Table:
    """The table with a hint's or ALTER TABLE's options over its own, checked anew."""
    positions = {**table.positions, **{entry.key: entry.key_position for entry in hints}}
    changed = replace(table, options={**table.options, **options_map(hints)}, positions=positions)
    return validate_table(changed, hints[0].key_position)


def options_map(entries: Options) -> dict[str, str]:
    counts = Counter(entry.key for entry in entries)
    for entry in entries:
        if counts[entry.key] > 1:
            raise InvalidOption(
                f"option '{entry.key}' is given {counts[entry.key]} times", where=entry.key_position
            )
    return {entry.key: entry.value for entry in entries}


def _connector(
    options: Mapping[str, str], connectors: ConnectorFinder, statement: CreateTable
) -> Connector:
    name = options.get("connector")
    if name is None:
        raise InvalidOption(
            f"table '{statement.name}' names no connector",
            condition="MISSING_OPTION",
            where=statement.name.position,
            cure="WITH ('connector' = 'kafka', …)",
        )
    try:
        return connectors(name)
    except UnknownName as error:
        places = {entry.key: entry.value_position for entry in statement.options}
        raise error.at(places["connector"]) from None


def _reject_duplicates(columns: Sequence[ColumnDef]) -> None:
    seen: set[str] = set()
    for column in columns:
        if column.name in seen:
            raise InvalidSchema(f"column '{column.name}' is declared twice", where=column.position)
        seen.add(column.name)


def _primary_key(keys: Sequence[PrimaryKeyDef], columns: Sequence[ColumnDef]) -> tuple[str, ...]:
    if len(keys) > 1:
        raise InvalidSchema("a table has at most one PRIMARY KEY", where=keys[1].position)
    for key in keys:
        _check_key_columns(key, columns)
    return keys[0].columns if keys else ()


def _check_key_columns(key: PrimaryKeyDef, columns: Sequence[ColumnDef]) -> None:
    by_name = {column.name: column for column in columns}
    for name in key.columns:
        if name not in by_name:
            raise UnknownName(
                "column", name, by_name, where=key.position, context=" (in PRIMARY KEY)"
            )
        if not isinstance(by_name[name], PhysicalColumnDef):
            raise InvalidSchema(
                f"invalid primary key: column '{name}' is not a physical column",
                where=key.position,
                cure="name only columns that are stored in the record",
            )
    if len(set(key.columns)) != len(key.columns):
        raise InvalidSchema("a column stands twice in the PRIMARY KEY", where=key.position)


def _columns(statement: CreateTable, key: tuple[str, ...]) -> tuple[Column, ...]:
    stored = {
        item.name: _stored_column(item, key)
        for item in statement.columns
        if not isinstance(item, ComputedColumnDef)
    }
    fields = [(statement.name.name, c.name, Field(c.name, c.type)) for c in stored.values()]
    scope = Scope(fields, statement.position.source)
    return tuple(
        _computed_column(item, scope) if isinstance(item, ComputedColumnDef) else stored[item.name]
        for item in statement.columns
    )


def _stored_column(item: PhysicalColumnDef | MetadataColumnDef, key: tuple[str, ...]) -> Column:
    if isinstance(item, PhysicalColumnDef):
        kind = item.type.not_null() if item.name in key else item.type
        return Column(name=item.name, type=kind, comment=item.comment)
    return MetadataColumn(
        name=item.name,
        type=item.type,
        comment=item.comment,
        key=item.key or item.name,
        virtual=item.virtual,
    )


def _computed_column(item: ComputedColumnDef, scope: Scope) -> ComputedColumn:
    expression = bind(item.expression, scope)
    return ComputedColumn(
        name=item.name,
        type=expression.type,
        comment=item.comment,
        expression=expression,
        text=item.text,
    )


def _watermark(
    watermarks: Sequence[WatermarkDef], columns: tuple[Column, ...], source: str
) -> Watermark | None:
    if not watermarks:
        return None
    if len(watermarks) > 1:
        raise InvalidSchema("a table has at most one WATERMARK", where=watermarks[1].position)
    (mark,) = watermarks
    by_name = {column.name: column for column in columns}
    if mark.column not in by_name:
        raise UnknownName(
            "column", mark.column, by_name, where=mark.column_position, context=" (in WATERMARK)"
        )
    rowtime = by_name[mark.column].type
    if rowtime.kind not in TIMESTAMPS or not _is_rowtime_precision(rowtime.precision):
        raise InvalidSchema(
            f"column '{mark.column}' cannot be a rowtime attribute",
            where=mark.column_position,
            found=rowtime.sql(),
            expected="TIMESTAMP(p) or TIMESTAMP_LTZ(p) with p from 0 to 3",
        )
    scope = Scope([(None, c.name, Field(c.name, c.type)) for c in columns], source)
    expression = bind(mark.expression, scope)
    if expression.type.kind not in TIMESTAMPS:
        raise InvalidSchema(
            "a watermark must be a point in time",
            where=mark.position,
            found=f"{mark.text} of type {expression.type.sql()}",
            expected=rowtime.sql(),
            cure=f"WATERMARK FOR {mark.column} AS {mark.column} - INTERVAL '5' SECOND",
        )
    return Watermark(mark.column, expression, mark.text)


def _is_rowtime_precision(precision: int | None) -> bool:
    return precision is not None and (
        precision <= MAX_ROWTIME_PRECISION or precision == UNSAID_PRECISION
    )


def _partition_keys(statement: CreateTable, columns: tuple[Column, ...]) -> tuple[str, ...]:
    names = [column.name for column in columns]
    for key in statement.partitioned_by:
        if key not in names:
            raise UnknownName(
                "column", key, names, where=statement.position, context=" (in PARTITIONED BY)"
            )
    return statement.partitioned_by


def _check_metadata(table: Table, known: Mapping[str, MetadataKey]) -> None:
    for column in table.metadata_columns:
        key = known.get(column.key)
        if key is None:
            close = nearest(column.key, known)
            raise InvalidSchema(
                f"connector '{table.connector.name}' has no metadata key '{column.key}'",
                condition="UNKNOWN_METADATA",
                found=f"column '{column.name}' METADATA FROM '{column.key}'",
                expected=", ".join(known) or "no metadata at all",
                cure=f"did you mean '{close}'?" if close else None,
            )
        if not can_cast(key.type, column.type):
            raise InvalidSchema(
                f"metadata column '{column.name}' must be castable from its key's type",
                condition="METADATA_TYPE",
                found=column.type.sql(),
                expected=f"a type castable from {key.type} (key '{column.key}')",
            )
    _refuse_repeated_keys(table)


def _refuse_repeated_keys(table: Table) -> None:
    first: dict[str, str] = {}
    for column in table.metadata_columns:
        other = first.setdefault(column.key, column.name)
        if other != column.name:
            raise InvalidSchema(
                f"columns '{other}' and '{column.name}' are both of metadata key '{column.key}'",
                condition="DUPLICATE_METADATA",
                where=table.positions.get(column.name),
                cure=f"a computed column: {quote(column.name)} AS {quote(other)}",
            )
