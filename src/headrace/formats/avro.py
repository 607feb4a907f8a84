"""Format `avro`: plain Avro, its schema derived from the columns."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import partial
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.formats.avro_schema import derived_schema
from headrace.formats.base import Part, require_text_map_keys, unsupported_type, walk_types
from headrace.types import DataType, Kind

LEGACY_MAPPING = "timestamp_mapping.legacy"
# Avro counts a TIME in milliseconds here, and so does a TIMESTAMP under the legacy mapping.
MILLISECONDS = 3


class AvroFormat:
    name = "avro"
    changelog_mode = ChangelogMode.append()
    declared: tuple[Option, ...] = (
        Option(
            "encoding",
            OptionType.ENUM,
            "binary, or json: Avro's own JSON, where a nullable value names its type",
            default="binary",
            choices=("binary", "json"),
        ),
        Option(
            LEGACY_MAPPING,
            OptionType.BOOLEAN,
            "Carry TIMESTAMP(3) alone, as timestamp-millis; false adds TIMESTAMP_LTZ and finer precisions",
            default="true",
        ),
    )

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        cure = f"set '{LEGACY_MAPPING}' of the {part} format to 'false'"
        check_avro_types(fields, legacy=options[LEGACY_MAPPING], cure=cure)

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        return {"encoding": options["encoding"]}

    def schema(self, fields: DataType, options: ParsedOptions) -> str:
        return json.dumps(derived_schema(fields, legacy=options[LEGACY_MAPPING]))


def check_avro_types(
    fields: DataType, *, legacy: bool, cure: str | None, format_name: str = "avro"
) -> None:
    walk_types(fields, partial(_check, format_name, legacy, cure))


def _check(format_name: str, legacy: bool, cure: str | None, path: str, type: DataType) -> None:
    require_text_map_keys(format_name, path, type)
    precision = type.precision or 0
    match type.kind:
        case Kind.TIME if precision > MILLISECONDS:
            raise unsupported_type(format_name, path, type, "TIME(3) or coarser")
        case Kind.TIMESTAMP if legacy and precision > MILLISECONDS:
            raise unsupported_type(format_name, path, type, "TIMESTAMP(3) or coarser", cure)
        case Kind.TIMESTAMP_LTZ if legacy:
            raise unsupported_type(format_name, path, type, "TIMESTAMP(3) or coarser", cure)
        case Kind.INTERVAL_YEAR_MONTH | Kind.INTERVAL_DAY_SECOND:
            raise unsupported_type(format_name, path, type, "a type other than INTERVAL")
