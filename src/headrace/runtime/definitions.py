"""DDL: statements that change the catalog, and the one-line answers they give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch

from headrace.catalog import Catalog
from headrace.catalog.connector import Connector
from headrace.catalog.namespaces import Database
from headrace.catalog.table import Identifier, Table, View
from headrace.errors import InternalError, UserError
from headrace.plan.alter import altered
from headrace.plan.create_as import with_query_columns
from headrace.plan.like import merge_like
from headrace.plan.nodes import Schema
from headrace.plan.planner import Planner
from headrace.plan.tables import build_table, options_map, validate_table, with_options
from headrace.runtime.results import TableResult
from headrace.sql.statements import (
    AlterNamespace,
    AlterTable,
    AlterTableRename,
    AlterTableReset,
    AlterTableSet,
    AlterViewAs,
    AlterViewRename,
    CreateNamespace,
    CreateTable,
    CreateView,
    Drop,
    DropNamespace,
    ObjectName,
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
    before = to.catalog.find(statement.name)
    if statement.if_not_exists and before is not None:
        return
    if statement.needs_existing or (statement.replaces and before is not None):
        to.catalog.table(statement.name)
    if statement.like is not None:
        statement = merge_like(statement, to.catalog.table(statement.like.source))
    if statement.as_query is not None:
        statement = with_query_columns(statement, query_schema(statement, to.planner))
    table = build_table(statement, identifier, to.connectors)
    _add(to.catalog, table, statement, replaces=statement.replaces)


def query_schema(statement: CreateTable, planner: Planner) -> Schema:
    """The columns of the query of CREATE TABLE … AS."""
    assert statement.as_query is not None
    select = Select(sql=statement.sql, position=statement.position, query=statement.as_query)
    return planner.query(select).schema


@_apply.register
def _(statement: CreateView, to: Definitions) -> None:
    width = _width(statement, to)
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
        path=to.catalog.current,
        columns=statement.columns,
        comment=statement.comment,
        temporary=statement.temporary,
    )
    _add(to.catalog, view, statement)


def _width(statement: CreateView | AlterViewAs, to: Definitions) -> int:
    select = Select(sql=statement.query_text, position=statement.position, query=statement.query)
    return len(to.planner.query(select).schema)


def _add(
    catalog: Catalog,
    item: Table | View,
    statement: CreateTable | CreateView,
    *,
    replaces: bool = False,
) -> None:
    try:
        catalog.add(item, if_not_exists=statement.if_not_exists, replace=replaces)
    except UserError as error:
        raise error.at(statement.name.position) from None


@_apply.register
def _(statement: Drop, to: Definitions) -> None:
    kind = Table if statement.kind == "TABLE" else View
    to.catalog.drop(
        statement.name, kind, if_exists=statement.if_exists, temporary=statement.temporary
    )


@_apply.register
def _(statement: AlterTable, to: Definitions) -> None:
    if statement.if_exists and to.catalog.find(statement.name) is None:
        return
    table = to.catalog.table(statement.name)
    if isinstance(statement, AlterTableRename):
        _rename(table, statement, to)
    else:
        to.catalog.add(_altered(statement, table, to), replace=True)


def _altered(statement: AlterTable, table: Table, to: Definitions) -> Table:
    match statement:
        case AlterTableSet():
            return with_options(table, statement.options) if statement.options else table
        case AlterTableReset():
            return _without_options(table, statement)
        case _:
            return altered(table, statement, to.connectors)


def _without_options(table: Table, statement: AlterTableReset) -> Table:
    if "connector" in statement.keys:
        raise UserError("the option 'connector' cannot be reset", where=statement.position)
    options = {key: value for key, value in table.options.items() if key not in statement.keys}
    # Places of the CREATE TABLE would point into another statement.
    return validate_table(replace(table, options=options, positions={}), statement.position)


@_apply.register
def _(statement: AlterViewRename, to: Definitions) -> None:
    _rename(_view(statement.name, to), statement, to)


@_apply.register
def _(statement: AlterViewAs, to: Definitions) -> None:
    view = _view(statement.name, to)
    _width(statement, to)
    # Names that the view gave its columns go with the query they were for.
    new = replace(view, query_text=statement.query_text, path=to.catalog.current, columns=())
    to.catalog.add(new, replace=True)


def _view(name: ObjectName, to: Definitions) -> View:
    found = to.catalog.get(name)
    if isinstance(found, Table):
        raise UserError(f"'{name}' is a table, not a view", where=name.position)
    if found.temporary:
        raise UserError(
            f"view '{name}' is temporary and cannot be altered",
            condition="TEMPORARY_OBJECT",
            where=name.position,
            cure=f"DROP TEMPORARY VIEW {name}, then CREATE it anew",
        )
    return found


def _rename(
    item: Table | View, statement: AlterTableRename | AlterViewRename, to: Definitions
) -> None:
    old, new = item.identifier, statement.new_name
    renamed = replace(item, identifier=Identifier(old.catalog, old.database, new.name))
    beside = ObjectName((old.catalog, old.database, new.name), new.position)
    if to.catalog.find(beside) is not None:
        raise UserError(
            f"'{new}' already exists",
            condition="ALREADY_EXISTS",
            where=new.position,
        )
    to.catalog.drop(statement.name, type(item), if_exists=False, temporary=item.temporary)
    to.catalog.add(renamed)


@_apply.register
def _(statement: CreateNamespace, to: Definitions) -> None:
    options, again = options_map(statement.options), statement.if_not_exists
    spaces = to.catalog.spaces
    if statement.kind == "CATALOG":
        spaces.create_catalog(statement.name, options, statement.comment, if_not_exists=again)
    else:
        database = Database(statement.comment, options)
        spaces.create_database(statement.name, database, if_not_exists=again)


@_apply.register
def _(statement: DropNamespace, to: Definitions) -> None:
    name, if_exists = statement.name, statement.if_exists
    if statement.kind == "CATALOG":
        to.catalog.drop_catalog(name, if_exists=if_exists)
    else:
        to.catalog.drop_database(name, if_exists=if_exists, cascade=statement.cascade)


@_apply.register
def _(statement: AlterNamespace, to: Definitions) -> None:
    spaces, options = to.catalog.spaces, options_map(statement.options)
    if statement.kind == "DATABASE":
        spaces.alter_database(statement.name, options)
        return
    found = spaces.described(statement.name)
    changed = {**(found.options or {}), **options}
    kept = {key: value for key, value in changed.items() if key not in statement.keys}
    comment = found.comment if statement.comment is None else statement.comment
    spaces.alter_catalog(statement.name, kept, comment)


@_apply.register
def _(statement: Use, to: Definitions) -> None:
    if statement.kind == "CATALOG":
        to.catalog.spaces.use_catalog(statement.name)
    else:
        to.catalog.spaces.use_database(statement.name)
