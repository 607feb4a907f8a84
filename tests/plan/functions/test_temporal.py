from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.functions import lookup_scalar
from headrace.plan.functions.temporal import floor_to
from headrace.types import BIGINT, DATE, INT, STRING, time, timestamp, timestamp_ltz

COLUMNS = {
    "d": DATE,
    "ts": timestamp(3),
    "ltz": timestamp_ltz(3),
    "t": time(0),
    "n": BIGINT,
    "i": INT,
    "s": STRING,
}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("CURRENT_DATE", "DATE NOT NULL"),
        ("CURRENT_TIME", "TIME(0) NOT NULL"),
        ("LOCALTIMESTAMP", "TIMESTAMP(3) NOT NULL"),
        ("CURRENT_TIMESTAMP", "TIMESTAMP_LTZ(3) NOT NULL"),
        ("NOW()", "TIMESTAMP_LTZ(3) NOT NULL"),
        ("EXTRACT(HOUR FROM t)", "BIGINT"),
        ("YEAR(d)", "BIGINT"),
        ("FLOOR(ts TO DAY)", "TIMESTAMP(3)"),
        ("CEIL(d TO MONTH)", "DATE"),
        ("TIMESTAMPADD(DAY, 1, d)", "DATE"),
        ("TIMESTAMPADD(HOUR, 1, d)", "TIMESTAMP(6)"),
        ("TIMESTAMPADD(MILLISECOND, 1, CAST(ts AS TIMESTAMP(0)))", "TIMESTAMP(3)"),
        ("TIMESTAMPADD(HOUR, i, ts)", "TIMESTAMP(3)"),
        ("TIMESTAMPDIFF(DAY, d, ts)", "INT"),
        ("(d - d) DAY", "INTERVAL DAY TO SECOND"),
        ("(ts - d) MONTH", "INTERVAL YEAR TO MONTH"),
        ("DATE_FORMAT(ts, 'yyyy')", "STRING"),
        ("UNIX_TIMESTAMP()", "BIGINT NOT NULL"),
        ("UNIX_TIMESTAMP(s)", "BIGINT"),
        ("TO_DATE('2020-01-01')", "DATE"),
        ("TO_TIMESTAMP(s, 'yyyy')", "TIMESTAMP(3)"),
        ("TO_TIMESTAMP_LTZ(n, 3)", "TIMESTAMP_LTZ(3)"),
        ("TO_TIMESTAMP_LTZ(n, 6)", "TIMESTAMP_LTZ(6)"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("YEAR(ts)", "CAST(year(`ts`) AS BIGINT)"),
        ("EXTRACT(DOY FROM d)", "CAST(dayofyear(`d`) AS BIGINT)"),
        ("FLOOR(ltz TO HOUR)", "date_trunc('HOUR', `ltz`)"),
        ("FLOOR(ts TO DAY)", "CAST(CAST(`ts` AS DATE) AS TIMESTAMP_NTZ)"),
        ("FLOOR(t TO MINUTE)", "time_trunc('MINUTE', `t`)"),
        ("(ts - d) HOUR", "(`ts` - CAST(`d` AS timestamp_ntz))"),
        ("(ltz - ts) DAY TO SECOND", "(`ltz` - CAST(`ts` AS timestamp))"),
        ("TIMESTAMPADD(MONTH, 2, d)", "add_months(`d`, 2 * 1)"),
        ("TIMESTAMPADD(HOUR, 2, d)", "timestampadd(HOUR, 2, CAST(`d` AS timestamp_ntz))"),
        (
            "TIMESTAMPDIFF(MINUTE, ts, ts)",
            "CAST(CAST(CAST((`ts` - `ts`) AS INTERVAL SECOND) AS BIGINT) div 60 AS INT)",
        ),
        (
            "TIMESTAMPDIFF(DAY, d, ltz)",
            "CAST(CAST(CAST((`ltz` - CAST(`d` AS timestamp)) AS INTERVAL SECOND) AS BIGINT) div 86400 AS INT)",
        ),
        ("TO_TIMESTAMP_LTZ(n, 3)", "timestamp_millis(`n`)"),
        ("TO_TIMESTAMP_LTZ(i, 3)", "timestamp_millis(CAST(`i` AS bigint))"),
        ("TO_TIMESTAMP_LTZ(n, 0)", "timestamp_seconds(`n`)"),
        (
            "FROM_UNIXTIME(i)",
            "flink_from_unixtime(CAST(`i` AS bigint), 'yyyy-MM-dd HH:mm:ss', current_timezone())",
        ),
        ("TO_TIMESTAMP(s)", "flink_to_timestamp(`s`)"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    ("sql", "summary"),
    [
        ("EXTRACT(NANOSECOND FROM d)", "EXTRACT does not know this unit"),
        ("EXTRACT(MICROSECOND FROM d)", "EXTRACT does not know this unit"),
        ("EXTRACT(YEAR FROM t)", "EXTRACT does not know this unit"),
        ("EXTRACT(YEAR FROM INTERVAL '1' DAY)", "EXTRACT does not know this unit"),
        ("EXTRACT(DAY FROM INTERVAL '1' MONTH)", "EXTRACT does not know this unit"),
        ("FLOOR(t TO DECADE)", "FLOOR does not know this unit"),
        ("FLOOR(d)", "FLOOR of a time point needs a unit"),
        ("FLOOR(i TO DAY)", "FLOOR of a number takes no unit"),
        ("TO_TIMESTAMP_LTZ(n, 5)", "TO_TIMESTAMP_LTZ does not know this unit"),
        ("YEAR(t)", "argument 1 of YEAR has a type that YEAR does not take"),
        ("HOUR(d)", "argument 1 of HOUR has a type that HOUR does not take"),
    ],
)
def test_wrong_units_and_types(bound, sql, summary):
    with pytest.raises(TypeMismatch) as caught:
        bound(sql, **COLUMNS)
    assert caught.value.summary == summary


def test_weeks_begin_on_sunday():
    assert (
        floor_to("x", DATE, "WEEK") == "date_sub(CAST(x AS DATE), dayofweek(CAST(x AS DATE)) - 1)"
    )


def test_a_timestamp_without_zone_is_rounded_without_one():
    assert "date_trunc" not in floor_to("x", timestamp(3), "HOUR")


@pytest.mark.parametrize("name", ["PROCTIME", "NOW", "UNIX_TIMESTAMP", "CURRENT_DATE"])
def test_the_clock_is_not_deterministic(name):
    assert not lookup_scalar(name).deterministic


# Each row: a Flink expression over the column ts and its result in a zone whose clock jumps from 02:00 to 03:00.
SPRING = "2024-03-31 02:30:15.5"
IN_THE_GAP = [
    ("FLOOR(ts TO HOUR)", "2024-03-31 02:00:00.000"),
    ("FLOOR(ts TO MINUTE)", "2024-03-31 02:30:00.000"),
    ("FLOOR(ts TO DAY)", "2024-03-31 00:00:00.000"),
    ("CEIL(ts TO HOUR)", "2024-03-31 03:00:00.000"),
    ("CAST(ts AS TIMESTAMP(0))", "2024-03-31 02:30:15"),
    ("TIMESTAMPADD(HOUR, 1, ts)", "2024-03-31 03:30:15.500"),
    ("ts - INTERVAL '30' MINUTE", "2024-03-31 02:00:15.500"),
    ("TIMESTAMPDIFF(HOUR, TIMESTAMP '2024-03-31 00:30:00', ts)", "2"),
    ("HOUR(ts)", "2"),
]


@pytest.mark.spark
def test_timestamps_without_zone_ignore_the_sessions(bound, spark):
    from headrace.plan.calls import cast
    from headrace.spark.expressions import spark_sql

    texts = [spark_sql(cast(bound(sql, ts=timestamp(3)), STRING)) for sql, _ in IN_THE_GAP]
    previous = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    try:
        frame = spark.sql(f"SELECT TIMESTAMP_NTZ'{SPRING}' AS ts").selectExpr(*texts)
        assert list(frame.collect()[0]) == [expected for _, expected in IN_THE_GAP]
    finally:
        spark.conf.set("spark.sql.session.timeZone", previous)


@pytest.mark.parametrize(
    "sql",
    [
        "(d, d) OVERLAPS (d, INTERVAL '1' DAY)",
        "(ts, ts) OVERLAPS (ts, NULL)",
        "(t, INTERVAL '1' HOUR) OVERLAPS (t, t)",
    ],
)
def test_periods_of_one_type_compare(type_of, sql):
    assert type_of(sql, **COLUMNS) == "BOOLEAN"


def test_an_end_that_is_a_length_is_added_to_the_start(text_of):
    text = text_of("(ts, INTERVAL '1' DAY) OVERLAPS (ts, ts)", **COLUMNS)
    day_later = "(`ts` + INTERVAL '1 00:00:00.000000' DAY TO SECOND)"
    assert f"if(`ts` <= {day_later}, {day_later}, `ts`) >= if(`ts` <= `ts`, `ts`, `ts`)" in text


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("(i, d) OVERLAPS (d, d)", "INT"),
        ("(d, i) OVERLAPS (d, d)", "INT"),
        ("(d, d) OVERLAPS (INTERVAL '1' DAY, d)", "INTERVAL DAY"),
        ("(d, d) OVERLAPS (t, t)", "DATE, DATE, TIME"),
    ],
)
def test_periods_that_do_not_compare(bound, sql, found):
    with pytest.raises(TypeMismatch) as caught:
        bound(sql, **COLUMNS)
    assert str(caught.value.found).startswith(found)
