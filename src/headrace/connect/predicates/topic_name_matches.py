"""TopicNameMatches: records of topics whose whole name matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headrace.connect.data.config import Config, ConfigKey, ConfigType, non_empty_string, regex
from headrace.connect.predicates.base import PACKAGE, Predicate, PredicatePlugin

if TYPE_CHECKING:
    from pyspark.sql import Column


def _check(name: str, value: Any) -> None:
    non_empty_string(name, value)
    regex(name, value)


KEYS = (
    ConfigKey("pattern", ConfigType.STRING, "Java's regular expression for topics.", check=_check),
)


def build(config: Config) -> Predicate:
    def test() -> Column:
        from pyspark.sql import functions as sf

        matches = sf.col("topic").rlike(rf"\A(?:{config['pattern']})\z")
        return sf.coalesce(matches, sf.lit(False))

    return test


PLUGIN = PredicatePlugin(f"{PACKAGE}.TopicNameMatches", KEYS, build)
