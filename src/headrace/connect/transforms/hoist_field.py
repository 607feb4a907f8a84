"""HoistField: the whole key or value as the one field of a struct or map."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.columns import step
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part, Records
from headrace.connect.data.schema import struct
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

KEYS = (
    ConfigKey("field", ConfigType.STRING, documentation="Name of the field that holds the whole."),
)


def build(config: Config, part: Part) -> Transform:
    name = config["field"]

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        schema = records.schema(part)
        if schema is None:
            outcome = step("hoist", {"field": name}, sf.col(part))
            return records.of_outcome(part, None, outcome)
        value = sf.struct(sf.col(part).alias(name))
        return records.of_value(part, struct({name: schema}), value, sf.lit(True))

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.HoistField", KEYS, build)
