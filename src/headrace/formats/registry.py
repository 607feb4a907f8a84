"""The formats by name."""

from __future__ import annotations

from headrace.errors import UnknownName
from headrace.formats.base import Format
from headrace.formats.json import JsonFormat

FORMATS: dict[str, Format] = {format.name: format for format in (JsonFormat(),)}


def format_named(name: str) -> Format:
    if name not in FORMATS:
        raise UnknownName("format", name, FORMATS)
    return FORMATS[name]
