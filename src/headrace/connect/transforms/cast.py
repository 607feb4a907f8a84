"""Cast: fields, or the whole key or value, to another type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from headrace.connect.configdef import ConfigKey, Importance, InvalidConfig
from headrace.connect.data.columns import convert, step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType, invalid
from headrace.connect.data.records import Part, Records, fields_of
from headrace.connect.data.schema import DATE, DECIMAL, TIME, TIMESTAMP, Field, Schema, Type
from headrace.connect.transforms.base import NO_FIELDS, PACKAGE, Transform, TransformPlugin

PURPOSE = "cast types"
_MILLIS_PER_DAY = 86_400_000
# Connect's names here are those of its enumeration, which JSON spells otherwise.
TARGETS = {
    "int8": Type.INT8,
    "int16": Type.INT16,
    "int32": Type.INT32,
    "int64": Type.INT64,
    "float32": Type.FLOAT32,
    "float64": Type.FLOAT64,
    "boolean": Type.BOOLEAN,
    "string": Type.STRING,
}
_NO_TARGETS = ("bytes", "array", "map", "struct")
_INPUTS = "[INT8, INT16, INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING, BYTES]"


def parse_spec(spec: Sequence[str]) -> tuple[str | None, dict[str, str]]:
    """The type of the whole, or the types by field."""
    fields: dict[str, str] = {}
    whole: str | None = None
    for mapping in spec:
        parts = mapping.split(":")
        if len(parts) > 2:
            raise invalid("renames", list(spec), f"Invalid rename mapping: {mapping}")
        target = _target(parts[-1].strip())
        if len(parts) == 1:
            whole = target
        else:
            fields[parts[0].strip()] = target
    if whole is not None and len(spec) > 1:
        raise InvalidConfig(
            "Cast transformations that specify a type to cast the entire value to may only specify"
            " a single cast in their spec"
        )
    return whole, fields


def _target(name: str) -> str:
    known = name.lower()
    if known in _NO_TARGETS:
        supported = _INPUTS.replace(", BYTES", "")
        raise InvalidConfig(
            f"Cast transformation does not support casting to {name.upper()};"
            f" supported types are {supported}"
        )
    if known not in TARGETS:
        # Connect has the two sides the wrong way round.
        constant = f"org.apache.kafka.connect.data.Schema.Type.{name.upper()}"
        raise InvalidConfig(
            f"Invalid value java.lang.IllegalArgumentException: No enum constant {constant}"
            f" for configuration Invalid type found in casting spec: {name}"
        )
    return known


def _check(value: Any) -> None:
    if not value:
        raise InvalidConfig("Must specify at least one field to cast.")
    parse_spec(value)


KEYS = (
    ConfigKey(
        "spec",
        ConfigType.LIST,
        documentation="Pairs of a field and its type, field:type, or one type for the whole.",
        importance=Importance.HIGH,
        validator=_check,
    ),
    REPLACE_NULL,
)


def build(config: Config, part: Part) -> Transform:
    whole, casts = parse_spec(config["spec"])

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            return _without_schema(records, part, whole, casts)
        if whole is not None:
            return _whole(records, part, schema, whole)
        if schema.type is not Type.STRUCT:
            return records.failed(sf.col(part).isNotNull(), NO_FIELDS)
        return _fields(records, part, schema, casts, config[REPLACE_NULL.name])

    return apply


def _without_schema(
    records: Records, part: Part, whole: str | None, casts: dict[str, str]
) -> Records:
    from pyspark.sql import functions as sf

    if whole is not None:
        outcome = step("castWhole", {"type": whole}, sf.col(part))
    else:
        outcome = step("cast", {"casts": casts, "purpose": PURPOSE}, sf.col(part))
    return records.of_outcome(part, None, sf.when(sf.col(part).isNotNull(), outcome))


def _whole(records: Records, part: Part, schema: Schema, target: str) -> Records:
    from pyspark.sql import functions as sf

    # The name of a logical type would say of the new type what it is not.
    logical = schema.name in (DATE, TIME, TIMESTAMP, DECIMAL)
    basics = replace(schema, name=None, parameters=()) if logical else schema
    after = replace(
        basics.basics(TARGETS[target]),
        optional=schema.optional,
        default=_default(schema, target),
    )
    outcome = convert("cast", {"type": target}, schema, after, sf.col(part))
    return records.of_outcome(part, after, outcome)


def _fields(
    records: Records, part: Part, schema: Schema, casts: dict[str, str], defaults: bool
) -> Records:
    from pyspark.sql import functions as sf

    columns = fields_of(sf.col(part), schema, defaults=defaults)
    after = replace(
        schema,
        fields=tuple(Field(f.name, _field(f.schema, casts.get(f.name))) for f in schema.fields),
        default=None,
    )
    outcomes = {
        field.name: convert(
            "cast",
            {"type": casts[field.name]},
            field.schema,
            _field(field.schema, casts[field.name]),
            columns[field.name],
        )
        for field in schema.fields
        if field.name in casts
    }
    return records.of_fields(part, after, columns, outcomes)


def _field(schema: Schema, target: str | None) -> Schema:
    if target is None:
        return schema
    return Schema(TARGETS[target], optional=schema.optional, default=_default(schema, target))


def _default(schema: Schema, target: str) -> str | None:
    text = schema.default
    if text is None:
        return None
    value = json.loads(text)
    if target == "string" and schema.name in (DATE, TIME, TIMESTAMP):
        return json.dumps(_time_text(value * (_MILLIS_PER_DAY if schema.name == DATE else 1)))
    match TARGETS[target]:
        case Type.STRING:
            return json.dumps(text if isinstance(value, bool | int | float) else str(value))
        case Type.BOOLEAN:
            return json.dumps(value.lower() == "true" if isinstance(value, str) else bool(value))
        case Type.FLOAT32 | Type.FLOAT64:
            return json.dumps(float(value))
        case _:
            return json.dumps(int(value))


def _time_text(millis: int) -> str:
    """A time on the first day, a date at midnight, else both."""
    point = datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=millis)
    date, time = point.strftime("%Y-%m-%d"), f"{point:%H:%M:%S}.{millis % 1000:03}Z"
    if millis < _MILLIS_PER_DAY:
        return time
    return date if millis % _MILLIS_PER_DAY == 0 else f"{date}T{time}"


PLUGIN = TransformPlugin(f"{PACKAGE}.Cast", KEYS, build, passes_nulls=True)
