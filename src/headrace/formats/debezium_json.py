"""Format `debezium-json`: messages of Debezium, with the row before and after its change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.errors import InvalidOption
from headrace.formats.changelog import (
    ChangelogJson,
    Envelope,
    MessageKey,
    before_and_after,
    instant_key,
    text_key,
    value_key,
)
from headrace.types import STRING, map_of

SCHEMA_INCLUDE = Option(
    "schema-include",
    OptionType.BOOLEAN,
    "Whether messages are {schema, payload}, as Kafka Connect writes them with 'schemas.enable'",
    default="false",
)

SCHEMA = MessageKey(
    STRING, doc="The schema beside the payload, as JSON.", field="schema", outside=True
)


class DebeziumJsonFormat(ChangelogJson):
    name = "debezium-json"
    # PostgreSQL keeps old rows of tables with REPLICA IDENTITY FULL only.
    lacks_old_rows = True
    declared = (SCHEMA_INCLUDE, *ChangelogJson.declared)
    keys: Mapping[str, MessageKey] = {
        "ingestion-timestamp": instant_key("ts_ms", "When the connector handled the change."),
        "source.timestamp": instant_key("source", "When the database made the change.", "ts_ms"),
        "source.database": text_key("source", "Database of the row.", "db"),
        "source.schema": text_key("source", "Schema of the row's table.", "schema"),
        "source.table": text_key(
            "source", "Table or collection of the row.", "table", "collection"
        ),
        "source.properties": value_key(
            map_of(STRING, STRING), "source", "All that the message says about its source."
        ),
    }

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        """The schema has a key in any case, as in Flink; messages that are all payload hold none."""
        return {"schema": replace(SCHEMA, outside=options["schema-include"]), **self.keys}

    def envelope(self, options: ParsedOptions) -> Envelope:
        return before_and_after("op", "c", "d", options["encode.ignore-null-fields"])

    def check_writable(self, options: ParsedOptions) -> None:
        if options["schema-include"]:
            raise InvalidOption(
                "format 'debezium-json' cannot write schemas",
                condition="CONFLICTING_OPTIONS",
                found="'schema-include' = 'true'",
                cure="remove 'schema-include' from the sink's options",
            )
