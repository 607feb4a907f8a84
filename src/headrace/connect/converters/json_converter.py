"""JsonConverter: JSON, with the schema beside the payload or without schemas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from headrace.connect.configdef import ConfigKey, Importance, Width, one_of
from headrace.connect.converters.base import ConverterPlugin
from headrace.connect.data.columns import NULL_MARK, from_json, schema_tag, to_json
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part
from headrace.connect.data.schema import Schema
from headrace.connect.data.schema_json import schema_of_text

if TYPE_CHECKING:
    from pyspark.sql import Column

SCHEMAS = "Schemas"
SERIALIZATION = "Serialization"

KEYS = (
    ConfigKey(
        "schemas.enable",
        ConfigType.BOOLEAN,
        documentation="Whether records carry their schemas.",
        default=True,
        importance=Importance.HIGH,
        group=SCHEMAS,
        order=0,
        width=Width.MEDIUM,
        display_name="Enable Schemas",
    ),
    ConfigKey(
        "schemas.cache.size",
        ConfigType.INT,
        documentation="How many schemas are kept once they are read.",
        default=1000,
        importance=Importance.HIGH,
        group=SCHEMAS,
        order=1,
        width=Width.MEDIUM,
        display_name="Schema Cache Size",
    ),
    ConfigKey(
        "decimal.format",
        ConfigType.STRING,
        documentation="Whether decimals are written as BASE64 bytes or as NUMERIC.",
        default="BASE64",
        importance=Importance.LOW,
        group=SERIALIZATION,
        order=0,
        width=Width.MEDIUM,
        display_name="Decimal Format",
        validator=one_of("NUMERIC", "BASE64", ignore_case=True),
    ),
    replace(
        REPLACE_NULL,
        importance=Importance.LOW,
        group=SERIALIZATION,
        order=1,
        width=Width.MEDIUM,
        display_name="Replace null with default",
    ),
)


@cache
def _reader(size: int) -> Callable[[str], Schema | None]:
    """Reads schemas, and keeps so many; a topic has the same ones in every batch."""
    return lru_cache(maxsize=size)(schema_of_text)


@dataclass(frozen=True, slots=True)
class JsonConverter:
    schemas: bool = True
    numeric_decimals: bool = False
    defaults: bool = True
    cached_schemas: int = 1000

    def tag(self, data: Column) -> Column | None:
        return schema_tag(data)["value"] if self.schemas else None

    def schema(self, tag: str | None) -> Schema | None:
        return None if tag is None else _reader(self.cached_schemas)(tag.removesuffix(NULL_MARK))

    def decode(self, schema: Schema | None, tag: str | None, data: Column) -> Column:
        return from_json(schema, data, envelope=self.schemas, defaults=self.defaults)

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        return to_json(
            schema,
            value,
            typed,
            envelope=self.schemas,
            numeric_decimals=self.numeric_decimals,
            defaults=self.defaults,
        )


def build(config: Config, part: Part) -> JsonConverter:
    return JsonConverter(
        config["schemas.enable"],
        config["decimal.format"].upper() == "NUMERIC",
        config[REPLACE_NULL.name],
        config["schemas.cache.size"],
    )


PLUGIN = ConverterPlugin("org.apache.kafka.connect.json.JsonConverter", KEYS, build)
