"""AvroConverter of Confluent: Avro whose schemas lie in a schema registry, each record naming its own."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from headrace.catalog.options import parse_options
from headrace.connect.configdef import ConfigKey, Importance, non_empty, one_of
from headrace.connect.converters.avro_schema import for_spark, of_avro_schema, to_avro_schema
from headrace.connect.converters.base import ConverterPlugin, failure, outcome
from headrace.connect.data.columns import framed, registered_schema, registered_version
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part
from headrace.connect.data.schema import ConnectFault, Schema
from headrace.formats.schema_registry import REGISTRY_OPTIONS, check_registry, registry_spec

if TYPE_CHECKING:
    from pyspark.sql import Column

NAME = "io.confluent.connect.avro.AvroConverter"
URL = "schema.registry.url"
STRATEGIES = "io.confluent.kafka.serializers.subject"
# A zero, then four bytes of the schema's id.
HEADER_BYTES = 5

# More than a record can have; what Spark calls the rest of a value is a length.
_ALL_BYTES = 1 << 30

_CLIENT = (
    "basic.auth.credentials.source",
    "basic.auth.user.info",
    "bearer.auth.credentials.source",
    "bearer.auth.token",
    "schema.registry.ssl.keystore.location",
    "schema.registry.ssl.keystore.password",
    "schema.registry.ssl.key.password",
    "schema.registry.ssl.truststore.location",
    "schema.registry.ssl.truststore.password",
)


def _strategy(part: Part) -> ConfigKey:
    names = ("TopicNameStrategy", "RecordNameStrategy", "TopicRecordNameStrategy")
    return ConfigKey(
        f"{part}.subject.name.strategy",
        ConfigType.STRING,
        documentation="What subjects are named after.",
        default=f"{STRATEGIES}.{names[0]}",
        validator=one_of(*(f"{STRATEGIES}.{name}" for name in names)),
    )


KEYS = (
    ConfigKey(
        URL,
        ConfigType.STRING,
        documentation="Address of the registry; several, separated by commas, are tried in turn.",
        importance=Importance.HIGH,
        validator=non_empty,
    ),
    *(
        ConfigKey(
            name,
            ConfigType.STRING,
            documentation="A setting of the registry's client.",
            default=None,
        )
        for name in _CLIENT
    ),
    _strategy("key"),
    _strategy("value"),
    ConfigKey(
        "connect.meta.data",
        ConfigType.BOOLEAN,
        documentation="Whether schemas keep what only Connect knows.",
        default=True,
        importance=Importance.LOW,
    ),
)


@dataclass(frozen=True, slots=True)
class AvroConverter:
    """`registry` is the connection as JSON, `strategy` the simple name of a strategy. With a topic, schemas have the
    version that they are under the topic's subject."""

    part: Part
    registry: str
    strategy: str = "TopicNameStrategy"
    facts: bool = True
    topic: str | None = None
    header_bytes: ClassVar[int] = HEADER_BYTES

    def of_topic(self, topic: str) -> AvroConverter:
        return replace(self, topic=topic)

    def tag(self, data: Column) -> Column | None:
        from pyspark.sql import functions as sf

        size = self.header_bytes
        headed = (sf.length(data) >= size) & (sf.hex(sf.substring(data, 1, 1)) == "00")
        return sf.when(headed, sf.hex(sf.substring(data, 2, size - 1)))

    def schema(self, tag: str | None) -> Schema | None:
        if tag is None:
            return None
        schema = of_avro_schema(json.loads(self._written(tag)))
        return schema if self.topic is None else self._versioned(schema, int(tag, 16), self.topic)

    def _versioned(self, schema: Schema, id: int, topic: str) -> Schema:
        subject = self._subject(schema).replace("${topic}", topic)
        version = registered_version(self.registry, id, subject)
        return schema if version is None else replace(schema, version=version)

    def _written(self, tag: str) -> str:
        id = int(tag, 16)
        text = registered_schema(self.registry, id)
        if text is None:
            raise ConnectFault(f"Error retrieving Avro {self.part} schema for id {id}")
        return text

    def decode(self, schema: Schema | None, tag: str | None, data: Column) -> Column:
        from pyspark.sql import functions as sf
        from pyspark.sql.avro.functions import from_avro

        message = "Failed to deserialize data to Avro: "
        if schema is None or tag is None:
            return outcome(sf.lit(None).cast("string"), failure(data.isNotNull(), message))
        avro = sf.substring(data, self.header_bytes + 1, _ALL_BYTES)
        text = json.dumps(for_spark(json.loads(self._written(tag))))
        value = from_avro(avro, text, {"mode": "PERMISSIVE"}).cast(schema.spark())
        bad = data.isNotNull() & _unread(value, schema)
        return outcome(sf.when(~bad, value), failure(bad, message))

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        from pyspark.sql import functions as sf
        from pyspark.sql.avro.functions import to_avro

        nothing = sf.lit(None).cast("binary")
        if schema is None:
            message = "values without a schema are not written as Avro"
            return outcome(nothing, failure(value.isNotNull(), message))
        try:
            described = to_avro_schema(schema, facts=self.facts)
        except ConnectFault as fault:
            return outcome(nothing, failure(value.isNotNull(), fault.message))
        avro = to_avro(value, json.dumps(for_spark(described)))
        text = json.dumps(described)
        return self._framed(self._subject(schema), text, avro)

    def _framed(self, subject: str, schema: str, avro: Column) -> Column:
        """Outcome: Avro with what tells its schema."""
        from pyspark.sql import functions as sf

        return outcome(framed(self.registry, "SUBJECT", subject, schema, sf.col("topic"), avro))

    def _subject(self, schema: Schema) -> str:
        if self.strategy == "TopicNameStrategy":
            return f"${{topic}}-{self.part}"
        name = schema.name or str(schema.type)
        return name if self.strategy == "RecordNameStrategy" else f"${{topic}}-{name}"


def _unread(value: Column, schema: Schema) -> Column:
    """Spark gives null for bytes that it cannot read, and a struct of nulls where a struct is expected."""
    required = [field.name for field in schema.fields if not field.schema.optional]
    return value.getField(required[0]).isNull() if required else value.isNull()


def build(config: Config, part: Part) -> AvroConverter:
    strategy: str = config[f"{part}.subject.name.strategy"]
    return AvroConverter(
        part,
        json.dumps(_registry(config)),
        strategy.rpartition(".")[2],
        config["connect.meta.data"],
    )


def _registry(config: Config) -> dict[str, Any]:
    given = {f"properties.{name}": config[name] for name in _CLIENT if config[name] is not None}
    owner = "converter 'AvroConverter'"
    options = parse_options(REGISTRY_OPTIONS, {"url": config[URL]} | given, owner=owner)
    check_registry(options, "AvroConverter")
    return registry_spec(options)


PLUGIN = ConverterPlugin(NAME, KEYS, build)
