"""Rules of a Kafka table that is written: one topic, metadata, partitioner, delivery."""

from __future__ import annotations

from headrace.catalog.table import Table
from headrace.connectors.kafka.metadata import check_writable
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.connectors.support import option_error, unsupported_option
from headrace.errors import InvalidOption
from headrace.formats.schema_registry import SUBJECT


def validate_sink(table: Table) -> None:
    settings = settings_of(table)
    _check_sink_topic(table, settings)
    check_writable(table)
    if settings.upsert:
        _check_buffer_flush(table, settings)
    else:
        _check_partitioner(table, settings)
    _check_delivery(table, settings)
    _check_subjects(table, settings)
    for key in ("sink.parallelism", "sink.topic.partitions"):
        if settings.options.is_set(key) and settings.options[key] < 1:
            raise option_error(
                table, key, f"option '{key}' must be 1 or more", cure=f"'{key}' = '1'"
            )


def _check_sink_topic(table: Table, settings: KafkaSettings) -> None:
    if settings.pattern:
        reason = "a sink writes one topic"
        raise unsupported_option(table, "topic-pattern", reason, "'topic' = '…'")
    if len(settings.topics) > 1:
        reason = "a list of topics can be read, but a sink writes one"
        raise unsupported_option(table, "topic", reason, f"'topic' = '{settings.topics[0]}'")


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
    chosen = settings.options["sink.partitioner"]
    if not chosen.strip():
        raise option_error(
            table,
            "sink.partitioner",
            "option 'sink.partitioner' must not be empty",
            expected="default, fixed, round-robin",
            cure="'sink.partitioner' = 'default'",
        )
    if chosen == "round-robin" and settings.options["key.fields"]:
        raise option_error(
            table,
            "sink.partitioner",
            "'sink.partitioner' = 'round-robin' works only without 'key.fields'",
            condition="CONFLICTING_OPTIONS",
            cure="'sink.partitioner' = 'default'",
        )
    if chosen not in ("default", "fixed", "round-robin"):
        reason = "a class of one's own cannot be loaded"
        cure = "'sink.partitioner' = 'default', 'fixed' or 'round-robin'"
        raise unsupported_option(table, "sink.partitioner", reason, cure)


def _check_delivery(table: Table, settings: KafkaSettings) -> None:
    if settings.options["sink.delivery-guarantee"] != "exactly-once":
        return
    if not settings.options.is_set("sink.transactional-id-prefix"):
        raise option_error(
            table,
            "sink.delivery-guarantee",
            "'sink.delivery-guarantee' = 'exactly-once' needs 'sink.transactional-id-prefix'",
            condition="MISSING_OPTION",
            cure="'sink.transactional-id-prefix' = '…', or 'at-least-once'",
        )
    reason = "sinks deliver at least once, which an upsert topic shows as exactly once"
    cure = "'sink.delivery-guarantee' = 'at-least-once'"
    raise unsupported_option(table, "sink.delivery-guarantee", reason, cure)


def _check_buffer_flush(table: Table, settings: KafkaSettings) -> None:
    rows, interval = "sink.buffer-flush.max-rows", "sink.buffer-flush.interval"
    on = [key for key in (rows, interval) if settings.options[key]]
    if not on:
        return
    if len(on) == 1:
        other = interval if on[0] == rows else rows
        raise _flush_pair_error(table, on[0], other)
    reason = "a batch already writes one record per key"
    raise unsupported_option(table, rows, reason, f"remove '{rows}' and '{interval}'")


def _flush_pair_error(table: Table, given: str, other: str) -> InvalidOption:
    return option_error(
        table,
        given,
        f"options '{given}' and '{other}' must both be more than 0, or neither",
        condition="CONFLICTING_OPTIONS",
        cure=f"remove '{given}'",
    )
