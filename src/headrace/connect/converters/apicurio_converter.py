"""AvroConverter of Apicurio, for sinks: Avro behind the global id of its schema, which the registry's own API tells."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from headrace.catalog.options import parse_options
from headrace.connect.configdef import ConfigKey, Importance, non_empty
from headrace.connect.converters.avro_converter import AvroConverter
from headrace.connect.converters.base import ConverterPlugin, failure, outcome
from headrace.connect.data.columns import apicurio_schema
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part
from headrace.connect.data.schema import ConnectFault, Schema
from headrace.formats.schema_registry import REGISTRY_OPTIONS, check_registry, registry_spec

if TYPE_CHECKING:
    from pyspark.sql import Column

NAME = "io.apicurio.registry.utils.converter.AvroConverter"
URL = "apicurio.registry.url"

# Options of writing, such as auto-register, mean nothing to a sink and are let be, as unknown ones are.
KEYS = (
    ConfigKey(
        URL,
        ConfigType.STRING,
        documentation="Address of the registry's API of version 2, as in http://host:8080/apis/registry/v2.",
        importance=Importance.HIGH,
        validator=non_empty,
    ),
)


@dataclass(frozen=True, slots=True)
class ApicurioConverter(AvroConverter):
    """Reads what Apicurio's converter of 2.x writes: the global id in a header of the record, which is its default, or
    a zero and the id's eight bytes before the value."""

    header_bytes: ClassVar[int] = 9

    def with_id(self, data: Column, headers: Column) -> Column:
        from pyspark.sql import functions as sf

        name = f"apicurio.{self.part}.globalId"
        named = sf.filter(headers, lambda header: header["key"] == name)
        id = sf.element_at(named, -1)["value"]
        there = sf.coalesce(sf.size(named) > 0, sf.lit(False)) & data.isNotNull()
        return sf.when(there, sf.concat(sf.lit(b"\0"), id, data)).otherwise(data)

    def of_topic(self, topic: str) -> AvroConverter:
        """Apicurio's converter gives schemas no version of the registry."""
        return self

    def _written(self, tag: str) -> str:
        id = int(tag, 16)
        text = apicurio_schema(self.registry, id)
        if text is None:
            raise ConnectFault(f"Error retrieving Avro {self.part} schema for global id {id}")
        return text

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        from pyspark.sql import functions as sf

        message = f"{NAME} is for sinks here; io.confluent.connect.avro.AvroConverter writes Avro"
        return outcome(sf.lit(None).cast("binary"), failure(value.isNotNull(), message))


def build(config: Config, part: Part) -> ApicurioConverter:
    options = parse_options(
        REGISTRY_OPTIONS, {"url": config[URL]}, owner="converter 'AvroConverter'"
    )
    check_registry(options, "AvroConverter")
    return ApicurioConverter(part, json.dumps(registry_spec(options)))


PLUGIN = ConverterPlugin(NAME, KEYS, build)
