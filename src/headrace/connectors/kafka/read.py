"""Reads topics through Spark's Kafka source and decodes only the columns that are asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headrace.catalog.table import MetadataColumn, Table
from headrace.changelog import WEIGHT
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.metadata import RECORD_FIELDS, read_expression, record_field
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.connectors.kafka.startup import partitions_of, starting_options
from headrace.connectors.kafka.unreadable import dead_letter_options, unreadable_spec
from headrace.formats.codec import decoder_spec
from headrace.types import quote

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Spark's Kafka source, with a stream of ours around its own.
SOURCE = "headrace.kafka.TopicSource"

PARTITION, OFFSET = "__partition", "__offset"

# Used unless the table sets them. The client's defaults leave a task waiting for data more than it works.
CONSUMER_DEFAULTS: Mapping[str, str] = {
    # The broker holds back an empty answer this long; at its default of 500 an idle job's latency is mostly this wait.
    "fetch.max.wait.ms": "5",
    # Records handed over per poll; at the default of 500 the loop around the poll is what a task spends its time on.
    "max.poll.records": "20000",
    # 8 MiB per partition and fetch: eight times the default, so a task waits for one answer instead of eight.
    "max.partition.fetch.bytes": "8388608",
}

# Served by Headrace itself (where to start, no commits); Spark's source refuses them.
_OWN_PROPERTIES = ("auto.offset.reset", "enable.auto.commit")


def read(
    session: Any, table: Table, columns: Sequence[str], newest_per: Sequence[str] = ()
) -> DataFrame:
    """With `newest_per` (columns among those asked for) of the rows of a key in a batch only the newest."""
    settings = settings_of(table)
    metadata = [c for c in table.metadata_columns if c.name in columns]
    kept = _kept_fields(metadata, settings.upsert)
    rows = {
        "decoder": decoder_spec(
            key=settings.key,
            value=settings.value,
            upsert=settings.upsert,
            needed=[name for name in columns if table.column(name).is_physical],
            room=len(kept),
        ),
        "keep": kept,
        "newestPer": list(newest_per),
    } | unreadable_spec(settings)
    return _in_order(_rows(session, settings, rows), table, columns, settings.upsert)


def _kept_fields(metadata: Sequence[MetadataColumn], upsert: bool) -> list[str]:
    """Fields of Spark's records that metadata columns, and the order of an upsert's rows, are made from."""
    fields = {RECORD_FIELDS[column.key] for column in metadata}
    return sorted(fields | ({"partition", "offset"} if upsert else set()))


def _rows(session: Any, settings: KafkaSettings, rows: Mapping[str, Any]) -> DataFrame:
    source = session.readStream.format(SOURCE)
    admin = KafkaAdmin(session, settings.properties)
    partitions = partitions_of(settings, admin)
    options = consumer_options(settings) | starting_options(settings, admin, partitions)
    if settings.pattern is None:
        options["subscribe"] = ",".join(settings.topics)
    else:
        options["subscribePattern"] = settings.pattern
    if settings.options["scan.bounded.mode"] == "latest-offset":
        options["headrace.bounded"] = "true"
    options |= {"headrace.rows.secret": json.dumps(rows)} | dead_letter_options(admin, settings)
    frame: DataFrame = source.options(**options).load()
    return frame


def topic_ids(session: Any, table: Table) -> dict[str, str]:
    """By name. A pattern has none: the topics it matches come and go within one job."""
    settings = settings_of(table)
    if settings.pattern is not None:
        return {}
    return KafkaAdmin(session, settings.properties).topic_ids(settings.topics)


def consumer_options(settings: KafkaSettings) -> dict[str, str]:
    properties = {k: v for k, v in settings.properties.items() if k not in _OWN_PROPERTIES}
    return {f"kafka.{key}": value for key, value in {**CONSUMER_DEFAULTS, **properties}.items()}


def _in_order(rows: DataFrame, table: Table, columns: Sequence[str], upsert: bool) -> DataFrame:
    metadata = {column.name: column for column in table.metadata_columns}
    chosen = [
        read_expression(metadata[name]) if name in metadata else quote(name) for name in columns
    ]
    order = ("partition", PARTITION), ("offset", OFFSET)
    ends = [f"{record_field(field)} AS {alias}" for field, alias in order if upsert]
    return rows.selectExpr(*chosen, *ends, WEIGHT)
