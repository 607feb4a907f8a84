"""SHOW and DESCRIBE: the catalog as tables of text, with Flink's column names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from headrace.catalog import Catalog
from headrace.catalog.catalog import DEFAULT_CATALOG
from headrace.catalog.options import masked
from headrace.catalog.table import (
    Column,
    ComputedColumn,
    Identifier,
    MetadataColumn,
    Table,
    View,
)
from headrace.errors import UnsupportedSql, UserError
from headrace.plan.functions.lookup import function_names
from headrace.plan.nodes import Field
from headrace.plan.planner import Planner
from headrace.runtime.jobs import Job
from headrace.runtime.results import TableResult
from headrace.sql.dialect import parse_query
from headrace.sql.statements import Describe, Select, Show
from headrace.types import quote


def show(statement: Show, catalog: Catalog, jobs: Sequence[Job]) -> TableResult:
    match statement.what:
        case "TABLES":
            return _names("table name", catalog.names(None, statement.name), statement.like)
        case "VIEWS":
            return _names("view name", catalog.names(View, statement.name), statement.like)
        case "FUNCTIONS":
            return _names("function name", function_names(), statement.like)
        case "CATALOGS":
            return _names("catalog name", [DEFAULT_CATALOG], statement.like)
        case "DATABASES":
            return _names("database name", catalog.databases(), statement.like)
        case "CURRENT CATALOG":
            return _names("current catalog name", [catalog.current_catalog], None)
        case "CURRENT DATABASE":
            return _names("current database name", [catalog.current_database], None)
        case "JOBS":
            rows = [(job.id, job.name, str(job.state), _moment(job.started)) for job in jobs]
            return TableResult(columns=("job id", "job name", "status", "start time"), rows=rows)
        case "COLUMNS":
            return _describe_rows(_table(statement, catalog), statement.like)
        case "CREATE TABLE" | "CREATE VIEW":
            return _show_create(statement, catalog)
        case other:
            raise UnsupportedSql(f"SHOW {other} is not supported", where=statement.position)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds).isoformat(" ", "seconds")


def _names(column: str, names: Sequence[str], like: str | None) -> TableResult:
    wanted = [name for name in names if like is None or _matches(name, like)]
    return TableResult(columns=(column,), rows=[(name,) for name in wanted])


def _matches(name: str, pattern: str) -> bool:
    parts = ({"%": ".*", "_": "."}.get(char, re.escape(char)) for char in pattern)
    return re.fullmatch("".join(parts), name) is not None


def _table(statement: Show, catalog: Catalog) -> Table:
    assert statement.name is not None
    return catalog.table(statement.name)


DESCRIBE_COLUMNS = ("name", "type", "null", "key", "extras", "watermark")


def describe(statement: Describe, catalog: Catalog, planner: Planner) -> TableResult:
    found = catalog.get(statement.name)
    if isinstance(found, Table):
        return _describe_rows(found, None)
    query = parse_query(found.query_text)
    schema = planner.query(
        Select(sql=found.query_text, position=statement.position, query=query)
    ).schema
    names = found.columns or tuple(field.name for field in schema)
    rows = [_view_row(name, field) for name, field in zip(names, schema, strict=True)]
    return TableResult(columns=DESCRIBE_COLUMNS, rows=rows)


def _view_row(name: str, field: Field) -> tuple[Any, ...]:
    return (name, field.type.as_nullable().sql(), _null(field.type.nullable), None, None, None)


def _null(nullable: bool) -> str:
    return "TRUE" if nullable else "FALSE"


def _describe_rows(table: Table, like: str | None) -> TableResult:
    rows = [
        (
            column.name,
            column.type.as_nullable().sql(),
            _null(column.type.nullable),
            f"PRI({', '.join(table.primary_key)})" if column.name in table.primary_key else None,
            _extras(column),
            _watermark(table, column),
        )
        for column in table.columns
        if like is None or _matches(column.name, like)
    ]
    return TableResult(columns=DESCRIBE_COLUMNS, rows=rows)


def _extras(column: Column) -> str | None:
    match column:
        case ComputedColumn():
            return f"AS {column.text}"
        case MetadataColumn():
            source = f" FROM '{column.key}'" if column.key != column.name else ""
            return f"METADATA{source}{' VIRTUAL' if column.virtual else ''}"
        case _:
            return None


def _watermark(table: Table, column: Column) -> str | None:
    mark = table.watermark
    return mark.text if mark is not None and mark.column == column.name else None


def _show_create(statement: Show, catalog: Catalog) -> TableResult:
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
    text = create_table_sql(found) if isinstance(found, Table) else _create_view_sql(found)
    return TableResult(columns=("result",), rows=[(text,)], message=text)


def create_table_sql(table: Table) -> str:
    """A statement that makes the table again, secrets masked."""
    lines = [f"  {_column_sql(column)}" for column in table.columns]
    if table.watermark is not None:
        mark = table.watermark
        lines.append(f"  WATERMARK FOR {quote(mark.column)} AS {mark.text}")
    if table.primary_key:
        key = ", ".join(map(quote, table.primary_key))
        lines.append(f"  PRIMARY KEY ({key}) NOT ENFORCED")
    temporary = "TEMPORARY " if table.temporary else ""
    name = _full_name(table.identifier)
    options = (f"  {_string(k)} = {_string(v)}" for k, v in masked(table.options).items())
    return (
        f"CREATE {temporary}TABLE {name} (\n"
        + ",\n".join(lines)
        + f"\n){_comment(table.comment)}{_partitions(table)} WITH (\n"
        + ",\n".join(options)
        + "\n)"
    )


def _full_name(identifier: Identifier) -> str:
    parts = (identifier.catalog, identifier.database, identifier.name)
    return ".".join(map(quote, parts))


def _column_sql(column: Column) -> str:
    comment = _comment(column.comment)
    match column:
        case ComputedColumn():
            return f"{quote(column.name)} AS {column.text}{comment}"
        case MetadataColumn():
            return f"{quote(column.name)} {column.type.sql()} {_extras(column)}{comment}"
        case _:
            return f"{quote(column.name)} {column.type.sql()}{comment}"


def _comment(comment: str | None) -> str:
    return "" if comment is None else f" COMMENT {_string(comment)}"


def _partitions(table: Table) -> str:
    keys = ", ".join(map(quote, table.partition_keys))
    return f" PARTITIONED BY ({keys})" if keys else ""


def _string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _create_view_sql(view: View) -> str:
    columns = f" ({', '.join(map(quote, view.columns))})" if view.columns else ""
    name = _full_name(view.identifier)
    temporary = "TEMPORARY " if view.temporary else ""
    return f"CREATE {temporary}VIEW {name}{columns}{_comment(view.comment)} AS {view.query_text}"
