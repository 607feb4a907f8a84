"""What a converter is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.config import Config
from headrace.connect.data.records import ERROR, Part
from headrace.connect.data.schema import DATA_EXCEPTION, Schema

if TYPE_CHECKING:
    from pyspark.sql import Column


class Converter(Protocol):
    def tag(self, data: Column) -> Column | None:
        """What tells the schema of bytes, NULL where there are none; None where all have the same."""

    def schema(self, tag: str | None) -> Schema | None:
        """The schema of a tag; raises ConnectFault."""

    def decode(self, schema: Schema | None, tag: str | None, data: Column) -> Column:
        """Outcome: a value of the schema, which is that of the tag."""

    def encode(self, schema: Schema | None, value: Column, typed: Column) -> Column:
        """Outcome: bytes; `typed` is whether a record has the schema, which tells its nulls from tombstones."""


@runtime_checkable
class ReadsHeaders(Protocol):
    """A converter whose writers may tell the schema in a header of the record."""

    def with_id(self, data: Column, headers: Column) -> Column:
        """The bytes with the id of their schema before them, as they are where they have it there."""


@runtime_checkable
class WritesHeaders(Protocol):
    """A converter that tells the schema in headers of the record."""

    def without_id(self, data: Column) -> Column:
        """The bytes alone, of those that have the id of their schema before them."""

    def id_headers(self, data: Column) -> Column:
        """The headers that tell it."""


@dataclass(frozen=True, slots=True)
class ConverterPlugin:
    name: str
    keys: tuple[ConfigKey, ...]
    build: Callable[[Config, Part], Converter]


def outcome(value: Column, error: Column | None = None) -> Column:
    """An outcome of what cannot fail, or fails with one error."""
    from pyspark.sql import functions as sf

    failed = sf.lit(None).cast(ERROR) if error is None else error
    return sf.struct(value.alias("value"), failed.alias("error"))


def failure(when: Column, message: str | Column, kind: str = DATA_EXCEPTION) -> Column:
    """An error where `when` is true."""
    from pyspark.sql import functions as sf

    told = sf.lit(message) if isinstance(message, str) else message
    error = sf.struct(sf.lit(kind).alias("class"), told.alias("message"))
    return sf.when(when, error)
