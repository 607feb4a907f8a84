"""ExtractField: one field in place of the whole key or value."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.columns import step
from headrace.connect.data.config import REPLACE_NULL, Config, ConfigType
from headrace.connect.data.records import Part, Records, field_of
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.base import (
    NO_FIELD,
    PACKAGE,
    Transform,
    TransformPlugin,
    refuse_unstructured,
)
from headrace.connect.transforms.field_path import SYNTAX, parse_path

PURPOSE = "field extraction"
ILLEGAL_ARGUMENT = "java.lang.IllegalArgumentException"

KEYS = (
    ConfigKey("field", ConfigType.STRING, documentation="Name of the field, or the path to it."),
    REPLACE_NULL,
    SYNTAX,
)


def build(config: Config, part: Part) -> Transform:
    path = parse_path(config["field"], config[SYNTAX.name])

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            outcome = step("extract", {"path": path, "purpose": PURPOSE}, sf.col(part))
            return records.of_outcome(part, None, outcome)
        if schema.type is not Type.STRUCT:
            missing = sf.col(part).isNull() & sf.col(f"{part}_typed")
            unstructured = refuse_unstructured(records, part, schema, PURPOSE)
            return unstructured.failed(missing, NO_FIELD)
        return _with_schema(records, part, schema, path, config)

    return apply


def _with_schema(
    records: Records, part: Part, schema: Schema, path: tuple[str, ...], config: Config
) -> Records:
    from pyspark.sql import functions as sf

    value, found = sf.col(part), schema
    for place, name in enumerate(path):
        if found.type is not Type.STRUCT:
            return records.failed(sf.col(f"{part}_typed"), NO_FIELD)
        inner = found.field(name)
        if inner is None:
            message = f"Unknown field: {config['field']}"
            return records.failed(sf.col(f"{part}_typed"), message, ILLEGAL_ARGUMENT)
        last = place == len(path) - 1
        defaults = config[REPLACE_NULL.name] or not last
        present = value.isNotNull()
        value = sf.when(present, field_of(value, name, inner, defaults=defaults))
        found = inner
    return records.of_value(part, found, value)


PLUGIN = TransformPlugin(f"{PACKAGE}.ExtractField", KEYS, build)
