"""ALTER TABLE … ADD, MODIFY, DROP and RENAME of columns, the primary key and the watermark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch

from sqlglot import exp

from headrace.catalog.table import Table
from headrace.errors import InternalError, InvalidSchema, Position, UnknownName
from headrace.plan.redefine import definition
from headrace.plan.tables import ConnectorFinder, build_table
from headrace.sql.statements import (
    AlterTable,
    AlterTableDrop,
    AlterTableRenameColumn,
    AlterTableSchema,
    ColumnDef,
    ComputedColumnDef,
    CreateTable,
    PlacedColumn,
)


def altered(table: Table, change: AlterTable, connectors: ConnectorFinder) -> Table:
    """The table after the change, checked as if it had been made that way."""
    statement = changed(change, definition(table, change.position))
    return build_table(statement, table.identifier, connectors)


@singledispatch
def changed(change: AlterTable, table: CreateTable) -> CreateTable:
    raise InternalError(f"no way to alter a table by {type(change).__name__}")


@changed.register
def _(change: AlterTableSchema, table: CreateTable) -> CreateTable:
    _check_is_there(change, table)
    columns = list(table.columns)
    for placed in change.columns:
        _put(columns, placed, change)
    return replace(
        table,
        columns=tuple(columns),
        watermarks=change.watermarks or table.watermarks,
        primary_keys=change.primary_keys or table.primary_keys,
    )


def _check_is_there(change: AlterTableSchema, table: CreateTable) -> None:
    """MODIFY changes what is there, ADD brings what is not."""
    parts = (
        ("PRIMARY KEY", change.primary_keys, table.primary_keys),
        ("WATERMARK", change.watermarks, table.watermarks),
    )
    for name, given, present in parts:
        if given and change.modifies != bool(present):
            word = "no" if change.modifies else "a"
            raise InvalidSchema(
                f"'{change.name}' has {word} {name}" + ("" if change.modifies else " already"),
                where=given[0].position,
                cure=f"ALTER TABLE {change.name} {'ADD' if change.modifies else 'MODIFY'} {name} …",
            )


def _put(columns: list[ColumnDef], placed: PlacedColumn, change: AlterTableSchema) -> None:
    column = placed.column
    names = [item.name for item in columns]
    if not change.modifies and column.name in names:
        raise InvalidSchema(
            f"'{change.name}' has a column '{column.name}' already", where=column.position
        )
    place = len(columns)
    if change.modifies:
        place = _place(column.name, names, column.position)
        old = columns.pop(place)
        names.pop(place)
        column = replace(column, comment=column.comment or old.comment)
    if placed.first:
        place = 0
    elif placed.after is not None:
        place = _place(placed.after, names, column.position, " (after AFTER)") + 1
    columns.insert(place, column)


def _place(name: str, names: Sequence[str], where: Position, context: str = "") -> int:
    if name not in names:
        raise UnknownName("column", name, names, where=where, context=context)
    return names.index(name)


@changed.register
def _(change: AlterTableDrop, table: CreateTable) -> CreateTable:
    if change.what == "PRIMARY KEY":
        return _without_key(change, table)
    if change.what == "WATERMARK":
        if not table.watermarks:
            raise InvalidSchema(f"'{change.name}' has no WATERMARK", where=change.position)
        return replace(table, watermarks=())
    if len(set(change.columns)) != len(change.columns):
        raise InvalidSchema("a column stands twice in the DROP list", where=change.position)
    names = [column.name for column in table.columns]
    for name in change.columns:
        _place(name, names, change.position)
        _check_unused(name, table, change.position, change.columns)
    kept = tuple(column for column in table.columns if column.name not in change.columns)
    return replace(table, columns=kept)


def _without_key(change: AlterTableDrop, table: CreateTable) -> CreateTable:
    if not table.primary_keys:
        raise InvalidSchema(f"'{change.name}' has no PRIMARY KEY", where=change.position)
    (key,) = table.primary_keys
    name = key.name or f"PK_{'_'.join(key.columns)}"
    if change.constraint not in (None, name):
        raise UnknownName("constraint", str(change.constraint), [name], where=change.position)
    return replace(table, primary_keys=())


@changed.register
def _(change: AlterTableRenameColumn, table: CreateTable) -> CreateTable:
    names = [column.name for column in table.columns]
    place = _place(change.old, names, change.position)
    if change.new in names:
        raise InvalidSchema(
            f"'{change.name}' has a column '{change.new}' already", where=change.position
        )
    _check_unreferenced(change.old, table, change.position)
    columns = list(table.columns)
    columns[place] = replace(columns[place], name=change.new)
    keys = tuple(
        replace(key, columns=tuple(change.new if c == change.old else c for c in key.columns))
        for key in table.primary_keys
    )
    return replace(table, columns=tuple(columns), primary_keys=keys)


def _check_unused(name: str, table: CreateTable, where: Position, going: Sequence[str]) -> None:
    if any(name in key.columns for key in table.primary_keys):
        raise _in_use(name, "the PRIMARY KEY", where)
    _check_unreferenced(name, table, where, going)


def _check_unreferenced(
    name: str, table: CreateTable, where: Position, going: Sequence[str] = ()
) -> None:
    """`going`: columns that are dropped as well, which may name it."""
    for column in table.columns:
        if not isinstance(column, ComputedColumnDef) or column.name in going:
            continue
        if name in _named(column.expression):
            raise _in_use(name, f"the computed column '{column.name}'", where)
    for mark in table.watermarks:
        if name in (mark.column, *_named(mark.expression)):
            raise _in_use(name, "the WATERMARK", where)
    if name in table.partitioned_by:
        raise _in_use(name, "PARTITIONED BY", where)


def _named(expression: exp.Expression) -> Iterable[str]:
    return [column.parts[0].name for column in expression.find_all(exp.Column)]


def _in_use(name: str, user: str, where: Position) -> InvalidSchema:
    return InvalidSchema(f"column '{name}' is used by {user}", where=where)
