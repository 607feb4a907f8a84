"""A table as the statement that would make it: what LIKE and ALTER TABLE begin with."""

from __future__ import annotations

from headrace.catalog.table import Column, ComputedColumn, MetadataColumn, Table
from headrace.errors import Position
from headrace.sql.dialect import parse_expression
from headrace.sql.statements import (
    ColumnDef,
    ComputedColumnDef,
    CreateTable,
    MetadataColumnDef,
    ObjectName,
    OptionEntry,
    PhysicalColumnDef,
    PrimaryKeyDef,
    WatermarkDef,
)


def definition(table: Table, where: Position) -> CreateTable:
    """Its parts have no places of their own: all are at `where`."""
    identifier = table.identifier
    return CreateTable(
        sql="",
        position=where,
        name=ObjectName((identifier.catalog, identifier.database, identifier.name), where),
        columns=tuple(column_def(column, where) for column in table.columns),
        watermarks=watermark_defs(table, where),
        primary_keys=key_defs(table, where),
        comment=table.comment,
        partitioned_by=table.partition_keys,
        options=tuple(OptionEntry(k, v, where, where) for k, v in table.options.items()),
        temporary=table.temporary,
    )


def column_def(column: Column, where: Position) -> ColumnDef:
    match column:
        case ComputedColumn():
            return ComputedColumnDef(
                name=column.name,
                expression=parse_expression(column.text),
                text=column.text,
                position=where,
                comment=column.comment,
            )
        case MetadataColumn():
            return MetadataColumnDef(
                name=column.name,
                type=column.type,
                position=where,
                key=column.key,
                virtual=column.virtual,
                comment=column.comment,
            )
        case _:
            return PhysicalColumnDef(
                name=column.name, type=column.type, position=where, comment=column.comment
            )


def watermark_defs(table: Table, where: Position) -> tuple[WatermarkDef, ...]:
    mark = table.watermark
    if mark is None:
        return ()
    return (WatermarkDef(mark.column, parse_expression(mark.text), mark.text, where, where),)


def key_defs(table: Table, where: Position) -> tuple[PrimaryKeyDef, ...]:
    if not table.primary_key:
        return ()
    return (PrimaryKeyDef(table.primary_key, where, table.key_name),)
