"""`+` and `-` between dates, times, timestamps and intervals."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.errors import TypeMismatch
from headrace.plan.functions.signatures import any_nullable
from headrace.plan.types import INTERVALS
from headrace.types import TEMPORAL, DataType, Kind


def shifted_type(operator: str, types: Sequence[DataType]) -> DataType:
    """A time point moved by an interval keeps its type; two intervals of one sort give that sort."""
    left, right = types
    nullable = any_nullable(types)
    if left.kind in TEMPORAL and right.kind in INTERVALS:
        return left.as_nullable(nullable)
    if operator == "+" and left.kind in INTERVALS and right.kind in TEMPORAL:
        return right.as_nullable(nullable)
    if left.kind in INTERVALS and left.kind is right.kind:
        return left.as_nullable(nullable)
    raise TypeMismatch(
        f"'{operator}' does not apply to these types",
        found=f"{left.sql()} {operator} {right.sql()}",
        expected="a date, time or timestamp and an INTERVAL",
        cure="for the distance of two time points use TIMESTAMPDIFF(unit, from, to)",
    )


def plus_text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if types[0].kind in INTERVALS and types[1].kind in TEMPORAL:
        return _moved(args[1], types[1], "+", args[0], types[0])
    return _moved(args[0], types[0], "+", args[1], types[1])


def minus_text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    return _moved(args[0], types[0], "-", args[1], types[1])


def _moved(
    point: str, kind: DataType, operator: str, interval: str, interval_kind: DataType
) -> str:
    if kind.kind is Kind.DATE and interval_kind.kind is Kind.INTERVAL_DAY_SECOND:
        # A DATE moves by whole days; Spark would make it a timestamp.
        return f"date_add({point}, {operator}extract(DAY FROM {interval}))"
    if kind.kind is Kind.TIME:
        return time_of_day(f"({on_first_day(point)} {operator} {interval})", kind)
    return f"({point} {operator} {interval})"


def on_first_day(time: str) -> str:
    """A time of day as a timestamp, which passes midnight where Spark's sum of a TIME fails."""
    return f"make_timestamp_ntz(DATE '1970-01-01', {time})"


def time_of_day(point: str, kind: DataType) -> str:
    """The time that a clock shows; Spark gives it six digits, and does not compare it with a TIME of fewer."""
    made = f"make_time(hour({point}), minute({point}), extract(SECOND FROM {point}))"
    return f"CAST({made} AS {kind.spark()})"
