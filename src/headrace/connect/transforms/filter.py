"""Filter: drops every record that it is given; which those are, its predicate says."""

from __future__ import annotations

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.config import Config
from headrace.connect.data.records import Part, Records
from headrace.connect.transforms.base import PACKAGE, Transform, TransformPlugin

KEYS: tuple[ConfigKey, ...] = ()


def build(config: Config, part: Part) -> Transform:
    def apply(records: Records) -> Records:
        from pyspark.sql import functions as sf

        return records.without(sf.lit(True))

    return apply


PLUGIN = TransformPlugin(f"{PACKAGE}.Filter", KEYS, build, sided=False)
