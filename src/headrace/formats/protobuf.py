"""Format `protobuf`: one message per record, described by a class on the class path or by a file of descriptors."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from headrace.catalog.connector import MetadataKey
from headrace.catalog.options import Option, OptionType, ParsedOptions
from headrace.changelog import ChangelogMode
from headrace.errors import InvalidOption
from headrace.formats.base import IGNORE_PARSE_ERRORS, Part, unsupported_type, walk_types
from headrace.types import APPROXIMATE, BINARY_KINDS, CHARACTER, INTEGERS, DataType, Kind

DESCRIPTOR_FILE = "descriptor-file"
CARRIED_KINDS = (
    Kind.BOOLEAN,
    *INTEGERS,
    *APPROXIMATE,
    *CHARACTER,
    *BINARY_KINDS,
    Kind.ARRAY,
    Kind.MAP,
    Kind.ROW,
)


class ProtobufFormat:
    name = "protobuf"
    changelog_mode = ChangelogMode.append()
    declared: tuple[Option, ...] = (
        Option(
            "message-class-name",
            OptionType.STRING,
            "The generated class of the message, in a jar of 'spark.jars'; with 'descriptor-file' also the message's own name",
            required=True,
        ),
        Option(
            DESCRIPTOR_FILE,
            OptionType.STRING,
            "A file made by protoc --include_imports --descriptor_set_out, in place of classes. Headrace only.",
        ),
        IGNORE_PARSE_ERRORS,
        Option(
            "read-default-values",
            OptionType.BOOLEAN,
            "Read the default of a field that the message lacks, instead of NULL; simple fields of proto3 always do",
            default="false",
        ),
        Option(
            "write-null-string-literal",
            OptionType.STRING,
            "The text written for a NULL inside an array or map of strings",
            default="",
        ),
    )

    def metadata(self, options: ParsedOptions) -> Mapping[str, MetadataKey]:
        return {}

    def validate(self, fields: DataType, options: ParsedOptions, part: Part) -> None:
        walk_types(fields, _check)
        file = options.get(DESCRIPTOR_FILE)
        if file is not None and not Path(file).is_file():
            raise InvalidOption(
                f"the {part}'s file of protobuf descriptors does not exist",
                found=f"'{file}'",
                cure="protoc --include_imports --descriptor_set_out=<file> <name>.proto",
            )

    def spec(self, options: ParsedOptions) -> dict[str, Any]:
        """The descriptors travel along, since tasks may run where the file is not."""
        spec = {option.name: options.get(option.name) for option in self.declared}
        file = spec.pop(DESCRIPTOR_FILE)
        content = None if file is None else base64.b64encode(Path(file).read_bytes()).decode()
        return spec | {"descriptors": content}


def _check(path: str, type: DataType) -> None:
    if type.kind not in CARRIED_KINDS:
        expected = "BOOLEAN, an integer, FLOAT, DOUBLE, text, bytes, ARRAY, MAP or ROW"
        raise unsupported_type("protobuf", path, type, expected)
