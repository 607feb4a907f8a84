"""Format `csv`: one line per record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.errors import InvalidOption
from headrace.formats.base import IGNORE_PARSE_ERRORS, Part, unescape, unsupported_type
from headrace.types import BINARY_KINDS, CHARACTER, NUMERIC, TEMPORAL, DataType, Kind

SIMPLE_KINDS = (Kind.BOOLEAN, Kind.NULL, *NUMERIC, *CHARACTER, *BINARY_KINDS, *TEMPORAL)
MAX_TIME_PRECISION = 3


class CsvFormat:
    name = "csv"
    changelog_mode = ChangelogMode.append()
    declared: tuple[Option, ...] = (
        Option(
            "field-delimiter",
            OptionType.STRING,
            "The character between fields; \\t and \\uXXXX are understood",
            default=",",
        ),
        Option(
            "disable-quote-character",
            OptionType.BOOLEAN,
            "Take quotes as ordinary characters and write none",
            default="false",
        ),
        Option(
            "quote-character",
            OptionType.STRING,
            "The character around fields that hold special ones",
            default='"',
        ),
        Option(
            "allow-comments",
            OptionType.BOOLEAN,
            "Pass over lines that begin with #",
            default="false",
        ),
        IGNORE_PARSE_ERRORS,
        Option(
            "array-element-delimiter",
            OptionType.STRING,
            "The character between the elements of an ARRAY or ROW",
            default=";",
        ),
        Option(
            "escape-character",
            OptionType.STRING,
            "The character that takes a special meaning from the next one; none by default",
        ),
        Option(
            "null-literal",
            OptionType.STRING,
            "The text that stands for NULL; without it NULL is written as nothing and never read",
        ),
        Option(
            "write-bigdecimal-in-scientific-notation",
            OptionType.BOOLEAN,
            "Write 1E+5 rather than 100000.00. (Flink's pages call this the default, but it counts only where it is set.)",
            default="false",
        ),
        Option(
            "trim-spaces",
            OptionType.BOOLEAN,
            "Drop blanks around fields without quotes",
            default="false",
        ),
        Option(
            "ignore-trailing-unmappable",
            OptionType.BOOLEAN,
            "Pass over fields beyond the last column instead of failing",
            default="false",
        ),
        Option(
            "allow-trailing-comma",
            OptionType.BOOLEAN,
            "Take a delimiter after the last field as its end",
            default="true",
        ),
        Option(
            "fail-on-missing-columns",
            OptionType.BOOLEAN,
            "Take a record with too few fields as unreadable also where parse errors are ignored",
            default="false",
        ),
        Option(
            "empty-string-as-null",
            OptionType.BOOLEAN,
            "Read an empty field as NULL, quoted or not",
            default="false",
        ),
    )

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        if options["disable-quote-character"] and options.is_set("quote-character"):
            raise InvalidOption(
                f"the {part}'s csv options contradict each other",
                condition="CONFLICTING_OPTIONS",
                found="'quote-character' and 'disable-quote-character' = 'true'",
                expected="at most one of the two",
            )
        for name in (
            "field-delimiter",
            "array-element-delimiter",
            "quote-character",
            "escape-character",
        ):
            _require_one_character(name, options)
        for name, type in fields.fields():
            _check_column(name, type)

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        spec = {option.name: options.get(option.name) for option in self.declared}
        return spec | {"field-delimiter": unescape(options["field-delimiter"])}


def _require_one_character(name: str, options: ParsedOptions) -> None:
    text = options.get(name)
    shown = unescape(text) if text is not None and name == "field-delimiter" else text
    if shown is not None and len(shown) != 1:
        raise InvalidOption(
            f"invalid value for option 'csv.{name}'",
            found=f"'{text}'",
            expected="a single character",
        )


def _check_column(name: str, type: DataType) -> None:
    match type.kind:
        case Kind.ARRAY:
            _check_simple(name, type.children[0])
        case Kind.ROW:
            for field, child in type.fields():
                _check_simple(f"{name}.{field}", child)
        case _:
            _check_simple(name, type)


def _check_simple(path: str, type: DataType) -> None:
    if type.kind not in SIMPLE_KINDS:
        reason = "a simple type, or an ARRAY or ROW of simple types in a column of its own"
        raise unsupported_type("csv", path, type, reason)
    if type.kind is Kind.TIME and (type.precision or 0) > MAX_TIME_PRECISION:
        raise unsupported_type("csv", path, type, f"TIME({MAX_TIME_PRECISION}) or coarser")
