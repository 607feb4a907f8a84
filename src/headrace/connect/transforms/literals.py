"""Literals as Connect reads them from text: the smallest type that fits."""

from __future__ import annotations

import re
from datetime import date as date_of
from datetime import timedelta
from decimal import Decimal

from headrace.connect.data.schema import TIME, Schema, Type, date, decimal, string, time, timestamp

_INTEGERS = ((Type.INT8, 8), (Type.INT16, 16), (Type.INT32, 32), (Type.INT64, 64))
_LARGEST = 2.0**128

# Nobody means more digits, and to write them all out would take what memory there is.
_LARGEST_EXPONENT = 10_000

# What a decimal of Spark's can hold.
_DECIMAL_DIGITS = 38
_NUMBER = re.compile(r"[+-]?\d+(\.\d*)?([eE][+-]?\d+)?|[+-]\.\d+([eE][+-]?\d+)?")
_TEMPORAL = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), timestamp()),
    (re.compile(r"\d{4}-\d\d-\d\d"), date()),
    (re.compile(r"\d\d:\d\d:\d\d\.\d{3}Z"), time()),
)


def parse_literal(text: str) -> tuple[Schema | None, str | None]:
    """The schema that Connect infers (none for null), and a text that Spark casts to the value."""
    if text == "null":
        return None, None
    if text in ("true", "false"):
        return Schema(Type.BOOLEAN), text
    for pattern, schema in _TEMPORAL:
        if pattern.fullmatch(text):
            return schema, str(_millis(text)) if schema.name == TIME else _in_calendar(text)
    return _number(Decimal(text)) if _NUMBER.fullmatch(text) else (string(), text)


def _in_calendar(text: str) -> str:
    """A date whose month or day is none goes on counting, as Java's calendars do."""
    year, month, day = map(int, text[:10].split("-"))
    months = year * 12 + month - 1
    first = date_of(months // 12, months % 12 + 1, 1)
    return (first + timedelta(days=day - 1)).isoformat() + text[10:]


def _millis(text: str) -> int:
    """Since midnight, of a time in UTC."""
    hours, minutes, seconds = text.removesuffix("Z").split(":")
    return round((int(hours) * 60 + int(minutes)) * 60_000 + float(seconds) * 1000)


def _number(value: Decimal) -> tuple[Schema, str]:
    """A whole number of the least width, else a float, else a decimal."""
    if abs(value.adjusted()) > _LARGEST_EXPONENT:
        return string(), str(value)
    if value == value.to_integral_value():
        whole = int(value)
        for type, bits in _INTEGERS:
            if -(1 << (bits - 1)) <= whole < 1 << (bits - 1):
                return Schema(type), str(whole)
    exponent = int(value.as_tuple().exponent)
    if exponent != 0 and abs(value) < _LARGEST:
        return Schema(Type.FLOAT32), str(value)
    if exponent != 0 and abs(value) < Decimal("1.8e308"):
        return Schema(Type.FLOAT64), str(value)
    if max(len(value.as_tuple().digits), abs(exponent)) > _DECIMAL_DIGITS:
        return string(), str(value)
    return decimal(-exponent), str(value)
