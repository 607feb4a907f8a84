"""DropHeaders: without some headers."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey, Importance, non_empty_list
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

KEYS = (
    ConfigKey(
        "headers",
        ConfigType.LIST,
        documentation="Names of the headers to remove.",
        importance=Importance.HIGH,
        validator=non_empty_list,
    ),
)


def build(config: Config, part: Part) -> Transform:
    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        names = config["headers"]
        kept = sf.filter(sf.col("headers"), lambda header: ~header["key"].isin(names))
        return records.changed({"headers": kept})

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.DropHeaders", KEYS, build, sided=False)
