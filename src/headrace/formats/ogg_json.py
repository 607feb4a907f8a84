"""Format `ogg-json`: messages of Oracle GoldenGate, with the row before and after its change."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.catalog.options import ParsedOptions
from headrace.formats.changelog import (
    ChangelogJson,
    Envelope,
    MessageKey,
    before_and_after,
    instant_key,
    text_key,
    value_key,
)
from headrace.types import STRING
from headrace.types import array as array_of

MICROSECONDS = 6


class OggJsonFormat(ChangelogJson):
    name = "ogg-json"
    # GoldenGate can be set to write the columns that changed, or the key alone.
    lacks_old_rows = True
    keys: Mapping[str, MessageKey] = {
        "table": text_key("table", "Table of the row, with its schema."),
        "primary-keys": value_key(array_of(STRING), "primary_keys", "Key columns of the table."),
        "ingestion-timestamp": instant_key(
            "current_ts",
            "When GoldenGate handled the change, read as UTC.",
            precision=MICROSECONDS,
            written=STRING,
            reading="text",
        ),
        "event-timestamp": instant_key(
            "op_ts",
            "When the database made the change, read as UTC.",
            precision=MICROSECONDS,
            written=STRING,
            reading="text",
        ),
    }

    def envelope(self, options: ParsedOptions) -> Envelope:
        return before_and_after("op_type", "I", "D", options["encode.ignore-null-fields"])
