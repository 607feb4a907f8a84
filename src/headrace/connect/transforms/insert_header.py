"""InsertHeader: a constant as one more header."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey, Importance, non_null
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin
from headrace.connect.transforms.literals import parse_literal

KEYS = (
    ConfigKey(
        "header",
        ConfigType.STRING,
        documentation="Name of the header.",
        importance=Importance.HIGH,
        validator=non_null,
    ),
    ConfigKey(
        "value.literal",
        ConfigType.STRING,
        documentation="Its value, typed as Connect types literals.",
        importance=Importance.HIGH,
        validator=non_null,
    ),
)


def build(config: Config, part: Part) -> Transform:
    schema, text = parse_literal(config["value.literal"])

    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        content = sf.lit(text)
        typed = content.cast("string" if schema is None else schema.spark())
        return records.with_header(config["header"], schema, typed)

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.InsertHeader", KEYS, build, sided=False)
