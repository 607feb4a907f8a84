"""TimestampRouter: a topic named after the record's timestamp."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey, Importance
from headrace.connect.data.columns import time_text
from headrace.connect.data.config import Config, ConfigType, date_pattern
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

KEYS = (
    ConfigKey(
        "topic.format",
        ConfigType.STRING,
        documentation="The new name, with ${topic} and ${timestamp}.",
        default="${topic}-${timestamp}",
        importance=Importance.HIGH,
    ),
    ConfigKey(
        "timestamp.format",
        ConfigType.STRING,
        documentation="A pattern of SimpleDateFormat.",
        default="yyyyMMdd",
        importance=Importance.HIGH,
        validator=date_pattern,
    ),
)


def build(config: Config, part: Part) -> Transform:
    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        missing = sf.col("timestamp").isNull()
        time = sf.coalesce(sf.unix_millis(sf.col("timestamp")), sf.lit(0))
        text = time_text(config["timestamp.format"], time)
        named = sf.replace(sf.lit(config["topic.format"]), sf.lit("${topic}"), sf.col("topic"))
        topic = sf.replace(named, sf.lit("${timestamp}"), text)
        routed = records.changed({"topic": sf.when(missing, sf.col("topic")).otherwise(topic)})
        return routed.failed(missing, "Timestamp missing on record")

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.TimestampRouter", KEYS, build, sided=False)
