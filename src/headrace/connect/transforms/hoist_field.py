"""HoistField: the whole key or value as the one field of a struct or map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.columns import step
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part, Records
from headrace.connect.data.schema import Schema, struct
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

if TYPE_CHECKING:
    from pyspark.sql import Column

KEYS = (
    ConfigKey("field", ConfigType.STRING, documentation="Name of the field that holds the whole."),
)


def build(config: Config, part: Part) -> Transform:
    name = config["field"]

    def apply(records: Records) -> Records | tuple[Records, ...]:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            return _without_schema(records, part, name)
        if part in records.always_typed:
            return _with_schema(records, part, name, schema)
        typed = sf.col(f"{part}_typed")
        hoisted = _with_schema(_only(records, typed), part, name, schema)
        # What has neither a value nor a schema becomes a map, which is no struct.
        bare = _only(records, ~typed).of_value(part, None, sf.lit(None).cast("string"))
        return hoisted, _without_schema(bare, part, name)

    return apply


def _without_schema(records: Records, part: Part, name: str) -> Records:
    from pyspark.sql import functions as sf

    return records.of_outcome(part, None, step("hoist", {"field": name}, sf.col(part)))


def _with_schema(records: Records, part: Part, name: str, schema: Schema) -> Records:
    from pyspark.sql import functions as sf

    value = sf.struct(sf.col(part).alias(name))
    missing = sf.lit(not schema.optional) & sf.col(part).isNull()
    message = (
        f'Invalid value: null used for required field: "{name}", schema type: {schema.label()}'
    )
    checked = records.failed(missing, message)
    return checked.of_value(part, struct({name: schema}), value, sf.lit(True))


def _only(records: Records, when: Column) -> Records:
    return replace(records, frame=records.frame.filter(when))


PLUGIN = TransformPlugin(f"{PACKAGE}.HoistField", KEYS, build)
