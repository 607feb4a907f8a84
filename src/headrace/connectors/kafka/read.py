"""Reads topics and decodes only the columns that are asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headrace.catalog.table import MetadataColumn, Table
from headrace.changelog import WEIGHT
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.changes import message_columns
from headrace.connectors.kafka.metadata import RECORD_FIELDS, read_expression, record_field
from headrace.connectors.kafka.scan import consumer_properties, scan_spec
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.connectors.kafka.startup import require_topics
from headrace.connectors.kafka.unreadable import dead_letter_options, unreadable_spec
from headrace.connectors.kafka.validate_java import check_loadable
from headrace.formats.codec import decoder_spec
from headrace.types import quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The source of Spark in our jar.
SOURCE = "headrace.kafka.TopicSource"

PARTITION, OFFSET = "__partition", "__offset"


def read(
    session: Any,
    table: Table,
    columns: Sequence[str],
    newest_per: Sequence[str] = (),
    by_key: bool = False,
) -> DataFrame:
    """With `newest_per` (columns among those asked for) of the rows of a key in a batch only the newest. `by_key`: whether
    changes of a CDC format are given by primary key, as those of an upsert topic are."""
    settings = settings_of(table)
    check_loadable(session, table, settings)
    messages = message_columns(table, columns)
    metadata = [c for c in table.metadata_columns if c.name in columns and c.name not in messages]
    ordered = settings.upsert or by_key
    kept = _kept_fields(metadata, ordered)
    rows = {
        "decoder": decoder_spec(
            key=settings.key,
            value=settings.value,
            upsert=settings.upsert,
            needed=[name for name in columns if table.column(name).is_physical],
            room=len(kept),
            metadata=messages,
            keyed=table.primary_key if by_key else (),
        ),
        "keep": kept,
        "newestPer": list(newest_per),
    } | unreadable_spec(settings)
    return _in_order(_rows(session, settings, rows), table, columns, ordered)


def _kept_fields(metadata: Sequence[MetadataColumn], ordered: bool) -> list[str]:
    """Fields of Spark's records that metadata columns, and the order of an upsert's rows, are made from."""
    fields = {RECORD_FIELDS[column.key] for column in metadata}
    return sorted(fields | ({"partition", "offset"} if ordered else set()))


def _rows(session: Any, settings: KafkaSettings, rows: Mapping[str, Any]) -> DataFrame:
    admin = KafkaAdmin(session, settings.properties)
    require_topics(settings, admin)
    options = {
        "headrace.scan": json.dumps(scan_spec(settings)),
        "headrace.client.secret": json.dumps(consumer_properties(settings)),
        "headrace.rows.secret": json.dumps(rows),
    }
    source = session.readStream.format(SOURCE)
    frame: DataFrame = source.options(**options, **dead_letter_options(admin, settings)).load()
    return frame


def topic_ids(session: Any, table: Table) -> dict[str, str]:
    """By name. A pattern has none: the topics it matches come and go within one job."""
    settings = settings_of(table)
    if settings.pattern is not None:
        return {}
    return KafkaAdmin(session, settings.properties).topic_ids(settings.topics)


def _in_order(rows: DataFrame, table: Table, columns: Sequence[str], ordered: bool) -> DataFrame:
    metadata = {column.name: column for column in table.metadata_columns}
    chosen = [
        read_expression(metadata[name]) if name in metadata else quote(name) for name in columns
    ]
    order = ("partition", PARTITION), ("offset", OFFSET)
    ends = [f"{record_field(field)} AS {alias}" for field, alias in order if ordered]
    return rows.selectExpr(*chosen, *ends, WEIGHT)
