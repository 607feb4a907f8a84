"""Columns of the sinks to files that the JVM computes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


def time_path(pattern: str, zone: str, locale: str, duration_ms: int, millis: Column) -> Column:
    """The output partition of a time, by a pattern of Joda."""
    return _call("timePath", pattern, zone, locale, duration_ms, millis)


def segment(delimiter: str, text: Column) -> Column:
    """Text as a part of a path that it cannot leave."""
    return _call("segment", delimiter, text)


def iso_millis(text: Column) -> Column:
    return _call("isoMillis", text)


def packed(frame: DataFrame, name: str) -> Column:
    """A struct of the frame as bytes."""
    from pyspark.sql import functions as sf

    type = frame.select(name)._jdf.schema().apply(0).dataType()
    return _call("packed", type, sf.col(name))


def next_schedule(session: Any, now_ms: int, interval_ms: int, zone: str) -> int:
    """The next multiple of the interval since local midnight, in milliseconds since 1970."""
    return int(session._jvm.headrace.lake.LakeColumns.nextSchedule(now_ms, interval_ms, zone))


def pattern_fault(session: Any, pattern: str) -> str | None:
    """Why Joda does not take a pattern."""
    fault: str | None = session._jvm.headrace.lake.LakeColumns.patternFault(pattern)
    return fault


def _call(method: str, *arguments: Any) -> Column:
    from pyspark.sql import SparkSession
    from pyspark.sql.classic.column import Column as ClassicColumn

    jvm: Any = SparkSession.active()._jvm
    plain = [a._jc if isinstance(a, ClassicColumn) else a for a in arguments]
    return ClassicColumn(getattr(jvm.headrace.lake.LakeColumns, method)(*plain))
