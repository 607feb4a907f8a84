"""SHOW and DESCRIBE: the catalog as tables, with Flink's column names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from headrace.catalog import Catalog
from headrace.catalog.table import Column, ComputedColumn, MetadataColumn, Table, View
from headrace.errors import InternalError, UserError
from headrace.plan.functions.lookup import function_names
from headrace.plan.planner import Planner
from headrace.runtime.jobs import Job
from headrace.runtime.results import TableResult
from headrace.runtime.show_create import (
    create_catalog_sql,
    create_table_sql,
    create_view_sql,
    metadata_sql,
)
from headrace.sql.normal_text import normal_text
from headrace.sql.statements import Describe, ObjectName, Pattern, Show

DESCRIBE_COLUMNS = ("name", "type", "null", "key", "extras", "watermark")


def show(statement: Show, catalog: Catalog, jobs: Sequence[Job], planner: Planner) -> TableResult:
    match statement.what:
        case "JOBS":
            rows = [(job.id, job.name, str(job.state), _moment(job.started)) for job in jobs]
            return TableResult(columns=("job id", "job name", "status", "start time"), rows=rows)
        case "FULL MODULES":
            return TableResult(columns=("module name", "used"), rows=[("core", True)])
        case "COLUMNS":
            assert statement.name is not None
            columns = _described(statement.name, catalog, planner)
            return _described_result([row for row in columns if _wanted(row[0], statement.like)])
        case "CREATE TABLE" | "CREATE VIEW":
            return _show_create(statement, catalog, planner)
        case "CREATE CATALOG":
            assert statement.name is not None
            space = catalog.spaces.described(statement.name)
            return _text(create_catalog_sql(statement.name.name, space))
        case "PARTITIONS":
            return _partitions(statement, catalog)
        case _:
            column, names = _listed(statement, catalog)
            found = [(name,) for name in names if _wanted(name, statement.like)]
            return TableResult(columns=(column,), rows=found)


def _listed(statement: Show, catalog: Catalog) -> tuple[str, list[str]]:
    """The column's name, and the names in it."""
    spaces = catalog.spaces
    match statement.what:
        case "TABLES":
            return "table name", catalog.names(None, statement.name)
        case "VIEWS":
            return "view name", catalog.names(View, statement.name)
        case "FUNCTIONS":
            return "function name", sorted(map(str.lower, function_names()))
        case "USER FUNCTIONS":
            return "function name", []
        case "CATALOGS":
            return "catalog name", spaces.catalogs()
        case "DATABASES":
            wanted = statement.name.name if statement.name else spaces.current_catalog
            return "database name", spaces.databases(wanted)
        case "CURRENT CATALOG":
            return "current catalog name", [spaces.current_catalog]
        case "CURRENT DATABASE":
            return "current database name", [spaces.current_database]
        case "MODULES":
            return "module name", ["core"]
        case "JARS":
            return "jars", []
        case other:
            raise InternalError(f"no way to show {other}")


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(" ", "seconds")


def _wanted(name: str, like: Pattern | None) -> bool:
    if like is None:
        return True
    parts = ({"%": ".*", "_": "."}.get(char, re.escape(char)) for char in like.text)
    flags = re.IGNORECASE if like.ignores_case else 0
    return (re.fullmatch("".join(parts), name, flags) is None) == like.negated


def _partitions(statement: Show, catalog: Catalog) -> TableResult:
    """None: no connector has partitions that the catalog would know."""
    assert statement.name is not None
    table = catalog.table(statement.name)
    if not table.partition_keys:
        raise UserError(f"'{statement.name}' is not partitioned", where=statement.name.position)
    return TableResult(columns=("partition name",), rows=[])


def describe(statement: Describe, catalog: Catalog, planner: Planner) -> TableResult:
    if statement.kind == "CATALOG":
        return _describe_catalog(statement, catalog)
    return _described_result(_described(statement.name, catalog, planner))


def _describe_catalog(statement: Describe, catalog: Catalog) -> TableResult:
    found = catalog.spaces.described(statement.name)
    options = dict(found.options or {})
    rows: list[tuple[str, str | None]] = [
        ("name", statement.name.name),
        ("type", options.pop("type")),
        ("comment", found.comment),
    ]
    if statement.extended:
        rows += [(f"option:{key}", value) for key, value in sorted(options.items())]
    return TableResult(columns=("info name", "info value"), rows=rows)


def _described(name: ObjectName, catalog: Catalog, planner: Planner) -> list[tuple[Any, ...]]:
    """A row per column, its comment last."""
    found = catalog.get(name)
    if isinstance(found, Table):
        return [_table_row(column, found) for column in found.columns]
    fields = planner.view_schema(found)
    return [
        (field.name, field.type.as_nullable().sql(), field.type.nullable, None, None, None, None)
        for field in fields
    ]


def _described_result(rows: Iterable[tuple[Any, ...]]) -> TableResult:
    """Comments are a column of their own where there are any."""
    found = list(rows)
    if any(row[-1] is not None for row in found):
        return TableResult(columns=(*DESCRIBE_COLUMNS, "comment"), rows=found)
    return TableResult(columns=DESCRIBE_COLUMNS, rows=[row[:-1] for row in found])


def _table_row(column: Column, table: Table) -> tuple[Any, ...]:
    return (
        column.name,
        column.type.as_nullable().sql() + _time_attribute(column, table),
        column.type.nullable,
        f"PRI({', '.join(table.primary_key)})" if column.name in table.primary_key else None,
        _extras(column, table),
        _watermark(column, table),
        column.comment,
    )


def _time_attribute(column: Column, table: Table) -> str:
    if table.watermark is not None and table.watermark.column == column.name:
        return " *ROWTIME*"
    if isinstance(column, ComputedColumn) and normal_text(column.text, ()) == "PROCTIME()":
        return " *PROCTIME*"
    return ""


def _extras(column: Column, table: Table) -> str | None:
    match column:
        case ComputedColumn():
            return f"AS {normal_text(column.text, _names(table))}"
        case MetadataColumn():
            return metadata_sql(column)
        case _:
            return None


def _watermark(column: Column, table: Table) -> str | None:
    mark = table.watermark
    if mark is None or mark.column != column.name:
        return None
    return normal_text(mark.text, _names(table))


def _names(table: Table) -> list[str]:
    return [column.name for column in table.columns]


def _show_create(statement: Show, catalog: Catalog, planner: Planner) -> TableResult:
    assert statement.name is not None
    found = catalog.get(statement.name)
    wanted = View if statement.what == "CREATE VIEW" else Table
    if not isinstance(found, wanted):
        kind = "view" if isinstance(found, View) else "table"
        raise UserError(
            f"'{statement.name}' is a {kind}",
            where=statement.name.position,
            cure=f"SHOW CREATE {kind.upper()} {statement.name}",
        )
    if isinstance(found, Table):
        return _text(create_table_sql(found))
    return _text(create_view_sql(found, [field.name for field in planner.view_schema(found)]))


def _text(text: str) -> TableResult:
    return TableResult(columns=("result",), rows=[(text,)], message=text)
