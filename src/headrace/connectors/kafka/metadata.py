"""Metadata keys of a Kafka record: how each is read from Spark's Kafka source, and which can be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headrace.catalog.connector import MetadataKey
from headrace.catalog.table import MetadataColumn, Table
from headrace.errors import InvalidSchema, UnknownName
from headrace.plan.types import can_cast
from headrace.types import BIGINT, BYTES, INT, STRING, DataType, map_of, quote, row, timestamp_ltz
from headrace.types import array as array_of

_HEADER_LIST = array_of(row(key=STRING.not_null(), value=BYTES).not_null()).not_null()

METADATA: dict[str, MetadataKey] = {
    "topic": MetadataKey(
        STRING.not_null(), doc="Topic of the record; written where a sink has several."
    ),
    "partition": MetadataKey(INT.not_null(), doc="Partition of the record."),
    "headers": MetadataKey(
        map_of(STRING.not_null(), BYTES).not_null(),
        writable=True,
        doc="Headers of the record; of several with one name the last.",
    ),
    "header-list": MetadataKey(
        _HEADER_LIST, writable=True, doc="Headers of the record in order, repeated names kept."
    ),
    "leader-epoch": MetadataKey(INT, doc="Leader epoch of the record."),
    "offset": MetadataKey(BIGINT.not_null(), doc="Offset of the record in its partition."),
    "timestamp": MetadataKey(
        timestamp_ltz(3).not_null(),
        writable=True,
        doc="Timestamp of the record; when written NULL, the producer's clock.",
    ),
    "timestamp-type": MetadataKey(
        STRING.not_null(), doc="NoTimestampType, CreateTime or LogAppendTime."
    ),
}

HEADER_KEYS = ("headers", "header-list")


def metadata_of(options: Mapping[str, str]) -> Mapping[str, MetadataKey]:
    """Of a table with these options: a topic can be written where there is a choice."""
    several = "topic-pattern" in options or ";" in options.get("topic", "").strip("; ")
    return METADATA | {"topic": replace(METADATA["topic"], writable=several)}


# Fields of a record, as our reader calls them, that the keys are made from.
RECORD_FIELDS: Mapping[str, str] = {
    "topic": "topic",
    "partition": "partition",
    "headers": "headers",
    "header-list": "headers",
    "leader-epoch": "leader_epoch",
    "offset": "offset",
    "timestamp": "timestamp",
    "timestamp-type": "timestamp_type",
}


def record_field(name: str) -> str:
    """The column of a record's field: the decoded columns beside it may have any name of a user's choice."""
    return f"__record_{name}"


# Headers come as an array of (key, value) in order; a map keeps the last of equal keys.
_HEADERS_AS_MAP = (
    f"aggregate({record_field('headers')}, CAST(map() AS map<string, binary>), (seen, h) -> map_concat("
    "map_filter(seen, (k, v) -> k != h.key), map(h.key, h.value)))"
)


def read_expression(column: MetadataColumn) -> str:
    """Spark SQL of the metadata column, cast to its declared type; a message's own is decoded under the column's name."""
    if column.key in RECORD_FIELDS:
        field = record_field(RECORD_FIELDS[column.key])
        value = _HEADERS_AS_MAP if column.key == "headers" else field
    else:
        value = quote(column.name)
    return f"CAST({value} AS {column.type.spark()}) AS {quote(column.name)}"


def written_type(key: str) -> DataType:
    return METADATA[key].type.as_nullable()


def check_readable(table: Table) -> None:
    known = table.connector.metadata(table.options)
    for column in table.metadata_columns:
        _require_known(table, column, known)


def check_writable(table: Table) -> None:
    known = table.connector.metadata(table.options)
    written = [column for column in table.metadata_columns if not column.virtual]
    for column in written:
        _require_known(table, column, known)
        if not known[column.key].writable:
            raise InvalidSchema(
                f"metadata key '{column.key}' of column '{column.name}' cannot be written",
                where=table.positions.get(column.name),
                expected=", ".join(key for key, entry in known.items() if entry.writable),
                cure=f"{quote(column.name)} {column.type.sql()} METADATA FROM '{column.key}' VIRTUAL",
            )
        if not can_cast(column.type, written_type(column.key)):
            raise InvalidSchema(
                f"metadata column '{column.name}' must be castable to its key's type to be written",
                condition="METADATA_TYPE",
                where=table.positions.get(column.name),
                found=column.type.sql(),
                expected=f"a type castable to {written_type(column.key).sql()} (key '{column.key}')",
            )
    if {column.key for column in written} >= set(HEADER_KEYS):
        raise InvalidSchema(
            "both 'headers' and 'header-list' would be written",
            found=", ".join(column.name for column in written if column.key in HEADER_KEYS),
            cure="keep one of them, or declare one VIRTUAL",
        )


def _require_known(table: Table, column: MetadataColumn, known: Mapping[str, MetadataKey]) -> None:
    if column.key not in known:
        raise UnknownName(
            "metadata key",
            column.key,
            known,
            where=table.positions.get(column.name),
            context=f" (column '{column.name}')",
        )
