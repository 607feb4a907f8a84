"""What the JVM is asked for."""

from __future__ import annotations

from datetime import datetime

import pytest

from headrace.connect.lake.columns import (
    iso_millis,
    next_schedule,
    packed,
    pattern_fault,
    segment,
    time_path,
)

pytestmark = pytest.mark.spark

MINUTE = 60_000


def test_columns(spark):
    from pyspark.sql import functions as sf

    frame = spark.createDataFrame(
        [("a|b/c", 0, "1970-01-01T00:00:01Z")], "s string, ms long, at string"
    )
    row = frame.select(
        segment("|", sf.col("s")).alias("segment"),
        segment("|", sf.lit(None).cast("string")).alias("none"),
        time_path("'d'=dd", "UTC", "en", MINUTE, sf.col("ms")).alias("path"),
        iso_millis(sf.col("at")).alias("iso"),
        iso_millis(sf.col("s")).alias("bad"),
    ).first()
    assert (row.segment, row.none, row.path) == ("a%7Cb%2Fc", None, "d=01")
    assert (row.iso, row.bad) == (1000, None)


def test_structs_are_packed_as_spark_lays_them_out(spark):
    from pyspark.sql import functions as sf

    frame = spark.createDataFrame([(1,), (2,)], "n long").select(sf.struct("n").alias("s"))
    first, second = (bytes(row[0]) for row in frame.select(packed(frame, "s")).collect())
    # The bits of nulls, then a word.
    assert (len(first), first[8], second[8]) == (16, 1, 2)


def test_schedules_begin_at_midnight(spark):
    day = 86_400_000
    assert next_schedule(spark, 3 * day + 1, MINUTE, "UTC") == 3 * day + MINUTE
    assert next_schedule(spark, 3 * day, MINUTE, "UTC") == 3 * day + MINUTE
    # Seven hours do not divide a day: the fourth begins at 21:00, the next at midnight's first.
    seven = 7 * 3_600_000
    assert next_schedule(spark, 3 * day + seven, seven, "UTC") == 3 * day + 2 * seven
    assert next_schedule(spark, 3 * day + 3 * seven, seven, "UTC") == 4 * day
    assert next_schedule(spark, 3 * day + 1, 2 * day, "UTC") == 5 * day
    half = 1_800_000
    kolkata = next_schedule(spark, 3 * day, 3_600_000, "Asia/Kolkata")
    assert kolkata == 3 * day + half


@pytest.mark.parametrize(
    ("now", "hours", "next"),
    [
        # A day of 23 hours and one of 25.
        ("2026-03-08T15:00:00Z", 24, "2026-03-09T04:00:00Z"),
        ("2026-11-02T04:30:00Z", 24, "2026-11-02T05:00:00Z"),
        ("2026-03-08T15:00:00Z", 12, "2026-03-08T17:00:00Z"),
    ],
)
def test_schedules_where_clocks_change(spark, now, hours, next):
    millis = [int(datetime.fromisoformat(text).timestamp() * 1000) for text in (now, next)]
    assert next_schedule(spark, millis[0], hours * 3_600_000, "America/New_York") == millis[1]


def test_patterns_are_those_of_joda(spark):
    assert pattern_fault(spark, "'year'=YYYY/'month'=MM") is None
    assert "Illegal pattern" in (pattern_fault(spark, "bogus-J") or "")
