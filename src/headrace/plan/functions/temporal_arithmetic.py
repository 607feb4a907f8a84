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
    moved = f"({point} {operator} {interval})"
    # Spark's sum of a TIME has six digits, and is not to be compared with a TIME of fewer.
    return f"CAST({moved} AS {kind.spark()})" if kind.kind is Kind.TIME else moved
