"""Rules that only Java can judge: its regular expressions, and classes that a table names. Checked when a job starts."""

from __future__ import annotations

from typing import Any

from headrace.catalog.table import Table
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.support import option_error
from headrace.errors import InvalidOption

DESERIALIZERS = ("properties.key.deserializer", "properties.value.deserializer")

# What the JVM finds wrong with a class, and what to do about it.
CLASS_FAULTS = {
    "missing": ("is not found", "a class on the class path", "SET 'spark.jars' = '….jar'"),
    "other": (
        "is not a deserializer",
        "a class that implements org.apache.kafka.common.serialization.Deserializer",
        "remove the option",
    ),
    "not bytes": (
        "does not give bytes",
        "a Deserializer<byte[]>: the format reads bytes",
        "remove the option",
    ),
}


def check_loadable(session: Any, table: Table, settings: KafkaSettings) -> None:
    checks = session._jvm.headrace.kafka.SourceChecks
    if settings.pattern is not None:
        reason = checks.patternFault(settings.pattern)
        if reason is not None:
            raise pattern_error(table, reason)
    for key in DESERIALIZERS:
        if key in table.options:
            fault = checks.deserializerFault(table.options[key])
            if fault is not None:
                raise class_error(table, key, fault)


def pattern_error(table: Table, reason: str) -> InvalidOption:
    return option_error(
        table,
        "topic-pattern",
        "option 'topic-pattern' is not a Java regular expression",
        expected=f"an expression without: {reason}",
        cure="'topic-pattern' = 'orders-.*'",
    )


def class_error(table: Table, key: str, fault: str) -> InvalidOption:
    wrong, expected, cure = CLASS_FAULTS[fault]
    return option_error(
        table, key, f"class '{table.options[key]}' {wrong}", expected=expected, cure=cure
    )
