"""Format `avro`: plain binary Avro, its schema derived from the columns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
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
            LEGACY_MAPPING,
            OptionType.BOOLEAN,
            "Carry TIMESTAMP(3) alone, as timestamp-millis; false adds TIMESTAMP_LTZ and finer precisions",
            default="true",
        ),
    )

    def metadata(self) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        walk_types(fields, partial(_check, options[LEGACY_MAPPING], part))

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        """Empty: the mapping decides which columns are accepted, not how their bytes lie."""
        return {}


def _check(legacy: bool, part: Part, path: str, type: DataType) -> None:
    require_text_map_keys("avro", path, type)
    precision = type.precision or 0
    cure = f"set '{LEGACY_MAPPING}' of the {part} format to 'false'"
    match type.kind:
        case Kind.TIME if precision > MILLISECONDS:
            raise unsupported_type("avro", path, type, "TIME(3) or coarser")
        case Kind.TIMESTAMP if legacy and precision > MILLISECONDS:
            raise unsupported_type("avro", path, type, "TIMESTAMP(3) or coarser", cure)
        case Kind.TIMESTAMP_LTZ if legacy:
            raise unsupported_type("avro", path, type, "TIMESTAMP(3) or coarser", cure)
        case Kind.INTERVAL_YEAR_MONTH | Kind.INTERVAL_DAY_SECOND:
            raise unsupported_type("avro", path, type, "a type other than INTERVAL")
