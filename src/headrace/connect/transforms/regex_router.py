"""RegexRouter: another topic where the whole name matches."""

from __future__ import annotations

from headrace.connect.data.columns import route
from headrace.connect.data.config import Config, ConfigKey, ConfigType, Importance, regex
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

KEYS = (
    ConfigKey(
        "regex",
        ConfigType.STRING,
        "Java's regular expression for the whole topic.",
        importance=Importance.HIGH,
        check=regex,
    ),
    ConfigKey(
        "replacement",
        ConfigType.STRING,
        "The other name; $1 is the first group.",
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
