"""Rules that only Java can judge: its regular expressions, and classes that a table names. Checked when a job starts."""

from __future__ import annotations

from typing import Any

from headrace.catalog.table import Table
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.support import option_error
from headrace.errors import InvalidOption
from headrace.formats.canal_json import INCLUDED, CanalJsonFormat

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
    for key, text in _expressions(table, settings).items():
        reason = checks.patternFault(text)
        if reason is not None:
            raise pattern_error(table, key, reason)
    for key in DESERIALIZERS:
        if key in table.options:
            fault = checks.deserializerFault(table.options[key])
            if fault is not None:
                raise class_error(table, key, fault)


def _expressions(table: Table, settings: KafkaSettings) -> dict[str, str]:
    """By the options that have them, as the table spells their names."""
    own = {} if settings.pattern is None else {"topic-pattern": settings.pattern}
    included = [option.name for option in INCLUDED]
    return own | {
        key: text
        for key, text in table.options.items()
        if any(key.endswith(f"{CanalJsonFormat.name}.{name}") for name in included)
    }


def pattern_error(table: Table, key: str, reason: str) -> InvalidOption:
    return option_error(
        table,
        key,
        f"option '{key}' is not a Java regular expression",
        expected=f"an expression without: {reason}",
        cure=f"'{key}' = 'orders-.*'",
    )


def class_error(table: Table, key: str, fault: str) -> InvalidOption:
    wrong, expected, cure = CLASS_FAULTS[fault]
    return option_error(
        table, key, f"class '{table.options[key]}' {wrong}", expected=expected, cure=cure
    )
