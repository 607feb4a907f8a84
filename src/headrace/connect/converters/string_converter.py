"""StringConverter: text."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headrace.connect.configdef import ConfigKey, Importance, Width
from headrace.connect.converters.base import ConverterPlugin, outcome
from headrace.connect.data.columns import decoded, encoded, plain_text
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part
from headrace.connect.data.schema import Schema, string

if TYPE_CHECKING:
    from pyspark.sql import Column

# By Python's names for the same.
_CHARSETS = {
    "ascii": "US-ASCII",
    "iso8859-1": "ISO-8859-1",
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "utf-16-be": "UTF-16BE",
    "utf-16-le": "UTF-16LE",
    "utf-32": "UTF-32",
}


def _charset(name: str) -> str | None:
    try:
        return _CHARSETS.get(codecs.lookup(name).name)
    except LookupError:
        return None


def _check(value: Any) -> str | None:
    known = _charset(value) is not None
    return None if known else f"String must be one of: {', '.join(_CHARSETS.values())}"


KEYS = (
    ConfigKey(
        "converter.encoding",
        ConfigType.STRING,
        documentation="The character encoding of strings.",
        default="UTF-8",
        importance=Importance.HIGH,
        width=Width.MEDIUM,
        display_name="Encoding",
        validator=_check,
    ),
)


@dataclass(frozen=True, slots=True)
class StringConverter:
    charset: str = "UTF-8"

    def tag(self, data: Column) -> Column | None:
        return None

    def schema(self, tag: str | None) -> Schema | None:
        return string(optional=True)

    def decode(self, schema: Schema | None, tag: str | None, data: Column) -> Column:
        return outcome(decoded(self.charset, data))

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        return outcome(encoded(self.charset, plain_text(schema, value)))


def build(config: Config, part: Part) -> StringConverter:
    return StringConverter(_charset(config["converter.encoding"]) or "UTF-8")


PLUGIN = ConverterPlugin("org.apache.kafka.connect.storage.StringConverter", KEYS, build)
