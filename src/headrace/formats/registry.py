"""The formats by name."""

from __future__ import annotations

from headrace.errors import UnknownName
from headrace.formats.avro import AvroFormat
from headrace.formats.avro_confluent import AvroConfluentFormat
from headrace.formats.base import Format
from headrace.formats.csv import CsvFormat
from headrace.formats.json import JsonFormat
from headrace.formats.protobuf import ProtobufFormat
from headrace.formats.raw import RawFormat

FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        JsonFormat(),
        CsvFormat(),
        AvroFormat(),
        AvroConfluentFormat(),
        ProtobufFormat(),
        RawFormat(),
    )
}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]
