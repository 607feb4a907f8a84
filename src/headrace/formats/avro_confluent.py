"""Format `avro-confluent`: Avro whose schemas lie in a schema registry, each record naming its own."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.errors import InvalidOption
from headrace.formats.avro import LEGACY_MAPPING, check_avro_types
from headrace.formats.avro_schema import derived_schema, describes
from headrace.formats.base import Part
from headrace.formats.schema_registry import (
    REGISTRY_OPTIONS,
    SUBJECT,
    check_registry,
    registry_spec,
)
from headrace.types import DataType

TIMESTAMPS = Option(
    LEGACY_MAPPING,
    OptionType.BOOLEAN,
    "Carry TIMESTAMP(3) alone, as in Flink; false adds TIMESTAMP_LTZ and finer precisions. Headrace only.",
    default="true",
)


class AvroConfluentFormat:
    name = "avro-confluent"
    changelog_mode = ChangelogMode.append()
    declared: tuple[Option, ...] = (*REGISTRY_OPTIONS, TIMESTAMPS)

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        check_registry(options, self.name)
        cure = f"set '{LEGACY_MAPPING}' of the {part} format to 'false'"
        check_avro_types(fields, legacy=options[LEGACY_MAPPING], cure=cure, format_name=self.name)
        check_schema(self.name, options.get("schema"), fields)

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        return {"registry": registry_spec(options), SUBJECT: options.get(SUBJECT)}

    def schema(self, fields: DataType, options: ParsedOptions) -> str:
        given: str | None = options.get("schema")
        return given or json.dumps(derived_schema(fields, legacy=options[LEGACY_MAPPING]))


def check_schema(format_name: str, schema: str | None, fields: DataType) -> None:
    """That a given schema has the columns of the table, in their order."""
    if schema is None:
        return
    try:
        fits, found = describes(schema, fields), "other fields, types or nullability"
    except ValueError as malformed:
        fits, found = False, str(malformed)
    if not fits:
        raise InvalidOption(
            f"option 'schema' of format '{format_name}' does not match the table's columns",
            found=found,
            expected=f"a record of {fields.not_null().sql()}",
            cure="correct the schema or the columns, or remove 'schema' to derive it",
        )
