"""MaskField: fields emptied, or replaced by one value."""

from __future__ import annotations

from typing import Any

from headrace.connect.configdef import ConfigKey, Importance, non_empty, non_empty_list
from headrace.connect.data.columns import convert, step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part, Records, fields_of
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.base import (
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_nulls,
    refuse_unstructured,
)

PURPOSE = "mask fields"

KEYS = (
    ConfigKey(
        "fields",
        ConfigType.LIST,
        documentation="Fields to mask.",
        importance=Importance.HIGH,
        validator=non_empty_list,
    ),
    ConfigKey(
        "replacement",
        ConfigType.STRING,
        documentation="What numbers and strings become; without it, zero, false or empty.",
        default=None,
        importance=Importance.LOW,
        validator=non_empty,
    ),
    REPLACE_NULL,
)


def build(config: Config, part: Part) -> Transform:
    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        checked = refuse_nulls(records, part, PURPOSE)
        if schema is None:
            settings = {"fields": config["fields"], "purpose": PURPOSE} | _replacement(config)
            outcome = step("mask", settings, sf.col(part))
            return checked.of_outcome(part, None, outcome)
        if schema.type is not Type.STRUCT:
            return refuse_unstructured(checked, part, schema, PURPOSE)
        return _with_schema(checked, part, schema, config)

    return apply


def _replacement(config: Config) -> dict[str, Any]:
    return {"replacement": config["replacement"]}


def _with_schema(records: Records, part: Part, schema: Schema, config: Config) -> Records:
    from pyspark.sql import functions as sf

    columns = fields_of(sf.col(part), schema, defaults=config[REPLACE_NULL.name])
    outcomes = {
        field.name: convert(
            "mask", _replacement(config), field.schema, field.schema, columns[field.name]
        )
        for field in schema.fields
        if field.name in config["fields"]
    }
    return records.of_fields(part, schema, columns, outcomes)


PLUGIN = TransformPlugin(f"{PACKAGE}.MaskField", KEYS, build)
