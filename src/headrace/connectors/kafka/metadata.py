"""Metadata keys of a Kafka record: how each is read from Spark's Kafka source, and which can be written."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.catalog.connector import MetadataKey
from headrace.catalog.table import MetadataColumn, Table
from headrace.errors import InvalidSchema, UnknownName, UnsupportedSql
from headrace.types import BIGINT, BYTES, INT, STRING, DataType, map_of, quote, row, timestamp_ltz
from headrace.types import array as array_of

_HEADER_LIST = array_of(row(key=STRING.not_null(), value=BYTES).not_null()).not_null()

METADATA: Mapping[str, MetadataKey] = {
    "topic": MetadataKey(STRING.not_null(), doc="Topic of the record."),
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

# Spark gives the headers as an array of (key, value) in order; a map keeps the last of equal keys.
_HEADERS_AS_MAP = (
    "coalesce(aggregate(headers, map(), (seen, h) -> map_concat("
    "map_filter(seen, (k, v) -> k != h.key), map(h.key, h.value))), map())"
)
_TIMESTAMP_TYPES = (
    "CASE timestampType WHEN 0 THEN 'CreateTime' WHEN 1 THEN 'LogAppendTime' "
    "ELSE 'NoTimestampType' END"
)

# Spark SQL over the columns of Spark's Kafka source.
READ_EXPRESSIONS: Mapping[str, str] = {
    "topic": "topic",
    "partition": "partition",
    "headers": _HEADERS_AS_MAP.replace("map()", "CAST(map() AS map<string, binary>)"),
    "header-list": "coalesce(headers, array())",
    "offset": "offset",
    "timestamp": "timestamp",
    "timestamp-type": _TIMESTAMP_TYPES,
}


def read_expression(column: MetadataColumn) -> str:
    """Spark SQL of the metadata column, cast to its declared type."""
    return f"CAST({READ_EXPRESSIONS[column.key]} AS {column.type.spark()}) AS {quote(column.name)}"


def written_type(key: str) -> DataType:
    return METADATA[key].type.as_nullable()


def check_readable(table: Table) -> None:
    for column in table.metadata_columns:
        _require_known(table, column)
        if column.key == "leader-epoch":
            raise UnsupportedSql(
                f"metadata key 'leader-epoch' of column '{column.name}' is not supported yet",
                where=table.positions.get(column.name),
                found="the Kafka source gives no leader epoch",
                cure=f"remove the column '{column.name}'",
            )


def check_writable(table: Table) -> None:
    written = [column for column in table.metadata_columns if not column.virtual]
    for column in written:
        _require_known(table, column)
        if not METADATA[column.key].writable:
            raise InvalidSchema(
                f"metadata key '{column.key}' of column '{column.name}' cannot be written",
                where=table.positions.get(column.name),
                expected=", ".join(key for key, entry in METADATA.items() if entry.writable),
                cure=f"{quote(column.name)} {column.type.sql()} METADATA FROM '{column.key}' VIRTUAL",
            )
    if {column.key for column in written} >= set(HEADER_KEYS):
        raise InvalidSchema(
            "both 'headers' and 'header-list' would be written",
            found=", ".join(column.name for column in written if column.key in HEADER_KEYS),
            cure="keep one of them, or declare one VIRTUAL",
        )


def _require_known(table: Table, column: MetadataColumn) -> None:
    if column.key not in METADATA:
        raise UnknownName(
            "metadata key",
            column.key,
            METADATA,
            where=table.positions.get(column.name),
            context=f" (column '{column.name}')",
        )
