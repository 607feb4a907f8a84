import struct
from datetime import UTC, date, datetime, time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.plan.nodes import Field
from headrace.runtime.jobs import Job
from headrace.runtime.results import ChangeStream, TableResult
from headrace.runtime.tableau import display_width, format_value, pad, print_result, table_lines
from headrace.types import (
    BIGINT,
    DOUBLE,
    FLOAT,
    STRING,
    array,
    map_of,
    row,
    timestamp,
    timestamp_ltz,
)

MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678901)


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (None, None, "<NULL>"),
        (True, None, "TRUE"),
        (12, BIGINT, "12"),
        (Decimal("1E+3"), None, "1000"),
        (Decimal("0.10"), None, "0.10"),
        ("text", STRING, "text"),
        (b"\x00\xff", None, "x'00ff'"),
        (bytearray(b"a"), None, "x'61'"),
        (date(2026, 1, 2), None, "2026-01-02"),
        (time(3, 4, 5), None, "03:04:05"),
        (MOMENT, None, "2026-01-02 03:04:05.678901"),
        (MOMENT, timestamp(3), "2026-01-02 03:04:05.678"),
        (MOMENT, timestamp(0), "2026-01-02 03:04:05"),
        (MOMENT, timestamp(9), "2026-01-02 03:04:05.678901"),
        (MOMENT.replace(tzinfo=UTC), timestamp_ltz(3), "2026-01-02 03:04:05.678"),
        (datetime(33, 1, 2), timestamp(0), "0033-01-02 00:00:00"),
        ([1, None], array(BIGINT), "[1, NULL]"),
        ({"a": None}, map_of(STRING, BIGINT), "{a=NULL}"),
        ((1, "x", None), row(a=BIGINT, b=STRING, c=STRING), "(1, x, NULL)"),
        ([MOMENT], array(timestamp(3)), "[2026-01-02 03:04:05.678]"),
        ([[True]], None, "[[TRUE]]"),
    ],
)
def test_values_read_as_flink_prints_them(value, kind, text):
    assert format_value(value, kind) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.5, "1.5"),
        (0.001, "0.001"),
        (0.0001, "1.0E-4"),
        (9999999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-123456789.0, "-1.23456789E8"),
        (1e100, "1.0E100"),
        (2.5e-300, "2.5E-300"),
        (float("nan"), "NaN"),
        (float("inf"), "Infinity"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_doubles_are_javas(value, text):
    assert format_value(value, DOUBLE) == text


def single(value: float) -> float:
    return struct.unpack("f", struct.pack("f", value))[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1, "0.1"), (16777216.0, "1.6777216E7"), (3.4028235e38, "3.4028235E38"), (1.5, "1.5")],
)
def test_floats_have_no_digits_of_a_double(value, text):
    assert format_value(single(value), FLOAT) == text
    assert format_value([single(value)], array(FLOAT)) == f"[{text}]"


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_a_float_reads_back(value):
    assert single(float(format_value(value, FLOAT))) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_reads_back(value):
    assert float(format_value(value, DOUBLE)) == value


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("", 0), ("日本", 4), ("é", 1)])
def test_display_width(text, width):
    assert display_width(text) == width


@pytest.mark.parametrize(
    ("text", "width", "right", "padded"),
    [
        ("ab", 4, False, "ab  "),
        ("ab", 4, True, "  ab"),
        ("abcdef", 5, False, "ab..."),
        ("日本", 5, False, "日本 "),
        ("日本語日本語", 8, False, "日本... "),
    ],
)
def test_pad_fills_or_cuts_to_the_width(text, width, right, padded):
    assert pad(text, width, right=right) == padded
    assert display_width(padded) == width


def test_a_table_is_as_wide_as_what_it_holds():
    assert table_lines(["id", "name"], [["1", "a"], ["22", "long"]], [True, False]) == [
        "+----+------+",
        "| id | name |",
        "+----+------+",
        "|  1 | a    |",
        "| 22 | long |",
        "+----+------+",
    ]


def printed(result: TableResult) -> list[str]:
    lines: list[str] = []
    print_result(result, lines.append)
    return lines


def test_a_message_alone():
    assert printed(TableResult(message="OK")) == ["OK"]


def test_rows_of_show():
    assert printed(TableResult(columns=("table name",), rows=[("orders",)])) == [
        "+------------+",
        "| table name |",
        "+------------+",
        "| orders     |",
        "+------------+",
        "1 row in set",
    ]


def test_nothing_to_show():
    assert printed(TableResult(columns=("table name",))) == ["Empty set"]


def selected(query, *, bounded: bool) -> TableResult:
    schema = (Field("id", BIGINT), Field("name", STRING))
    changes = ChangeStream(("id", "name"), (0,))
    changes.add_batch([(1, "a", 1), (2, None, 1)], live=not bounded)
    job = Job("select", bounded=bounded, query=query(active=False))
    return TableResult(schema=schema, jobs=[job], changes=changes)


def test_a_bounded_query_is_a_table_with_kinds(query):
    assert printed(selected(query, bounded=True)) == [
        "+----+----+--------+",
        "| op | id |   name |",
        "+----+----+--------+",
        "| +I |  1 | a      |",
        "| +I |  2 | <NULL> |",
        "+----+----+--------+",
        "2 rows in set",
    ]


def test_an_unbounded_query_has_widths_from_its_types(query):
    lines = printed(selected(query, bounded=False))
    assert lines[1] == f"| op | {'id':>20} | {'name':>30} |"
    assert lines[3] == f"| +I | {1:>20} | {'a':<30} |"
    assert {len(line) for line in lines} == {len(lines[0])}


def test_an_insert_prints_nothing_and_waits(query):
    job = Job("insert", bounded=True, query=query(lasts=1))
    assert printed(TableResult(jobs=[job])) == []
    assert job.state == "FINISHED"
