"""Format `maxwell-json`: messages of Maxwell, with a row and the old values of what changed in it."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.catalog.options import ParsedOptions
from headrace.formats.changelog import (
    ChangelogJson,
    Envelope,
    MessageKey,
    instant_key,
    text_key,
    value_key,
)
from headrace.types import STRING
from headrace.types import array as array_of


class MaxwellJsonFormat(ChangelogJson):
    name = "maxwell-json"
    keys: Mapping[str, MessageKey] = {
        "database": text_key("database", "Database of the row."),
        "table": text_key("table", "Table of the row."),
        "primary-key-columns": value_key(
            array_of(STRING), "primary_key_columns", "Key columns of the table."
        ),
        "ingestion-timestamp": instant_key(
            "ts", "When the database made the change, in whole seconds.", reading="seconds"
        ),
    }

    def envelope(self, options: ParsedOptions) -> Envelope:
        return Envelope(('{"data":', ',"type":"insert"}'), ('{"data":', ',"type":"delete"}'))
