"""What a predicate is: a condition over the columns of a batch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.config import Config

if TYPE_CHECKING:
    from pyspark.sql import Column

PACKAGE = "org.apache.kafka.connect.transforms.predicates"

Predicate = Callable[[], "Column"]


@dataclass(frozen=True, slots=True)
class PredicatePlugin:
    name: str
    keys: tuple[ConfigKey, ...]
    build: Callable[[Config], Predicate]
