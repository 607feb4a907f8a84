"""Tables whose records are changes (CDC formats): by what they are read, and which metadata their messages have.

A message holds the old row and the new, so mostly no state is needed to read it. With a PRIMARY KEY the planner
completes rows by key instead where the messages alone would give a wrong answer: where they may lack the old row, and where
columns show metadata, which in a message is that of the change and not of the old row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import parse_options
from headrace.catalog.table import Table
from headrace.connectors.kafka.metadata import metadata_of
from headrace.connectors.kafka.options import format_parts
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.formats.changelog import ChangelogFormat, MessageKey

PREFIX = "value."


def all_metadata(given: Mapping[str, str]) -> dict[str, MetadataKey]:
    """The keys of the record and those of the value's format."""
    keys = dict(metadata_of(given))
    for part, format, prefix in format_parts(given):
        if part == "value" and isinstance(format, ChangelogFormat):
            own = {k.removeprefix(prefix): v for k, v in given.items() if k.startswith(prefix)}
            options = parse_options(format.declared, own, owner=f"format '{format.name}'")
            keys |= {f"{PREFIX}{name}": key for name, key in format.metadata(options).items()}
    return keys


def message_columns(table: Table, columns: Sequence[str]) -> dict[str, MessageKey]:
    """Those of the columns that a message's metadata fills, by name."""
    keys = all_metadata(table.options)
    found = {c.name: keys[c.key] for c in table.metadata_columns if c.name in columns}
    return {name: key for name, key in found.items() if isinstance(key, MessageKey)}


def reads_by_key(table: Table, settings: KafkaSettings) -> bool:
    format = settings.value.format
    if not isinstance(format, ChangelogFormat) or not table.primary_key:
        return False
    return format.lacks_old_rows or _shows_changing_metadata(table)


def _shows_changing_metadata(table: Table) -> bool:
    keys = all_metadata(table.options)
    return any(not keys[column.key].constant for column in table.metadata_columns)


def row_key(table: Table, columns: Sequence[str]) -> tuple[str, ...]:
    """What tells a row from others: tables in one topic may have equal primary keys."""
    origin = [name for name, key in message_columns(table, columns).items() if key.constant]
    return (*table.primary_key, *origin)
