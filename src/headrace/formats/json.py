"""Format `json`: one object per record, or an array of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.errors import InvalidOption
from headrace.formats.base import IGNORE_PARSE_ERRORS, Part, require_text_map_keys, walk_types
from headrace.types import DataType

# What every format that holds rows as JSON objects can be told.
JSON_OPTIONS: tuple[Option, ...] = (
    Option(
        "timestamp-format.standard",
        OptionType.ENUM,
        "SQL: 2020-01-01 12:00:00.123; ISO-8601: 2020-01-01T12:00:00.123",
        default="SQL",
        choices=("SQL", "ISO-8601"),
    ),
    Option(
        "map-null-key.mode",
        OptionType.ENUM,
        "When a map's key is NULL on writing: fail, leave the entry out, or write a literal",
        default="FAIL",
        choices=("FAIL", "DROP", "LITERAL"),
    ),
    Option(
        "map-null-key.literal",
        OptionType.STRING,
        "The key written for NULL in mode LITERAL",
        default="null",
    ),
    Option(
        "encode.decimal-as-plain-number",
        OptionType.BOOLEAN,
        "Write 100.00 rather than 1E+2, and 0.000000027 rather than 2.7E-8",
        default="false",
    ),
    Option(
        "encode.ignore-null-fields",
        OptionType.BOOLEAN,
        "Leave NULL fields out instead of writing null",
        default="false",
    ),
)


class JsonFormat:
    name = "json"
    changelog_mode = ChangelogMode.append()
    declared: tuple[Option, ...] = (
        Option(
            "fail-on-missing-field",
            OptionType.BOOLEAN,
            "Fail when a column's field is absent, instead of reading NULL",
            default="false",
        ),
        IGNORE_PARSE_ERRORS,
        *JSON_OPTIONS,
        Option(
            "decode.json-parser.enabled",
            OptionType.BOOLEAN,
            "false: of an array with elements that cannot be read, the others are read where errors are ignored",
            default="true",
        ),
    )

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        if options["fail-on-missing-field"] and options["ignore-parse-errors"]:
            raise InvalidOption(
                f"the {part}'s json options contradict each other",
                condition="CONFLICTING_OPTIONS",
                found="'fail-on-missing-field' = 'true' and 'ignore-parse-errors' = 'true'",
                expected="at most one of the two",
            )
        walk_types(fields, partial(require_text_map_keys, self.name))

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        return {option.name: options[option.name] for option in self.declared}
