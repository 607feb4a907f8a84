"""Columns of a database as fields of Connect's records: what to select, the schema, and how the JVM reads the value.

settings = TypeSettings.of(config)
found = fields(dialect, dialect.columns(database, table), settings)
sql = f"SELECT {', '.join(field.select for field in found)} FROM {dialect.qualified(table)}"
schema = struct({field.name: field.schema for field in found}, name=table.name)
cells = jvm.headrace.connect.jdbc.Cells(reading(found, settings))   # cells.read(resultSet) -> InternalRow
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.jdbc.columns import SourceColumn

logger = logging.getLogger("headrace.connect.jdbc")

NUMERIC_MAPPINGS = ("none", "precision_only", "best_fit", "best_fit_eager_double")
GRANULARITIES = (
    "connect_logical",
    "micros_long",
    "micros_string",
    "micros_iso_datetime_string",
    "nanos_long",
    "nanos_string",
    "nanos_iso_datetime_string",
)
CALENDARS = ("LEGACY", "PROLEPTIC_GREGORIAN")
UNSUPPORTED = ("text", "drop")
UNREPRESENTABLE = ("fail", "null")

# Digits that always fit into whole numbers of Connect.
_WIDTHS = ((2, Type.INT8), (4, Type.INT16), (9, Type.INT32), (18, Type.INT64))
_MOST_EXACT_DIGITS = 18

# Digits of Spark's decimals; Connect's have no end.
MOST_DIGITS = 38

_PRECISION = "connect.decimal.precision"


@dataclass(frozen=True, slots=True)
class TypeSettings:
    """The options that decide what becomes of a type."""

    numeric_mapping: str = "none"
    granularity: str = "connect_logical"
    timezone: str = "UTC"
    calendar: str = "LEGACY"
    unsupported: str = "text"
    unrepresentable: str = "fail"

    @classmethod
    def of(cls, config: Mapping[str, str]) -> TypeSettings:
        """Of a valid configuration. The deprecated numeric.precision.mapping counts where the new option is missing."""
        by_precision = config.get("numeric.precision.mapping", "false").strip().lower() == "true"
        return cls(
            config.get("numeric.mapping") or ("precision_only" if by_precision else "none"),
            config.get("timestamp.granularity", "connect_logical"),
            config.get("db.timezone", "UTC"),
            config.get("date.calendar.system", "LEGACY"),
            config.get("headrace.unsupported.types", "text"),
            config.get("headrace.unrepresentable.values", "fail"),
        )


@dataclass(frozen=True, slots=True)
class Field:
    """`select` goes into a SELECT list, and `read` names the way in which the JVM reads what comes of it."""

    name: str
    select: str
    schema: Schema
    read: str


@dataclass(frozen=True, slots=True)
class Reading:
    """What a type becomes: how to read it, the schema, and a template of the expression to select, with {} for the
    column."""

    read: str
    schema: Schema
    select: str = "{}"


class TypedDialect(Protocol):
    """What is asked of a dialect here."""

    def quote(self, name: str) -> str: ...

    def reading(self, column: SourceColumn, settings: TypeSettings) -> Reading | None:
        """None for a type that Connect would leave out."""
        ...

    def text_of(self, column: SourceColumn) -> Reading:
        """A type that is told by its text."""
        ...


def fields(
    dialect: TypedDialect, columns: Sequence[SourceColumn], settings: TypeSettings
) -> list[Field]:
    """The fields of a record in the order of the columns; columns of types that Connect does not know are texts, or left
    out with a warning."""
    found = [(column, dialect.reading(column, settings)) for column in columns]
    left_out = [column for column, reading in found if reading is None]
    if settings.unsupported == "drop":
        for column in left_out:
            logger.warning(
                "column '%s' is left out: Connect has no type for %s", column.name, column.label
            )
        found = [pair for pair in found if pair[1] is not None]
    return [
        _field(dialect, column, reading or dialect.text_of(column)) for column, reading in found
    ]


def _field(dialect: TypedDialect, column: SourceColumn, reading: Reading) -> Field:
    quoted = dialect.quote(column.name)
    select = reading.select.format(quoted)
    named = select if select == quoted else f"{select} AS {quoted}"
    return Field(column.name, named, reading.schema.made_optional(column.nullable), reading.read)


def reading(fields: Sequence[Field], settings: TypeSettings) -> str:
    """What the JVM's Cells are made of."""
    return json.dumps(
        {
            "columns": [
                {"name": field.name, "read": field.read, "optional": field.schema.optional}
                for field in fields
            ],
            "zone": settings.timezone,
            "timestamps": settings.granularity,
            "legacyDates": settings.calendar == "LEGACY",
            "nullsForUnrepresentable": settings.unrepresentable == "null",
        }
    )


PLAIN: Mapping[str, Reading] = {
    type.value: Reading(type.value, Schema(type))
    for type in Type
    if type not in (Type.ARRAY, Type.MAP, Type.STRUCT)
}
DATE = Reading("date", cs.date())
TIME = Reading("time", cs.time())
ZONED_TIME = Reading("timetz", cs.time())


def moment(read: str, settings: TypeSettings) -> Reading:
    """A timestamp: `read` is "timestamp" for one without a zone, "instant" for one with."""
    form = settings.granularity
    if form == "connect_logical":
        schema = cs.timestamp()
    else:
        schema = Schema(Type.INT64 if form.endswith("_long") else Type.STRING)
    return Reading(read, schema)


def numeric(precision: int, scale: int, settings: TypeSettings) -> Reading:
    """A number with a fixed point. Without a precision, or beyond what Spark's decimals hold, it is told as a text."""
    # Digits before the point grow where the scale is negative.
    digits = precision - min(scale, 0)
    if precision == 0 or digits > MOST_DIGITS:
        return _unbounded(settings)
    whole = _whole(digits, scale, settings.numeric_mapping)
    if whole is not None:
        return Reading(f"whole:{whole.value}", Schema(whole))
    if scale > 0 and _inexact(precision, settings.numeric_mapping):
        return PLAIN["double"]
    return Reading(
        f"decimal:{max(scale, 0)}",
        _decimal(digits, max(scale, 0)),
    )


def _unbounded(settings: TypeSettings) -> Reading:
    if settings.numeric_mapping == "best_fit_eager_double":
        return PLAIN["double"]
    return PLAIN["string"]


def _whole(digits: int, scale: int, mapping: str) -> Type | None:
    if scale > 0 or mapping == "none" or (mapping == "precision_only" and scale != 0):
        return None
    return next((type for most, type in _WIDTHS if digits <= most), None)


def _inexact(precision: int, mapping: str) -> bool:
    if mapping == "best_fit":
        return precision <= _MOST_EXACT_DIGITS
    return mapping == "best_fit_eager_double"


def _decimal(precision: int, scale: int) -> Schema:
    base = cs.decimal(scale)
    return replace(base, parameters=(*base.parameters, (_PRECISION, str(precision))))


def array_of(element: Reading) -> Reading:
    values = element.schema.made_optional()
    return Reading(f"array:{element.read}", Schema(Type.ARRAY, values=values), element.select)
