"""Reads topics through Spark's Kafka source and decodes only the columns that are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from headrace.catalog.table import MetadataColumn, Table
from headrace.changelog import WEIGHT
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.metadata import HEADER_KEYS, read_expression
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.connectors.kafka.startup import partitions_of, starting_options
from headrace.connectors.kafka.unreadable import COUNTER_OPTION, ORIGINALS, Unreadable, unreadable
from headrace.formats.codec import decode
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


def read(session: Any, table: Table, columns: Sequence[str]) -> DataFrame:
    settings = settings_of(table)
    metadata = [c for c in table.metadata_columns if c.name in columns]
    skipping = unreadable(session, settings)
    originals = ORIGINALS if skipping is not None and skipping.keeps_originals else ()
    headers = bool(originals) or any(c.key in HEADER_KEYS for c in metadata)
    records = _records(session, settings, skipping, headers=headers)
    prepared, private = _with_metadata(records, metadata, settings.upsert, originals)
    decoded = decode(
        prepared,
        key=settings.key,
        value=settings.value,
        upsert=settings.upsert,
        keep=list(private),
        needed=[name for name in columns if table.column(name).is_physical],
        unreadable=None if skipping is None else skipping.handler,
    )
    return _in_order(decoded, columns, private)


def _records(
    session: Any, settings: KafkaSettings, skipping: Unreadable | None, *, headers: bool
) -> DataFrame:
    source = session.readStream.format(SOURCE)
    admin = KafkaAdmin(session, settings.properties)
    partitions = partitions_of(settings, admin)
    options = consumer_options(settings) | starting_options(settings, admin, partitions)
    if settings.pattern is None:
        options["subscribe"] = ",".join(settings.topics)
    else:
        options["subscribePattern"] = settings.pattern
    if headers:
        options["includeHeaders"] = "true"
    if settings.options["scan.bounded.mode"] == "latest-offset":
        options["headrace.bounded"] = "true"
    if skipping is not None:
        options[COUNTER_OPTION] = str(skipping.counter)
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


def _with_metadata(
    records: DataFrame,
    metadata: Sequence[MetadataColumn],
    upsert: bool,
    originals: Sequence[str],
) -> tuple[DataFrame, dict[str, str]]:
    """Metadata under private names (a column may be called `offset`), and what each is called in the end."""
    private = {f"__metadata_{i}": column.name for i, column in enumerate(metadata)}
    made = [
        read_expression(column).removesuffix(quote(column.name)) + alias
        for alias, column in zip(private, metadata, strict=True)
    ]
    if upsert:
        made += [f"partition AS {PARTITION}", f"offset AS {OFFSET}"]
        private |= {PARTITION: PARTITION, OFFSET: OFFSET}
    raw = ("key", "value", "topic", "partition", "offset", *originals)
    return records.selectExpr(*raw, *made), private


def _in_order(decoded: DataFrame, columns: Sequence[str], private: Mapping[str, str]) -> DataFrame:
    alias_of = {name: alias for alias, name in private.items()}
    ends = [name for name in (PARTITION, OFFSET) if name in private]
    chosen = [f"{quote(alias_of.get(name, name))} AS {quote(name)}" for name in columns]
    return decoded.selectExpr(*chosen, *ends, WEIGHT)
