"""Literals as Connect reads them from text: the smallest type that fits, and its text again."""

from __future__ import annotations

import re
from decimal import Decimal

from headrace.connect.data.schema import Schema, Type, date, string, time, timestamp

_INTEGERS = ((Type.INT8, 8), (Type.INT16, 16), (Type.INT32, 32), (Type.INT64, 64))
_TEMPORAL = (
    (re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), timestamp()),
    (re.compile(r"\d{4}-\d\d-\d\d"), date()),
    (re.compile(r"\d\d:\d\d:\d\d\.\d{3}Z"), time()),
)


def parse_literal(text: str) -> tuple[Schema | None, str | None]:
    """The schema that Connect infers, and the text that it writes for the value; no schema is that of null."""
    if text == "null":
        return None, None
    if text in ("true", "false"):
        return Schema(Type.BOOLEAN), text
    if re.fullmatch(r"[+-]?\d+", text):
        return _integer(int(text))
    if re.fullmatch(r"[+-]?\d+\.\d+(?:[eE][+-]?\d+)?", text):
        return Schema(Type.FLOAT64), str(float(Decimal(text)))
    for pattern, schema in _TEMPORAL:
        if pattern.fullmatch(text):
            return schema, text
    return string(), text


def _integer(value: int) -> tuple[Schema, str]:
    for type, bits in _INTEGERS:
        if -(1 << (bits - 1)) <= value < 1 << (bits - 1):
            return Schema(type), str(value)
    return Schema(Type.FLOAT64), str(float(value))
