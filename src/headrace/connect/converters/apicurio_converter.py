"""AvroConverter of Apicurio: Avro whose schema is told by a global id, which the registry's own API gives it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from headrace.catalog.options import parse_options
from headrace.connect.configdef import ConfigKey, Importance, Validator, non_empty
from headrace.connect.converters.avro_converter import AvroConverter
from headrace.connect.converters.base import ConverterPlugin, failure, outcome
from headrace.connect.data.columns import apicurio_schema, framed
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import HEADERS, Part
from headrace.connect.data.schema import ConnectFault
from headrace.formats.schema_registry import REGISTRY_OPTIONS, check_registry, registry_spec

if TYPE_CHECKING:
    from pyspark.sql import Column

NAME = "io.apicurio.registry.utils.converter.AvroConverter"
URL = "apicurio.registry.url"
REGISTER = "apicurio.registry.auto-register"
LATEST = "apicurio.registry.find-latest"
HEADERS_ENABLED = "apicurio.registry.headers.enabled"
_NOT_FOUND = "io.apicurio.registry.rest.client.exception.ArtifactNotFoundException"
_STRATEGY = "io.apicurio.registry.serde.strategy.TopicIdStrategy"

# More than a record can have; what Spark calls the rest of a value is a length.
_ALL_BYTES = 1 << 30


def _only(served: str) -> Validator:
    def check(value: Any) -> str | None:
        return None if value is None or str(value) == served else f"only {served} is served here"

    return check


def _flag(name: str, default: bool, text: str) -> ConfigKey:
    return ConfigKey(name, ConfigType.BOOLEAN, default, Importance.MEDIUM, text)


def _fixed(name: str, served: str, text: str) -> ConfigKey:
    return ConfigKey(name, ConfigType.STRING, None, Importance.LOW, text, validator=_only(served))


KEYS = (
    ConfigKey(
        URL,
        ConfigType.STRING,
        documentation="Address of the registry's API of version 2, as in http://host:8080/apis/registry/v2.",
        importance=Importance.HIGH,
        validator=non_empty,
    ),
    _flag(
        REGISTER, False, "Whether schemas that are written are registered; else they must be there."
    ),
    _flag(
        LATEST, False, "Whether the newest schema is used; has an effect only with auto-register."
    ),
    _flag(HEADERS_ENABLED, True, "Whether ids are written into headers, or before the value."),
    _fixed("apicurio.registry.use-id", "globalId", "The kind of id that identifies a schema."),
    _fixed("apicurio.registry.as-confluent", "false", "Whether ids have four bytes."),
    _fixed(
        "apicurio.registry.artifact-resolver-strategy", _STRATEGY, "What artifacts are named after."
    ),
)


@dataclass(frozen=True, slots=True)
class ApicurioConverter(AvroConverter):
    """Reads and writes what Apicurio's converter of 2.x does: the global id in a header of the record, which is its
    default, or a zero and the id's eight bytes before the value."""

    register: bool = False
    headers_enabled: bool = True
    latest: bool = False
    header_bytes: ClassVar[int] = 9

    def with_id(self, data: Column, headers: Column) -> Column:
        from pyspark.sql import functions as sf

        named = sf.filter(headers, lambda header: header["key"] == self._header("globalId"))
        id = sf.element_at(named, -1)["value"]
        there = sf.coalesce(sf.size(named) > 0, sf.lit(False)) & data.isNotNull()
        return sf.when(there, sf.concat(sf.lit(b"\0"), id, data)).otherwise(data)

    def without_id(self, data: Column) -> Column:
        from pyspark.sql import functions as sf

        if not self.headers_enabled:
            return data
        return sf.substring(data, self.header_bytes + 1, _ALL_BYTES)

    def id_headers(self, data: Column) -> Column:
        from pyspark.sql import functions as sf

        if not self.headers_enabled:
            return sf.array().cast(HEADERS)
        id = sf.substring(data, 2, self.header_bytes - 1)
        found = {"globalId": id, "encoding": sf.lit(b"BINARY")}
        return sf.array(
            *(
                sf.struct(sf.lit(self._header(name)).alias("key"), value.alias("value"))
                for name, value in found.items()
            )
        )

    def _header(self, what: str) -> str:
        return f"apicurio.{self.part}.{what}"

    def of_topic(self, topic: str) -> AvroConverter:
        """Apicurio's converter gives schemas no version of the registry."""
        return self

    def _written(self, tag: str) -> str:
        id = int(tag, 16)
        text = apicurio_schema(self.registry, id)
        if text is None:
            raise ConnectFault(f"Error retrieving Avro {self.part} schema for global id {id}")
        return text

    def _framed(self, subject: str, schema: str, avro: Column) -> Column:
        from pyspark.sql import functions as sf

        topic = sf.col("topic")
        if self.register:
            return outcome(framed(self.registry, "NEW_ARTIFACT", subject, schema, topic, avro))
        if self.latest:
            message = f"{LATEST} needs {REGISTER} here: rows are written by their own schema"
            return outcome(sf.lit(None).cast("binary"), failure(avro.isNotNull(), message))
        found = framed(self.registry, "ARTIFACT", subject, schema, topic, avro)
        artifact = sf.replace(sf.lit(subject), sf.lit("${topic}"), topic)
        told = sf.format_string("No artifact with ID '%s' in group 'null' was found.", artifact)
        return outcome(found, failure(avro.isNotNull() & found.isNull(), told, _NOT_FOUND))


def build(config: Config, part: Part) -> ApicurioConverter:
    options = parse_options(
        REGISTRY_OPTIONS, {"url": config[URL]}, owner="converter 'AvroConverter'"
    )
    check_registry(options, "AvroConverter")
    return ApicurioConverter(
        part,
        json.dumps(registry_spec(options)),
        register=config[REGISTER],
        headers_enabled=config[HEADERS_ENABLED],
        latest=config[LATEST],
    )


PLUGIN = ConverterPlugin(NAME, KEYS, build)
