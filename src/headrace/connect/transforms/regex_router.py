"""RegexRouter: another topic where the whole name matches."""

from __future__ import annotations

from dataclasses import replace

from headrace.connect.configdef import ConfigKey, Importance
from headrace.connect.data.columns import route
from headrace.connect.data.config import Config, ConfigType, regex
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

_BEFORE = "__topic_before"

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

        routed = route(config["regex"], config["replacement"], sf.col("topic"))
        found = records.changed({_BEFORE: sf.col("topic")}).of_column_outcome("topic", routed)
        # What failed is told of under the name that it had.
        topic = sf.coalesce(sf.col("topic"), sf.col(_BEFORE))
        changed = found.changed({"topic": topic})
        return replace(changed, frame=changed.frame.drop(_BEFORE))

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.RegexRouter", KEYS, build, sided=False)
