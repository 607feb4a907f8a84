from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from headrace.plan.expressions import Literal
from headrace.spark.literals import literal_sql, string_sql
from headrace.sql.dialect import parse_type

CASES = [
    (None, "NULL", "NULL"),
    (None, "INT", "CAST(NULL AS int)"),
    (True, "BOOLEAN", "TRUE"),
    (False, "BOOLEAN", "FALSE"),
    (5, "TINYINT", "5Y"),
    (5, "SMALLINT", "5S"),
    (-5, "INT", "-5"),
    (5, "BIGINT", "5L"),
    (-(2**31), "INT", "CAST('-2147483648' AS int)"),
    (-(2**63), "BIGINT", "CAST('-9223372036854775808' AS bigint)"),
    (Decimal("1.50"), "DECIMAL(5, 2)", "CAST('1.50' AS decimal(5,2))"),
    (1.5, "DOUBLE", "1.5D"),
    (1e300, "DOUBLE", "1E+300D"),
    (1.5, "FLOAT", "1.5F"),
    (float("inf"), "DOUBLE", "CAST('Infinity' AS double)"),
    (float("-inf"), "DOUBLE", "CAST('-Infinity' AS double)"),
    (float("nan"), "DOUBLE", "CAST('NaN' AS double)"),
    ("abc", "CHAR(3)", "'abc'"),
    (b"\x0a\xff", "BYTES", "X'0AFF'"),
    (dt.date(2020, 1, 2), "DATE", "DATE'2020-01-02'"),
    (dt.time(1, 2, 3), "TIME(0)", "CAST(TIME'01:02:03' AS time(0))"),
    (dt.datetime(2020, 1, 2, 3, 4, 5), "TIMESTAMP(0)", "TIMESTAMP_NTZ'2020-01-02 03:04:05'"),
    (
        dt.timedelta(seconds=5),
        "INTERVAL DAY TO SECOND",
        "INTERVAL '0 00:00:05.000000' DAY TO SECOND",
    ),
    (
        dt.timedelta(days=-1, hours=-2),
        "INTERVAL DAY TO SECOND",
        "INTERVAL '-1 02:00:00.000000' DAY TO SECOND",
    ),
    (14, "INTERVAL YEAR TO MONTH", "INTERVAL '1-2' YEAR TO MONTH"),
    (-14, "INTERVAL YEAR TO MONTH", "INTERVAL '-1-2' YEAR TO MONTH"),
]


@pytest.mark.parametrize(("value", "kind", "expected"), CASES)
def test_literals(value, kind, expected):
    assert literal_sql(Literal(parse_type(kind), value)) == expected


TRICKY = ["it's", "a\\b", "\\n", "${x}", "line\nbreak", "50%", "ä€😀", "{0}", '"', "--", "\\'", ""]


@pytest.mark.parametrize(
    ("value", "expected"),
    [("it's", "'it\\'s'"), ("a\\b", "'a\\\\b'"), ("${x}", "'\\u0024{x}'"), ("", "''")],
)
def test_strings_are_escaped(value, expected):
    assert string_sql(value) == expected


@pytest.mark.spark
def test_spark_reads_every_string_back(spark):
    row = spark.sql(f"SELECT {', '.join(string_sql(text) for text in TRICKY)}").collect()[0]
    assert list(row) == TRICKY


@pytest.mark.spark
def test_spark_reads_every_literal_with_its_type(spark):
    checked = [(value, kind) for value, kind, _ in CASES if kind != "NULL"]
    texts = [literal_sql(Literal(parse_type(kind), value)) for value, kind in checked]
    frame = spark.sql("SELECT " + ", ".join(f"{text} AS c{i}" for i, text in enumerate(texts)))
    assert [field.dataType.simpleString() for field in frame.schema] == [
        parse_type(kind).spark() for _, kind in checked
    ]
