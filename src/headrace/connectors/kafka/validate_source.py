"""Rules of a Kafka table that is read: metadata, where to start and to end, commits, what becomes of unreadable records."""

from __future__ import annotations

import re

from headrace.catalog.table import Table
from headrace.connectors.kafka.metadata import check_readable
from headrace.connectors.kafka.offsets import FORM, parse_offsets
from headrace.connectors.kafka.options import DEAD_LETTER_TOPIC, ERRORS_MODE
from headrace.connectors.kafka.settings import (
    COMMIT_ON_CHECKPOINT,
    KafkaSettings,
    settings_of,
)
from headrace.connectors.support import option_error


def validate_source(table: Table) -> None:
    settings = settings_of(table)
    check_readable(table)
    _check_startup(table, settings)
    _check_bounded(table, settings)
    _check_commits(table, settings)
    _check_parallelism(table, settings)
    _check_errors(table, settings)


def _check_startup(table: Table, settings: KafkaSettings) -> None:
    _check_place(table, settings, "startup")
    if settings.options["scan.startup.mode"] == "group-offsets":
        _check_reset(table)


def _check_bounded(table: Table, settings: KafkaSettings) -> None:
    _check_place(table, settings, "bounded")


def _check_place(table: Table, settings: KafkaSettings, kind: str) -> None:
    """`kind` is startup or bounded: the same modes need the same values."""
    key = f"scan.{kind}.mode"
    match settings.options[key]:
        case "group-offsets":
            _require_group(table, settings, key)
        case "timestamp":
            _require(table, key, f"scan.{kind}.timestamp-millis", "0")
        case "specific-offsets":
            _require(table, key, f"scan.{kind}.specific-offsets", FORM)
            _check_offsets(table, settings, f"scan.{kind}.specific-offsets")


# What else to do about a mode that needs a group.
WITHOUT_GROUP = {
    "scan.startup.mode": "'scan.startup.mode' = 'earliest-offset'",
    "scan.bounded.mode": "'scan.bounded.mode' = 'latest-offset'",
}


def _require_group(table: Table, settings: KafkaSettings, key: str) -> None:
    if settings.group is None:
        default = "" if key in table.options else " (the default)"
        raise option_error(
            table,
            key,
            f"'{key}' = 'group-offsets'{default} needs 'properties.group.id'",
            condition="MISSING_OPTION",
            cure=f"'properties.group.id' = '…', or {WITHOUT_GROUP[key]}",
        )


def _check_reset(table: Table) -> None:
    reset = table.options.get("properties.auto.offset.reset", "none")
    if reset.lower() not in ("earliest", "latest", "none"):
        raise option_error(
            table,
            "properties.auto.offset.reset",
            "invalid value for option 'properties.auto.offset.reset'",
            expected="one of earliest, latest, none",
            cure="'properties.auto.offset.reset' = 'earliest'",
        )


COMMITTING = (f"properties.{COMMIT_ON_CHECKPOINT}", "properties.enable.auto.commit")


def _check_commits(table: Table, settings: KafkaSettings) -> None:
    if settings.group is None and settings.asks_for_commits:
        key = next(key for key in COMMITTING if table.options.get(key, "").lower() == "true")
        raise option_error(
            table,
            key,
            f"option '{key}' needs 'properties.group.id'",
            condition="MISSING_OPTION",
            cure=f"'properties.group.id' = '…', or '{key}' = 'false'",
        )


def _check_parallelism(table: Table, settings: KafkaSettings) -> None:
    parallelism = settings.options.get("scan.parallelism")
    if parallelism is not None and parallelism <= 0:
        raise option_error(
            table,
            "scan.parallelism",
            "invalid value for option 'scan.parallelism'",
            expected="a number of tasks above 0",
            cure="'scan.parallelism' = '1'",
        )


def _check_errors(table: Table, settings: KafkaSettings) -> None:
    if settings.errors_mode == "dead-letter":
        _require(table, ERRORS_MODE, DEAD_LETTER_TOPIC, f"{settings.source_name}-errors")
    elif DEAD_LETTER_TOPIC in table.options:
        raise option_error(
            table,
            DEAD_LETTER_TOPIC,
            f"option '{DEAD_LETTER_TOPIC}' needs '{ERRORS_MODE}' = 'dead-letter'",
            condition="CONFLICTING_OPTIONS",
            cure=f"'{ERRORS_MODE}' = 'dead-letter'",
        )
    letters = settings.dead_letter_topic
    if letters is not None and _reads(settings, letters):
        raise option_error(
            table,
            DEAD_LETTER_TOPIC,
            f"the table reads the topic '{letters}' of its own dead letters",
            condition="CONFLICTING_OPTIONS",
            expected="a topic that the table does not read",
        )
    if settings.errors_mode != "fail" and settings.ignores_parse_errors:
        raise option_error(
            table,
            ERRORS_MODE,
            f"'{ERRORS_MODE}' has nothing to do where formats ignore parse errors",
            condition="CONFLICTING_OPTIONS",
            cure="remove the formats' 'ignore-parse-errors'",
        )


def _reads(settings: KafkaSettings, topic: str) -> bool:
    if settings.pattern is None:
        return topic in settings.topics
    try:
        return re.fullmatch(settings.pattern, topic) is not None
    except re.error:  # Java's expressions know more than Python's
        return False


def _require(table: Table, mode_key: str, needed: str, example: str) -> None:
    if needed not in table.options:
        raise option_error(
            table,
            mode_key,
            f"'{mode_key}' = '{table.options[mode_key]}' needs '{needed}'",
            condition="MISSING_OPTION",
            cure=f"'{needed}' = '{example}'",
        )


def _check_offsets(table: Table, settings: KafkaSettings, key: str) -> None:
    if len(settings.topics) != 1:
        raise option_error(
            table,
            key,
            f"option '{key}' is for a single topic",
            condition="CONFLICTING_OPTIONS",
            expected=f"one topic, not '{table.options.get('topic') or settings.pattern}'",
            cure="one table per topic",
        )
    try:
        parse_offsets(table.options[key])
    except ValueError as error:
        raise option_error(
            table, key, f"invalid value for option '{key}'", expected=f"'{error}'"
        ) from None
