"""CREATE TABLE … AS: the statement's own columns and those of its query, merged as Flink does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headrace.errors import InvalidSchema, TypeMismatch, UnknownName
from headrace.plan.nodes import Field
from headrace.plan.types import can_store
from headrace.sql.statements import ColumnDef, ComputedColumnDef, CreateTable, PhysicalColumnDef
from headrace.types import DataType


def with_query_columns(statement: CreateTable, schema: Sequence[Field]) -> CreateTable:
    """Columns of one's own come first; one that the query has as well says its type, and stays at the query's place."""
    if statement.temporary:
        raise InvalidSchema(
            "CREATE TABLE AS cannot make a temporary table",
            where=statement.name.position,
            cure="CREATE TEMPORARY TABLE first, then INSERT INTO it",
        )
    fields = _in_order(statement, schema)
    _check_key(statement, fields)
    own = {column.name: column for column in statement.columns}
    names = [field.name for field in fields]
    extra = [column for column in statement.columns if column.name not in names]
    _check_fillable(extra, statement)
    taken = [_column(field, own.get(field.name), statement) for field in fields]
    return replace(statement, columns=(*extra, *taken), order=())


def _in_order(statement: CreateTable, schema: Sequence[Field]) -> Sequence[Field]:
    if not statement.order:
        return schema
    by_name = {field.name: field for field in schema}
    for name in statement.order:
        if name not in by_name:
            raise UnknownName("column", name, by_name, where=statement.name.position)
    if sorted(statement.order) != sorted(by_name):
        raise InvalidSchema(
            "the column list must name every column of the query once",
            where=statement.name.position,
            found=", ".join(statement.order),
            expected=", ".join(by_name),
        )
    return [by_name[name] for name in statement.order]


def _check_key(statement: CreateTable, fields: Sequence[Field]) -> None:
    nullable = {field.name for field in fields if field.type.nullable}
    for key in statement.primary_keys:
        for name in key.columns:
            if name in nullable and name not in (column.name for column in statement.columns):
                raise InvalidSchema(
                    f"invalid primary key: column '{name}' of the query may be NULL",
                    where=key.position,
                    cure=f"COALESCE({name}, …) AS {name}",
                )


def _check_fillable(columns: Sequence[ColumnDef], statement: CreateTable) -> None:
    """The query fills its own columns; of the others a stored one must take NULL."""
    for column in columns:
        if isinstance(column, PhysicalColumnDef) and not column.type.nullable:
            raise InvalidSchema(
                f"column '{column.name}' is NOT NULL, and the query does not give it",
                where=column.position,
                cure=f"add '{column.name}' to the query of '{statement.name}'",
            )


def _column(field: Field, own: ColumnDef | None, statement: CreateTable) -> ColumnDef:
    if own is None:
        return PhysicalColumnDef(name=field.name, type=field.type, position=statement.name.position)
    if isinstance(own, ComputedColumnDef):
        raise InvalidSchema(
            f"column '{own.name}' is computed, and the query gives it as well", where=own.position
        )
    if not _fits(field.type, own.type):
        raise TypeMismatch(
            f"column '{own.name}' cannot take the query's column of that name",
            where=own.position,
            found=field.type.sql(),
            expected=own.type.sql(),
        )
    return own


def _fits(source: DataType, target: DataType) -> bool:
    if source.nullable and not target.nullable:
        return False
    return can_store(source.as_nullable(), target.as_nullable())
