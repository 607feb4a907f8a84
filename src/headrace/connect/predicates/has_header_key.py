"""HasHeaderKey: records with a header of some name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.connect.configdef import ConfigKey, non_empty
from headrace.connect.data.config import Config, ConfigType
from headrace.connect.predicates.base import PACKAGE, Predicate, PredicatePlugin

if TYPE_CHECKING:
    from pyspark.sql import Column

KEYS = (
    ConfigKey("name", ConfigType.STRING, documentation="The header's name.", validator=non_empty),
)


def build(config: Config) -> Predicate:
    def test() -> Column:
        from pyspark.sql import functions as sf

        named = sf.exists(sf.col("headers"), lambda header: header["key"] == config["name"])
        return sf.coalesce(named, sf.lit(False))

    return test


PLUGIN = PredicatePlugin(f"{PACKAGE}.HasHeaderKey", KEYS, build)
