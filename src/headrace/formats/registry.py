"""The formats by name."""

from __future__ import annotations

from headrace.errors import UnknownName
from headrace.formats.avro import AvroFormat
from headrace.formats.avro_confluent import AvroConfluentFormat
from headrace.formats.base import Format
from headrace.formats.canal_json import CanalJsonFormat
from headrace.formats.csv import CsvFormat
from headrace.formats.debezium_avro_confluent import DebeziumAvroConfluentFormat
from headrace.formats.debezium_json import DebeziumJsonFormat
from headrace.formats.json import JsonFormat
from headrace.formats.maxwell_json import MaxwellJsonFormat
from headrace.formats.ogg_json import OggJsonFormat
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
        DebeziumAvroConfluentFormat(),
        DebeziumJsonFormat(),
        CanalJsonFormat(),
        MaxwellJsonFormat(),
        OggJsonFormat(),
    )
}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]
