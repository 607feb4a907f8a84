"""DDL: statements that change the catalog, and the one-line answers they give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch

from headrace.catalog import Catalog
from headrace.catalog.connector import Connector
from headrace.catalog.table import Identifier, Table, View
from headrace.errors import InternalError, InvalidSchema, UserError
from headrace.plan.like import merge_like
from headrace.plan.planner import Planner
from headrace.plan.tables import build_table, validate_table, with_options
from headrace.runtime.results import TableResult
from headrace.sql.statements import (
    AlterTableRename,
    AlterTableReset,
    AlterTableSet,
    CreateTable,
    CreateView,
    Drop,
    ObjectName,
    PhysicalColumnDef,
    Select,
    Statement,
    Use,
)

OK = "OK"


class Definitions:
    """What defining needs: the catalog, the connectors by name, and a planner to check views with."""

    def __init__(
        self, catalog: Catalog, connectors: Callable[[str], Connector], planner: Planner
    ) -> None:
        self.catalog = catalog
        self.connectors = connectors
        self.planner = planner


def define(
    statement: Statement,
    catalog: Catalog,
    connectors: Callable[[str], Connector],
    planner: Planner,
) -> TableResult:
    _apply(statement, Definitions(catalog, connectors, planner))
    return TableResult(message=OK)


@singledispatch
def _apply(statement: Statement, to: Definitions) -> None:
    raise InternalError(f"no way to define {type(statement).__name__}")


@_apply.register
def _(statement: CreateTable, to: Definitions) -> None:
    identifier = to.catalog.qualify(statement.name)
    if statement.if_not_exists and to.catalog.find(statement.name) is not None:
        return
    if statement.like is not None:
        statement = merge_like(statement, to.catalog.table(statement.like.source))
    if statement.as_query is not None:
        statement = _with_query_columns(statement, to)
    table = build_table(statement, identifier, to.connectors)
    _add(to.catalog, table, statement)


def _with_query_columns(statement: CreateTable, to: Definitions) -> CreateTable:
    """CREATE TABLE … AS: the query's columns, unless the statement lists its own."""
    if statement.columns:
        raise InvalidSchema(
            "CREATE TABLE AS takes its columns from the query",
            where=statement.columns[0].position,
            cure="leave the column list out, or CREATE TABLE first and INSERT INTO it",
        )
    assert statement.as_query is not None
    select = Select(sql=statement.sql, position=statement.position, query=statement.as_query)
    columns = tuple(
        PhysicalColumnDef(name=field.name, type=field.type, position=statement.name.position)
        for field in to.planner.query(select).schema
    )
    return replace(statement, columns=columns)


@_apply.register
def _(statement: CreateView, to: Definitions) -> None:
    select = Select(sql=statement.query_text, position=statement.position, query=statement.query)
    width = len(to.planner.query(select).schema)
    if statement.columns and len(statement.columns) != width:
        raise UserError(
            f"the view names {len(statement.columns)} columns, its query gives {width}",
            condition="COLUMN_COUNT",
            where=statement.name.position,
        )
    if len(set(statement.columns)) != len(statement.columns):
        raise UserError(
            "a column stands twice in the view's list",
            condition="DUPLICATE_COLUMN",
            where=statement.name.position,
        )
    view = View(
        identifier=to.catalog.qualify(statement.name),
        query_text=statement.query_text,
        columns=statement.columns,
        comment=statement.comment,
        temporary=statement.temporary,
    )
    _add(to.catalog, view, statement)


def _add(catalog: Catalog, item: Table | View, statement: CreateTable | CreateView) -> None:
    try:
        catalog.add(item, if_not_exists=statement.if_not_exists)
    except UserError as error:
        raise error.at(statement.name.position) from None


@_apply.register
def _(statement: Drop, to: Definitions) -> None:
    kind = Table if statement.kind == "TABLE" else View
    to.catalog.drop(
        statement.name, kind, if_exists=statement.if_exists, temporary=statement.temporary
    )


@_apply.register
def _(statement: AlterTableSet, to: Definitions) -> None:
    changed = with_options(to.catalog.table(statement.name), statement.options)
    to.catalog.add(changed, replace=True)


@_apply.register
def _(statement: AlterTableReset, to: Definitions) -> None:
    table = to.catalog.table(statement.name)
    if "connector" in statement.keys:
        raise UserError("the option 'connector' cannot be reset", where=statement.position)
    options = {key: value for key, value in table.options.items() if key not in statement.keys}
    # Places of the CREATE TABLE would point into another statement.
    changed = replace(table, options=options, positions={})
    to.catalog.add(validate_table(changed, statement.position), replace=True)


@_apply.register
def _(statement: AlterTableRename, to: Definitions) -> None:
    table = to.catalog.table(statement.name)
    old, new = table.identifier, statement.new_name
    renamed = replace(table, identifier=Identifier(old.catalog, old.database, new.name))
    beside = ObjectName((old.catalog, old.database, new.name), new.position)
    if to.catalog.find(beside) is not None:
        raise UserError(
            f"'{new}' already exists",
            condition="ALREADY_EXISTS",
            where=new.position,
        )
    to.catalog.drop(statement.name, Table, if_exists=False, temporary=table.temporary)
    to.catalog.add(renamed)


@_apply.register
def _(statement: Use, to: Definitions) -> None:
    if statement.kind == "CATALOG":
        to.catalog.use_catalog(statement.name)
    else:
        to.catalog.use_database(statement.name)
