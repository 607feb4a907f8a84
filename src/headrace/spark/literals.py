"""Constant values as Spark SQL text."""

from __future__ import annotations

import datetime as dt
import math

from headrace.plan.expressions import Literal
from headrace.types import DataType, Kind

_SUFFIXES = {Kind.TINYINT: "Y", Kind.SMALLINT: "S", Kind.INT: "", Kind.BIGINT: "L"}
_LEAST = {Kind.TINYINT: -(2**7), Kind.SMALLINT: -(2**15), Kind.INT: -(2**31), Kind.BIGINT: -(2**63)}


def literal_sql(literal: Literal) -> str:
    value, kind = literal.value, literal.type
    if value is None:
        return "NULL" if kind.kind is Kind.NULL else f"CAST(NULL AS {kind.spark()})"
    match value:
        case bool():
            return "TRUE" if value else "FALSE"
        case str():
            return string_sql(value)
        case bytes():
            return f"X'{value.hex().upper()}'"
        case dt.timedelta():
            return _day_time_sql(value)
        case dt.time():
            # Spark gives each TIME literal six digits, and tells times of other digits apart.
            return f"CAST(TIME'{value.isoformat()}' AS {kind.spark()})"
        case dt.date():
            return _date_sql(value)
    if isinstance(value, float):
        return _float_sql(value, kind)
    if isinstance(value, int) and kind.kind is Kind.INTERVAL_YEAR_MONTH:
        return _year_month_sql(value)
    if isinstance(value, int) and kind.kind in _SUFFIXES and value != _LEAST[kind.kind]:
        return f"{value}{_SUFFIXES[kind.kind]}"
    # The least integers do not parse (the sign is an operator), and decimals must keep their declared digits.
    return f"CAST('{value}' AS {kind.spark()})"


def string_sql(value: str) -> str:
    """Spark reads backslashes as escapes, joins neighbouring strings, and replaces `${…}` by variables."""
    escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{")
    return f"'{escaped}'"


def _float_sql(value: float, kind: DataType) -> str:
    if not math.isfinite(value):
        text = "NaN" if math.isnan(value) else ("Infinity" if value > 0 else "-Infinity")
        return f"CAST('{text}' AS {kind.spark()})"
    suffix = "F" if kind.kind is Kind.FLOAT else "D"
    return f"{value!r}{suffix}".upper()


def _date_sql(value: dt.date) -> str:
    if isinstance(value, dt.datetime):
        return f"TIMESTAMP_NTZ'{value.isoformat(sep=' ')}'"
    return f"DATE'{value.isoformat()}'"


def _day_time_sql(value: dt.timedelta) -> str:
    sign, size = ("-", -value) if value < dt.timedelta(0) else ("", value)
    hours, rest = divmod(size.seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    clock = f"{hours:02}:{minutes:02}:{seconds:02}.{size.microseconds:06}"
    return f"INTERVAL '{sign}{size.days} {clock}' DAY TO SECOND"


def _year_month_sql(months: int) -> str:
    sign, size = ("-", -months) if months < 0 else ("", months)
    return f"INTERVAL '{sign}{size // 12}-{size % 12}' YEAR TO MONTH"
