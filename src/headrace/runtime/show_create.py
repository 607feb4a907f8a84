"""SHOW CREATE: the statement that would make a table, a view or a catalog again, laid out as Flink does; secrets masked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from headrace.catalog.namespaces import Namespace
from headrace.catalog.options import masked
from headrace.catalog.table import Column, ComputedColumn, Identifier, MetadataColumn, Table, View
from headrace.sql.normal_text import normal_text
from headrace.types import DataType, quote


def create_table_sql(table: Table) -> str:
    names = [column.name for column in table.columns]
    lines = [_column_sql(column, names) for column in table.columns]
    if table.watermark is not None:
        mark = table.watermark
        shown = normal_text(mark.text, names)
        lines.append(f"WATERMARK FOR {quote(mark.column)} AS {shown}")
    if table.primary_key:
        key = ", ".join(map(quote, table.primary_key))
        lines.append(f"CONSTRAINT {quote(key_name(table))} PRIMARY KEY ({key}) NOT ENFORCED")
    temporary = "TEMPORARY " if table.temporary else ""
    return (
        f"CREATE {temporary}TABLE {_full_name(table.identifier)} {_block(lines)}"
        f"{_comment_line(table.comment)}{_partitions(table)}{_options(table.options)}"
    )


def key_name(table: Table) -> str:
    """The constraint's name; one that was not given is made of the columns."""
    return table.key_name or f"PK_{'_'.join(table.primary_key)}"


def create_view_sql(view: View, columns: Iterable[str]) -> str:
    temporary = "TEMPORARY " if view.temporary else ""
    return (
        f"CREATE {temporary}VIEW {_full_name(view.identifier)} {_block(map(quote, columns))}"
        f"{_comment_line(view.comment)}AS {view.query_text}\n"
    )


def create_catalog_sql(name: str, catalog: Namespace) -> str:
    comment = _comment_line(catalog.comment)
    return f"CREATE CATALOG {quote(name)}\n{comment}{_options(catalog.options or {})}"


def metadata_sql(column: MetadataColumn) -> str:
    source = f" FROM '{column.key}'" if column.key != column.name else ""
    return f"METADATA{source}{' VIRTUAL' if column.virtual else ''}"


def _column_sql(column: Column, names: Iterable[str]) -> str:
    comment = "" if column.comment is None else f" COMMENT {_string(column.comment)}"
    name, kind = quote(column.name), _full_type(column.type)
    match column:
        case ComputedColumn():
            return f"{name} AS {normal_text(column.text, list(names))}{comment}"
        case MetadataColumn():
            return f"{name} {kind} {metadata_sql(column)}{comment}"
        case _:
            return f"{name} {kind}{comment}"


# Names that are short for a type with its length.
_LONG_TYPES = {"STRING": "VARCHAR(2147483647)", "BYTES": "VARBINARY(2147483647)"}
_TYPE_WORD = re.compile(r"`(?:[^`]|``)*`|TIMESTAMP_LTZ\((\d)\)|\bSTRING\b|\bBYTES\b")


def _full_type(kind: DataType) -> str:
    return _TYPE_WORD.sub(_long, kind.sql())


def _long(found: re.Match[str]) -> str:
    if found[1] is not None:
        return f"TIMESTAMP({found[1]}) WITH LOCAL TIME ZONE"
    return _LONG_TYPES.get(found[0], found[0])


def _full_name(identifier: Identifier) -> str:
    parts = (identifier.catalog, identifier.database, identifier.name)
    return ".".join(map(quote, parts))


def _block(lines: Iterable[str]) -> str:
    return "(\n" + ",\n".join(f"  {line}" for line in lines) + "\n)\n"


def _comment_line(comment: str | None) -> str:
    return "" if comment is None else f"COMMENT {_string(comment)}\n"


def _partitions(table: Table) -> str:
    keys = ", ".join(map(quote, table.partition_keys))
    return f"PARTITIONED BY ({keys})\n" if keys else ""


def _options(options: Mapping[str, str]) -> str:
    shown = sorted(masked(options).items())
    return "WITH " + _block(f"{_string(key)} = {_string(value)}" for key, value in shown)


def _string(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
