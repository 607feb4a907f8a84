"""Format `debezium-avro-confluent`: messages of Debezium in Avro, their schemas in a registry."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.formats.avro import LEGACY_MAPPING, check_avro_types
from headrace.formats.avro_confluent import TIMESTAMPS, check_schema
from headrace.formats.avro_schema import nullable_schema
from headrace.formats.base import Part
from headrace.formats.changelog import Envelope
from headrace.formats.schema_registry import (
    REGISTRY_OPTIONS,
    SUBJECT,
    check_registry,
    registry_spec,
)
from headrace.types import STRING, DataType, row

# A zero and the four bytes of a schema's id.
HEADER_BYTES = 5


class DebeziumAvroConfluentFormat:
    name = "debezium-avro-confluent"
    changelog_mode = ChangelogMode.retract()
    # PostgreSQL keeps old rows of tables with REPLICA IDENTITY FULL only.
    lacks_old_rows = True
    declared: tuple[Option, ...] = (*REGISTRY_OPTIONS, TIMESTAMPS)

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        check_registry(options, self.name)
        cure = f"set '{LEGACY_MAPPING}' of the {part} format to 'false'"
        check_avro_types(fields, legacy=options[LEGACY_MAPPING], cure=cure, format_name=self.name)
        check_schema(self.name, options.get("schema"), message_of(fields))

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        return {"registry": registry_spec(options), SUBJECT: options.get(SUBJECT)}

    def schema(self, fields: DataType, options: ParsedOptions) -> str:
        given: str | None = options.get("schema")
        derived = nullable_schema(message_of(fields), legacy=options[LEGACY_MAPPING])
        return given or json.dumps(derived)

    def envelope(self, options: ParsedOptions) -> Envelope:
        """Avro's bytes around a row: branches of unions, and the operation's letter."""
        given = options.get("schema")
        branches = Branches(json.loads(given)) if given else Branches(["null", _NULL_FIRST])
        no_before, before = branches.of("before")
        no_after, after = branches.of("after")
        _, operation = branches.of("op")
        start = branches.start
        return Envelope(
            added=(start + no_before + after, operation + _text("c")),
            removed=(start + before, no_after + operation + _text("d")),
            header=HEADER_BYTES,
        )

    def check_writable(self, options: ParsedOptions) -> None:
        """Nothing to refuse."""


def message_of(fields: DataType) -> DataType:
    return row(before=fields.as_nullable(), after=fields.as_nullable(), op=STRING)


_NULL_FIRST = {
    "fields": [{"name": name, "type": ["null", name]} for name in ("before", "after", "op")]
}


class Branches:
    """How unions of a message's schema number their branches; null may be the first or the last of two."""

    def __init__(self, schema: Any) -> None:
        self.start = ""
        if isinstance(schema, list):
            _, self.start = _branches(schema)
            schema = next(branch for branch in schema if branch != "null")
        self._types = {field["name"]: field["type"] for field in schema["fields"]}

    def of(self, field: str) -> tuple[str, str]:
        """What stands for null, and what in front of a value."""
        return _branches(self._types[field])


def _branches(union: list[Any]) -> tuple[str, str]:
    null = union.index("null")
    return _number(null), _number(1 - null)


def _number(small: int) -> str:
    """Avro's form of a number from 0 to 63, whose sign is its lowest bit."""
    return chr(small << 1)


def _text(letter: str) -> str:
    return _number(len(letter)) + letter
