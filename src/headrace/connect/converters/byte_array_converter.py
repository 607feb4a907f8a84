"""ByteArrayConverter: bytes as they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from headrace.connect.converters.base import ConverterPlugin, failure, outcome
from headrace.connect.data.columns import schemaless_class
from headrace.connect.data.config import Config
from headrace.connect.data.records import Part
from headrace.connect.data.schema import DECIMAL, Schema, Type

if TYPE_CHECKING:
    from pyspark.sql import Column


@dataclass(frozen=True, slots=True)
class ByteArrayConverter:
    def tag(self, data: Column) -> Column | None:
        return None

    def schema(self, tag: str | None) -> Schema | None:
        return Schema(Type.BYTES, optional=True)

    def decode(self, schema: Schema | None, tag: str | None, data: Column) -> Column:
        return outcome(data)

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        from pyspark.sql import functions as sf

        nothing = sf.lit(None).cast("binary")
        if schema is not None and schema.type is not Type.BYTES:
            message = f"Invalid schema type for ByteArrayConverter: {schema.label()}"
            return outcome(nothing, failure(typed, message))
        if schema is None or schema.name == DECIMAL:
            known = (
                sf.lit("java.math.BigDecimal") if schema is not None else schemaless_class(value)
            )
            message = "ByteArrayConverter is not compatible with objects of type class "
            return outcome(nothing, failure(value.isNotNull(), sf.concat(sf.lit(message), known)))
        return outcome(value)


def build(config: Config, part: Part) -> ByteArrayConverter:
    return ByteArrayConverter()


PLUGIN = ConverterPlugin("org.apache.kafka.connect.converters.ByteArrayConverter", (), build)
