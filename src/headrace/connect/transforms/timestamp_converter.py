"""TimestampConverter: points of time between texts, numbers and Connect's types."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from headrace.connect.configdef import ConfigKey, Importance, InvalidConfig, one_of
from headrace.connect.data import schema as cs
from headrace.connect.data.columns import convert, step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType, date_pattern_fault
from headrace.connect.data.records import Part, Records, fields_of
from headrace.connect.data.schema import Field, Schema, Type
from headrace.connect.transforms.base import (
    NO_FIELDS,
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_unstructured,
)

PURPOSE = "converting timestamp formats"
CONNECT_EXCEPTION = "org.apache.kafka.connect.errors.ConnectException"

_TARGETS: Mapping[str, Callable[[bool], Schema]] = {
    "string": lambda optional: cs.string(optional=optional),
    "unix": lambda optional: Schema(Type.INT64, optional),
    "Date": lambda optional: cs.date(optional=optional),
    "Time": lambda optional: cs.time(optional=optional),
    "Timestamp": lambda optional: cs.timestamp(optional=optional),
}
_PRECISIONS = ("nanoseconds", "microseconds", "milliseconds", "seconds")

KEYS = (
    ConfigKey(
        "field",
        ConfigType.STRING,
        documentation="The field; empty for the whole key or value.",
        default="",
        importance=Importance.HIGH,
    ),
    ConfigKey(
        "target.type",
        ConfigType.STRING,
        documentation="string, unix, Date, Time or Timestamp.",
        importance=Importance.HIGH,
        validator=one_of(*_TARGETS),
    ),
    ConfigKey(
        "format",
        ConfigType.STRING,
        documentation="A SimpleDateFormat pattern for timestamps as strings.",
        default="",
    ),
    ConfigKey(
        "unix.precision",
        ConfigType.STRING,
        documentation="What numbers count.",
        default="milliseconds",
        importance=Importance.LOW,
        validator=one_of(*_PRECISIONS),
    ),
    REPLACE_NULL,
)


def build(config: Config, part: Part) -> Transform:
    if config["target.type"] == "string" and not config["format"]:
        raise InvalidConfig(
            "TimestampConverter requires format option to be specified when using string timestamps"
        )
    fault = date_pattern_fault(config["format"])
    if fault is not None:
        # Connect has the two sides the wrong way round.
        raise InvalidConfig(
            f"Invalid value java.lang.IllegalArgumentException: {fault} for configuration"
            " TimestampConverter requires a SimpleDateFormat-compatible pattern for string timestamps:"
            f" {config['format']}"
        )
    settings = {
        "field": config["field"],
        "target": config["target.type"],
        "format": config["format"],
        "unit": config["unix.precision"].upper(),
        "purpose": PURPOSE,
    }

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            name = "convertTime" if config["field"] else "convertWholeTime"
            outcome = step(name, settings, sf.col(part))
            return records.of_outcome(part, None, sf.when(sf.col(part).isNotNull(), outcome))
        if not config["field"]:
            return _whole(records, part, schema, settings)
        if schema.type is not Type.STRUCT:
            missing = sf.col(part).isNull() & sf.col(f"{part}_typed")
            unstructured = refuse_unstructured(records, part, schema, PURPOSE)
            return unstructured.failed(missing, NO_FIELDS)
        return _field(records, part, schema, settings, config[REPLACE_NULL.name])

    return apply


def _known(schema: Schema) -> bool:
    logical = schema.name in (cs.DATE, cs.TIME, cs.TIMESTAMP)
    return logical or schema.type in (Type.STRING, Type.INT64)


def _unknown(records: Records, part: Part, schema: Schema) -> Records:
    from pyspark.sql import functions as sf

    message = f"Schema {schema} does not correspond to a known timestamp type format"
    return records.failed(sf.col(f"{part}_typed"), message, CONNECT_EXCEPTION)


def _whole(records: Records, part: Part, schema: Schema, settings: Mapping[str, Any]) -> Records:
    from pyspark.sql import functions as sf

    if not _known(schema):
        return _unknown(records, part, schema)
    after = _TARGETS[settings["target"]](schema.optional)
    outcome = convert("convertTime", settings, schema, after, sf.col(part))
    return records.of_outcome(part, after, outcome)


def _field(
    records: Records, part: Part, schema: Schema, settings: Mapping[str, Any], defaults: bool
) -> Records:
    from pyspark.sql import functions as sf

    name = settings["field"]
    before = schema.field(name)
    columns = fields_of(sf.col(part), schema, defaults=defaults)
    if before is None:
        return records.of_fields(part, schema, columns, {})
    if not _known(before):
        return _unknown(records, part, before)
    after = _TARGETS[settings["target"]](before.optional)
    fields = tuple(Field(f.name, after) if f.name == name else f for f in schema.fields)
    outcome = convert("convertTime", settings, before, after, columns[name])
    return records.of_fields(
        part, replace(schema, fields=fields, default=None), columns, {name: outcome}
    )


PLUGIN = TransformPlugin(f"{PACKAGE}.TimestampConverter", KEYS, build)
