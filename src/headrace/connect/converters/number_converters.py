"""The converters of numbers and truth values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from headrace.connect.converters.base import ConverterPlugin, failure, outcome
from headrace.connect.data.columns import from_binary, to_binary
from headrace.connect.data.schema import Schema, Type

if TYPE_CHECKING:
    from pyspark.sql import Column

_TYPES = {
    "short": Type.INT16,
    "integer": Type.INT32,
    "long": Type.INT64,
    "float": Type.FLOAT32,
    "double": Type.FLOAT64,
    "boolean": Type.BOOLEAN,
}


@dataclass(frozen=True, slots=True)
class NumberConverter:
    """`kind` is Java's name of the type."""

    kind: str

    def tag(self, data: Column) -> Column | None:
        return None

    def schema(self, tag: str | None) -> Schema | None:
        return Schema(_TYPES[self.kind], optional=True)

    def decode(self, schema: Schema | None, tag: str | None, data: Column) -> Column:
        return from_binary(self.kind, data)

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        from pyspark.sql import functions as sf

        if self.kind == "boolean" and schema is not None and schema.type is not Type.BOOLEAN:
            message = f"Invalid schema type for BooleanConverter: {schema.label()}"
            return outcome(sf.lit(None).cast("binary"), failure(typed, message))
        return to_binary(self.kind, schema, value)


def _plugin(kind: str) -> ConverterPlugin:
    name = f"org.apache.kafka.connect.converters.{kind.capitalize()}Converter"
    return ConverterPlugin(name, (), lambda config, part: NumberConverter(kind))


PLUGINS = tuple(_plugin(kind) for kind in _TYPES)
