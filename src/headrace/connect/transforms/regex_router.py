"""RegexRouter: another topic where the whole name matches."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey, Importance
from headrace.connect.data.columns import route
from headrace.connect.data.config import Config, ConfigType, regex
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

KEYS = (
    ConfigKey(
        "regex",
        ConfigType.STRING,
        documentation="Java's regular expression for the whole topic.",
        importance=Importance.HIGH,
        validator=regex,
    ),
    ConfigKey(
        "replacement",
        ConfigType.STRING,
        documentation="The other name; $1 is the first group.",
        importance=Importance.HIGH,
    ),
)


def build(config: Config, part: Part) -> Transform:
    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        topic = route(config["regex"], config["replacement"], sf.col("topic"))
        return records.changed({"topic": topic})

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.RegexRouter", KEYS, build, sided=False)
