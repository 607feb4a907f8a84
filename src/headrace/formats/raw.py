"""Format `raw`: the whole record is one value."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.errors import InvalidOption, InvalidSchema
from headrace.formats.base import Part, unescape, unsupported_type
from headrace.types import APPROXIMATE, BINARY_KINDS, CHARACTER, INTEGERS, DataType, Kind

LINE_DELIMITER = "line-delimiter"
CARRIED_KINDS = (Kind.BOOLEAN, *INTEGERS, *APPROXIMATE, *CHARACTER, *BINARY_KINDS)


class RawFormat:
    name = "raw"
    changelog_mode = ChangelogMode.append()
    declared: tuple[Option, ...] = (
        Option("charset", OptionType.STRING, "The encoding of a character column", default="UTF-8"),
        Option(
            "endianness",
            OptionType.ENUM,
            "The byte order of a numeric column",
            default="big-endian",
            choices=("big-endian", "little-endian"),
        ),
        Option(
            LINE_DELIMITER,
            OptionType.STRING,
            "The text that parts a record into rows, and is written after each; \\n and \\uXXXX are understood",
        ),
    )

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        if len(fields.names) != 1:
            raise InvalidSchema(
                f"format 'raw' carries a single column in the {part}",
                found=", ".join(fields.names) or "no column",
                expected="exactly one physical column",
            )
        name, type = fields.names[0], fields.children[0]
        if type.kind not in CARRIED_KINDS:
            raise unsupported_type(
                self.name, name, type, "BOOLEAN, an integer, FLOAT, DOUBLE, text or bytes"
            )
        _require_charset(options["charset"])

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        spec = {option.name: options.get(option.name) for option in self.declared}
        delimiter = options.get(LINE_DELIMITER)
        return spec | {LINE_DELIMITER: unescape(delimiter) if delimiter else None}


def _require_charset(charset: str) -> None:
    try:
        codecs.lookup(charset)
    except LookupError:
        raise InvalidOption(
            "invalid value for option 'raw.charset'",
            found=f"'{charset}'",
            expected="the name of a character encoding, such as UTF-8 or ISO-8859-1",
        ) from None
