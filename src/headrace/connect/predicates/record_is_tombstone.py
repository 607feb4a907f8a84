"""RecordIsTombstone: records without a value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.connect.data.config import Config
from headrace.connect.predicates.base import PACKAGE, Predicate, PredicatePlugin

if TYPE_CHECKING:
    from pyspark.sql import Column


def build(config: Config) -> Predicate:
    def test() -> Column:
        from pyspark.sql import functions as sf

        return sf.col("value").isNull()

    return test


PLUGIN = PredicatePlugin(f"{PACKAGE}.RecordIsTombstone", (), build)
