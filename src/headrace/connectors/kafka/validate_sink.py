"""Rules of a Kafka table that is written: topics, metadata, partitioner, delivery, buffer."""

from __future__ import annotations

from headrace.catalog.table import Table
from headrace.connectors.kafka.metadata import check_writable
from headrace.connectors.kafka.partitioners import NAMED, OPTION, is_name
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.connectors.support import option_error
from headrace.errors import InvalidOption, InvalidSchema
from headrace.formats.changelog import ChangelogFormat
from headrace.formats.schema_registry import SUBJECT

PREFIX = "sink.transactional-id-prefix"
# Flink's, which leaves room for what it adds.
LONGEST_PREFIX_BYTES = 64_000

# What a transaction needs of its producer, and the values that give it.
NEEDED_BY_TRANSACTIONS = {
    "acks": ("all", "-1"),
    "enable.idempotence": ("true",),
}


def validate_sink(table: Table) -> None:
    settings = settings_of(table)
    check_writable(table)
    _check_value(settings)
    _check_topic_column(table, settings)
    _check_partitioner(table, settings)
    _check_delivery(table, settings)
    _check_subjects(table, settings)
    if settings.upsert:
        _check_buffer_flush(table, settings)
    for key in ("sink.parallelism", "sink.topic.partitions"):
        if settings.options.is_set(key) and settings.options[key] < 1:
            raise option_error(
                table, key, f"option '{key}' must be 1 or more", cure=f"'{key}' = '1'"
            )


def _check_topic_column(table: Table, settings: KafkaSettings) -> None:
    """Flink lets such a table pass and fails at the first record."""
    if not settings.rows_name_topics:
        return
    if any(column.key == "topic" and not column.virtual for column in table.metadata_columns):
        return
    key = "topic-pattern" if settings.pattern else "topic"
    raise InvalidSchema(
        "a sink of several topics needs a column by which each row names its own",
        where=table.positions.get(key),
        found=f"'{key}' = '{table.options[key]}', and no metadata column of 'topic'",
        cure="add the column `topic` STRING METADATA",
    )


def _check_value(settings: KafkaSettings) -> None:
    format = settings.value.format
    if isinstance(format, ChangelogFormat):
        format.check_writable(settings.value.options)


def _check_subjects(table: Table, settings: KafkaSettings) -> None:
    for part, use in (("key", settings.key), ("value", settings.value)):
        if use is None or use.options.get(SUBJECT):
            continue
        if any(option.name == SUBJECT for option in use.format.declared):
            key = f"{part}.{use.format.name}.{SUBJECT}"
            raise option_error(
                table,
                key,
                f"the sink's {part} format '{use.format.name}' needs a subject",
                condition="MISSING_OPTION",
                expected="a subject, or a single topic, after which it is called",
                cure=f"'{key}' = '…'",
            )


def _check_partitioner(table: Table, settings: KafkaSettings) -> None:
    chosen = settings.options[OPTION]
    if not chosen.strip():
        raise _partitioner_error(table, f"option '{OPTION}' must not be empty")
    if not is_name(chosen):
        raise _partitioner_error(table, f"option '{OPTION}' names no partitioner")
    if settings.upsert and chosen in NAMED[1:]:
        raise _partitioner_error(
            table, f"'{OPTION}' = '{chosen}' would spread the records of one key over partitions"
        )
    if chosen == "round-robin" and settings.options["key.fields"]:
        raise option_error(
            table,
            OPTION,
            f"'{OPTION}' = 'round-robin' works only without 'key.fields'",
            condition="CONFLICTING_OPTIONS",
            cure=f"'{OPTION}' = 'default'",
        )


def _partitioner_error(table: Table, summary: str) -> InvalidOption:
    named = NAMED[:1] if table.options["connector"] == "upsert-kafka" else NAMED
    return option_error(
        table,
        OPTION,
        summary,
        expected=", ".join((*named, "a Java class", "module:function")),
        cure=f"'{OPTION}' = 'default'",
    )


def _check_delivery(table: Table, settings: KafkaSettings) -> None:
    if not settings.is_exactly_once:
        return
    key = "sink.semantic" if settings.options.is_set("sink.semantic") else "sink.delivery-guarantee"
    if not settings.options.is_set(PREFIX):
        raise option_error(
            table,
            key,
            f"'{key}' = 'exactly-once' needs '{PREFIX}'",
            condition="MISSING_OPTION",
            cure=f"'{PREFIX}' = '{table.identifier.name}', or '{key}' = 'at-least-once'",
        )
    _check_prefix(table, settings)
    for name, wanted in NEEDED_BY_TRANSACTIONS.items():
        if settings.properties.get(name, wanted[0]).lower() not in wanted:
            raise option_error(
                table,
                f"properties.{name}",
                f"'{key}' = 'exactly-once' needs '{name}' = '{wanted[0]}'",
                condition="CONFLICTING_OPTIONS",
                cure=f"remove 'properties.{name}', or '{key}' = 'at-least-once'",
            )


def _check_prefix(table: Table, settings: KafkaSettings) -> None:
    length = len(settings.options[PREFIX].encode())
    if length > LONGEST_PREFIX_BYTES:
        raise InvalidOption(
            f"option '{PREFIX}' is too long",
            where=table.positions.get(PREFIX),
            found=f"{length} bytes",
            expected=f"{LONGEST_PREFIX_BYTES} bytes at most",
            cure=f"'{PREFIX}' = '{table.identifier.name}'",
        )


def _check_buffer_flush(table: Table, settings: KafkaSettings) -> None:
    rows, interval = "sink.buffer-flush.max-rows", "sink.buffer-flush.interval"
    if settings.options[rows] < 0:
        raise option_error(
            table, rows, f"option '{rows}' must not be negative", cure=f"'{rows}' = '0'"
        )
    on = [key for key in (rows, interval) if settings.options[key]]
    if len(on) == 1:
        raise _flush_pair_error(table, on[0], interval if on[0] == rows else rows)


def _flush_pair_error(table: Table, given: str, other: str) -> InvalidOption:
    return option_error(
        table,
        given,
        f"options '{given}' and '{other}' must both be more than 0, or neither",
        condition="CONFLICTING_OPTIONS",
        cure=f"remove '{given}', or set '{other}'",
    )
