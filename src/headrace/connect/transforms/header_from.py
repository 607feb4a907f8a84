"""HeaderFrom: fields moved or copied into headers."""

from __future__ import annotations

from dataclasses import replace

from headrace.connect.configdef import ConfigKey, Importance, InvalidConfig, non_empty_list, one_of
from headrace.connect.data.columns import step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part, Records, field_of, fields_of, struct_of
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.base import (
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_nulls,
    refuse_unstructured,
)

MOVE = "move"
NULL_POINTER = "java.lang.NullPointerException"
NO_SUCH_FIELD = (
    'Cannot invoke "org.apache.kafka.connect.data.Field.schema()" because the return value of'
    ' "org.apache.kafka.connect.data.Schema.field(String)" is null'
)

KEYS = (
    ConfigKey(
        "fields",
        ConfigType.LIST,
        documentation="Fields that become headers.",
        importance=Importance.HIGH,
        validator=non_empty_list,
    ),
    ConfigKey(
        "headers",
        ConfigType.LIST,
        documentation="Names of the headers, in the order of the fields.",
        importance=Importance.HIGH,
        validator=non_empty_list,
    ),
    ConfigKey(
        "operation",
        ConfigType.STRING,
        documentation="Whether the fields are moved out of the record or copied.",
        importance=Importance.HIGH,
        validator=one_of(MOVE, "copy"),
    ),
    REPLACE_NULL,
)


def build(config: Config, part: Part) -> Transform:
    if len(config["fields"]) != len(config["headers"]):
        raise InvalidConfig(
            "'fields' config must have the same number of elements as 'headers' config."
        )
    purpose = f"header {config['operation']}"

    def apply(records: Records) -> Records:
        checked = refuse_nulls(records, part, purpose)
        schema = records.schema(part)
        if schema is None:
            return _without_schema(checked, part, config, purpose)
        if schema.type is not Type.STRUCT:
            return refuse_unstructured(checked, part, schema, purpose)
        return _with_schema(checked, part, schema, config)

    return apply


def _without_schema(records: Records, part: Part, config: Config, purpose: str) -> Records:
    from pyspark.sql import functions as sf

    for field, header in zip(config["fields"], config["headers"], strict=True):
        picked = step("extract", {"path": [field], "purpose": purpose}, sf.col(part))["value"]
        records = records.with_header(header, None, picked)
    removed = config["fields"] if config["operation"] == MOVE else []
    outcome = step("remove", {"fields": removed, "purpose": purpose}, sf.col(part))
    present = sf.col(part).isNotNull()
    return records.of_outcome(part, None, sf.when(present, outcome))


def _with_schema(records: Records, part: Part, schema: Schema, config: Config) -> Records:
    from pyspark.sql import functions as sf

    defaults = config[REPLACE_NULL.name]
    for field, header in zip(config["fields"], config["headers"], strict=True):
        inner = schema.field(field)
        if inner is None:
            return records.failed(sf.col(part).isNotNull(), NO_SUCH_FIELD, NULL_POINTER)
        value = field_of(sf.col(part), field, inner, defaults=defaults)
        records = records.with_header(header, inner, value)
    if config["operation"] != MOVE:
        return records
    moved = set(config["fields"])
    left = tuple(field for field in schema.fields if field.name not in moved)
    after = replace(schema.basics(Type.STRUCT), fields=left)
    columns = fields_of(sf.col(part), after, defaults=defaults)
    return records.of_value(part, after, struct_of(columns, sf.col(part).isNotNull()))


PLUGIN = TransformPlugin(f"{PACKAGE}.HeaderFrom", KEYS, build)
