"""InsertField: topic, partition, offset, timestamp or a constant as further fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from headrace.connect.configdef import ConfigKey, InvalidConfig
from headrace.connect.data.columns import step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType, invalid
from headrace.connect.data.records import Part, Records, fields_of, struct_of
from headrace.connect.data.schema import (
    SCHEMA_BUILDER_EXCEPTION,
    Field,
    Schema,
    Type,
    duplicated,
    string,
    timestamp,
)
from headrace.connect.transforms.base import (
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_unstructured,
)

if TYPE_CHECKING:
    from pyspark.sql import Column

PURPOSE = "field insertion"
OFFSET, STATIC = "offset.field", "static.field"
_SCHEMAS: Mapping[str, Schema] = {
    "topic.field": string(),
    "partition.field": Schema(Type.INT32),
    OFFSET: Schema(Type.INT64),
    "timestamp.field": timestamp(),
    STATIC: string(),
}
_MARKS = "A field whose name ends in ! is required, in ? (or neither) optional."


def _key(name: str, what: str) -> ConfigKey:
    return ConfigKey(
        name, ConfigType.STRING, documentation=f"Field for {what}. {_MARKS}", default=None
    )


KEYS = (
    _key("topic.field", "the topic"),
    _key("partition.field", "the partition"),
    _key(OFFSET, "the offset, in sinks only"),
    _key("timestamp.field", "the record's timestamp"),
    _key(STATIC, "a constant"),
    ConfigKey("static.value", ConfigType.STRING, documentation="The constant.", default=None),
    REPLACE_NULL,
)


@dataclass(frozen=True, slots=True)
class Insertion:
    name: str
    optional: bool

    @classmethod
    def parse(cls, text: str) -> Insertion:
        return cls(
            text.removesuffix("?") if text.endswith("?") else text.removesuffix("!"),
            not text.endswith("!"),
        )


def build(config: Config, part: Part) -> Transform:
    insertions = _insertions(config)

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        if OFFSET in insertions and not records.is_sink:
            message = (
                f"Only SinkRecord supported for [{PURPOSE}], found:"
                " org.apache.kafka.connect.source.SourceRecord"
            )
            return _checked(records, part).failed(sf.col(part).isNotNull(), message)
        schema = records.schema(part)
        if schema is None:
            return _without_schema(records, part, insertions, config)
        if schema.type is not Type.STRUCT:
            return refuse_unstructured(records, part, schema, PURPOSE)
        return _with_schema(records, part, schema, insertions, config)

    return apply


def _checked(records: Records, part: Part) -> Records:
    """Fails the records that nothing can be inserted into."""
    from pyspark.sql import functions as sf

    schema = records.schema(part)
    if schema is None:
        outcome = step("remove", {"fields": [], "purpose": PURPOSE}, sf.col(part))
        return records.of_outcome(part, None, sf.when(sf.col(part).isNotNull(), outcome))
    structured = schema.type is Type.STRUCT
    return records if structured else refuse_unstructured(records, part, schema, PURPOSE)


def _insertions(config: Config) -> dict[str, Insertion]:
    found = {key: Insertion.parse(config[key]) for key in _SCHEMAS if config[key] is not None}
    if not found:
        raise InvalidConfig("No field insertion configured")
    if STATIC in found and config["static.value"] is None:
        raise invalid(
            "static.value", None, f"No value specified for static field: {found[STATIC].name}"
        )
    return found


def _values(config: Config) -> dict[str, Column]:
    from pyspark.sql import functions as sf

    names = {"topic.field": "topic", "partition.field": "partition"}
    columns = {key: sf.col(name) for key, name in names.items()}
    return columns | {
        OFFSET: sf.col("offset"),
        "timestamp.field": sf.col("timestamp"),
        STATIC: sf.lit(config["static.value"]),
    }


def _without_schema(
    records: Records, part: Part, insertions: Mapping[str, Insertion], config: Config
) -> Records:
    from pyspark.sql import functions as sf

    values = _values(config) | {"timestamp.field": sf.unix_millis(sf.col("timestamp"))}
    fields = [values[key].alias(insertion.name) for key, insertion in insertions.items()]
    outcome = step("merge", {"purpose": PURPOSE}, sf.col(part), sf.to_json(sf.struct(*fields)))
    return records.of_outcome(part, None, sf.when(sf.col(part).isNotNull(), outcome))


def _with_schema(
    records: Records,
    part: Part,
    schema: Schema,
    insertions: Mapping[str, Insertion],
    config: Config,
) -> Records:
    from pyspark.sql import functions as sf

    columns = fields_of(sf.col(part), schema, defaults=config[REPLACE_NULL.name])
    added = []
    for key, insertion in insertions.items():
        if insertion.name in columns:
            return records.failed(
                sf.col(part).isNotNull(), duplicated(insertion.name), SCHEMA_BUILDER_EXCEPTION
            )
        columns[insertion.name] = _values(config)[key]
        inserted = _SCHEMAS[key].made_optional(insertion.optional)
        added.append(Field(insertion.name, inserted))
    after = replace(schema.basics(Type.STRUCT), fields=(*schema.fields, *added))
    present = sf.col(part).isNotNull()
    return records.of_value(part, after, struct_of(columns, present), present)


PLUGIN = TransformPlugin(f"{PACKAGE}.InsertField", KEYS, build, passes_nulls=True)
