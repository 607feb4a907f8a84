"""TopicNameMatches: records of topics whose whole name matches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headrace.connect.configdef import ConfigKey, non_empty
from headrace.connect.data.config import Config, ConfigType, regex
from headrace.connect.predicates.base import PACKAGE, Predicate, PredicatePlugin

if TYPE_CHECKING:
    from pyspark.sql import Column


def _check(value: Any) -> str | None:
    return non_empty(value) or regex(value)


KEYS = (
    ConfigKey(
        "pattern",
        ConfigType.STRING,
        documentation="Java's regular expression for topics.",
        validator=_check,
    ),
)


def build(config: Config) -> Predicate:
    def test() -> Column:
        from pyspark.sql import functions as sf

        matches = sf.col("topic").rlike(rf"\A(?:{config['pattern']})\z")
        return sf.coalesce(matches, sf.lit(False))

    return test


PLUGIN = PredicatePlugin(f"{PACKAGE}.TopicNameMatches", KEYS, build)
