"""Format `canal-json`: messages of Canal, with the rows of a statement and the old values of what changed in each."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.formats.changelog import (
    ChangelogJson,
    Envelope,
    MessageKey,
    instant_key,
    text_key,
    value_key,
)
from headrace.types import INT, STRING, map_of
from headrace.types import array as array_of

INCLUDED = (
    Option(
        "database.include",
        OptionType.STRING,
        "Java regular expression that the whole name of a message's database must match, or it is passed by",
    ),
    Option(
        "table.include",
        OptionType.STRING,
        "Java regular expression that the whole name of a message's table must match, or it is passed by",
    ),
)


class CanalJsonFormat(ChangelogJson):
    name = "canal-json"
    declared = (*ChangelogJson.declared, *INCLUDED)
    keys: Mapping[str, MessageKey] = {
        "database": text_key("database", "Database of the row."),
        "table": text_key("table", "Table of the row."),
        "sql-type": value_key(map_of(STRING, INT), "sqlType", "JDBC type numbers by column."),
        "pk-names": value_key(array_of(STRING), "pkNames", "Key columns of the table."),
        "ingestion-timestamp": instant_key("ts", "When Canal handled the change."),
        "event-timestamp": instant_key("es", "When the database made the change."),
    }

    def envelope(self, options: ParsedOptions) -> Envelope:
        return Envelope(('{"data":[', '],"type":"INSERT"}'), ('{"data":[', '],"type":"DELETE"}'))
