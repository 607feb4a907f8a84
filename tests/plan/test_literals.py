from __future__ import annotations

import datetime as dt
from decimal import Decimal

import pytest

from headrace.errors import SqlSyntaxError, UserError
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Literal
from headrace.plan.literals import number_literal, recast, text_literal
from headrace.sql.dialect import parse_expression, parse_type


def literal(sql: str) -> Literal:
    found = bind(parse_expression(sql), Scope([]))
    assert isinstance(found, Literal)
    return found


@pytest.mark.parametrize(
    ("sql", "kind", "value"),
    [
        ("1", "INT NOT NULL", 1),
        ("-1", "INT NOT NULL", -1),
        ("2147483647", "INT NOT NULL", 2147483647),
        ("2147483648", "BIGINT NOT NULL", 2147483648),
        ("-2147483648", "INT NOT NULL", -2147483648),
        ("9223372036854775808", "DECIMAL(19, 0) NOT NULL", Decimal("9223372036854775808")),
        ("-9223372036854775808", "BIGINT NOT NULL", -9223372036854775808),
        ("1.5", "DECIMAL(2, 1) NOT NULL", Decimal("1.5")),
        ("0.05", "DECIMAL(3, 2) NOT NULL", Decimal("0.05")),
        (".5", "DECIMAL(1, 1) NOT NULL", Decimal("0.5")),
        ("-10.50", "DECIMAL(4, 2) NOT NULL", Decimal("-10.50")),
        ("5.", "INT NOT NULL", 5),
        ("1e3", "DOUBLE NOT NULL", 1000.0),
        ("-2.5E-1", "DOUBLE NOT NULL", -0.25),
        ("0.0E0", "DOUBLE NOT NULL", 0.0),
        ("TRUE", "BOOLEAN NOT NULL", True),
        ("NULL", "NULL", None),
        ("'abc'", "CHAR(3) NOT NULL", "abc"),
        ("'it''s'", "CHAR(4) NOT NULL", "it's"),
        ("'a😀'", "CHAR(3) NOT NULL", "a😀"),
        ("''", "CHAR(0) NOT NULL", ""),
        ("x'0aFF'", "BINARY(2) NOT NULL", b"\x0a\xff"),
        ("DATE '2020-02-29'", "DATE NOT NULL", dt.date(2020, 2, 29)),
        ("DATE '2020-1-2'", "DATE NOT NULL", dt.date(2020, 1, 2)),
        ("TIME '12:30:00'", "TIME(0) NOT NULL", dt.time(12, 30)),
        ("TIME '1:2:3'", "TIME(0) NOT NULL", dt.time(1, 2, 3)),
        ("TIMESTAMP '2020-01-02'", "TIMESTAMP(0) NOT NULL", dt.datetime(2020, 1, 2)),
        (
            "TIMESTAMP '2020-1-2 3:4:5.5'",
            "TIMESTAMP(1) NOT NULL",
            dt.datetime(2020, 1, 2, 3, 4, 5, 500000),
        ),
        (
            "TIMESTAMP '2020-01-02 03:04:05'",
            "TIMESTAMP(0) NOT NULL",
            dt.datetime(2020, 1, 2, 3, 4, 5),
        ),
        (
            "TIMESTAMP '2020-01-02 03:04:05.123'",
            "TIMESTAMP(3) NOT NULL",
            dt.datetime(2020, 1, 2, 3, 4, 5, 123000),
        ),
        (
            "TIMESTAMP '2020-01-02 03:04:05.123456789'",
            "TIMESTAMP(9) NOT NULL",
            dt.datetime(2020, 1, 2, 3, 4, 5, 123456),
        ),
    ],
)
def test_literals_have_flinks_types(sql, kind, value):
    found = literal(sql)
    assert (found.type.sql(), found.value) == (kind, value)


@pytest.mark.parametrize(
    ("sql", "value"),
    [
        ("INTERVAL '5' SECOND", dt.timedelta(seconds=5)),
        ("INTERVAL '0.25' SECOND", dt.timedelta(milliseconds=250)),
        ("INTERVAL '10' MINUTES", dt.timedelta(minutes=10)),
        ("INTERVAL '1' DAY", dt.timedelta(days=1)),
        ("INTERVAL '-2' HOUR", dt.timedelta(hours=-2)),
        ("INTERVAL -'2' HOUR", dt.timedelta(hours=-2)),
        ("INTERVAL '1 02:03:04.5' DAY TO SECOND", dt.timedelta(1, 7384, 500000)),
        ("INTERVAL '1 02' DAY TO HOUR", dt.timedelta(days=1, hours=2)),
        ("INTERVAL '02:03' HOUR TO MINUTE", dt.timedelta(hours=2, minutes=3)),
        ("INTERVAL '03:04' MINUTE TO SECOND", dt.timedelta(minutes=3, seconds=4)),
    ],
)
def test_day_time_intervals(sql, value):
    found = literal(sql)
    assert (found.type.sql(), found.value) == ("INTERVAL DAY TO SECOND NOT NULL", value)


@pytest.mark.parametrize(
    ("sql", "months"),
    [
        ("INTERVAL '3' MONTH", 3),
        ("INTERVAL '2' YEAR", 24),
        ("INTERVAL '1-2' YEAR TO MONTH", 14),
        ("INTERVAL '-1-2' YEAR TO MONTH", -14),
    ],
)
def test_year_month_intervals(sql, months):
    found = literal(sql)
    assert (found.type.sql(), found.value) == ("INTERVAL YEAR TO MONTH NOT NULL", months)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INTERVAL '1-2' DAY", "a whole number of days"),
        ("INTERVAL '12' YEAR TO MONTH", "years-months, such as '1-2'"),
        (
            "INTERVAL '5' DAY TO SECOND",
            "the form of DAY TO SECOND, such as '1 02:03:04' for DAY TO SECOND",
        ),
    ],
)
def test_intervals_that_cannot_be_read(sql, expected):
    with pytest.raises(SqlSyntaxError) as caught:
        literal(sql)
    assert caught.value.expected == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("DATE '2020-02-30'", "yyyy-MM-dd"),
        ("TIME '25:00:00'", "HH:mm:ss[.fraction]"),
        ("TIMESTAMP '2020-13-01 00:00:00'", "yyyy-MM-dd HH:mm:ss[.fraction]"),
    ],
)
def test_time_points_that_cannot_be_read(sql, expected):
    with pytest.raises(SqlSyntaxError) as caught:
        literal(sql)
    assert caught.value.expected == expected
    assert caught.value.where is not None


def test_a_number_of_more_than_38_digits_is_refused():
    with pytest.raises(UserError) as caught:
        literal("1" * 39)
    assert caught.value.found == "39 digits"


@pytest.mark.parametrize(
    ("value", "target", "expected"),
    [
        (number_literal("1"), "BIGINT", 1),
        (number_literal("1"), "DOUBLE", 1.0),
        (number_literal("1.5"), "DOUBLE", 1.5),
        (number_literal("1"), "DECIMAL(10, 2)", Decimal(1)),
        (number_literal("1.5"), "DECIMAL(10, 2)", Decimal("1.5")),
    ],
)
def test_numbers_widen_as_literals(value, target, expected):
    found = recast(value, parse_type(target))
    assert found is not None
    assert (found.value, found.type.sql()) == (expected, target)


@pytest.mark.parametrize(
    ("value", "target"),
    [
        (number_literal("1.55"), "DECIMAL(10, 1)"),
        (number_literal("100.5"), "DECIMAL(3, 1)"),
        (number_literal("1"), "TINYINT"),
        (text_literal("a"), "DATE"),
        (number_literal("1e0"), "FLOAT"),
    ],
)
def test_what_may_change_the_value_stays_a_cast(value, target):
    assert recast(value, parse_type(target)) is None


def test_zero_has_no_sign():
    assert str(number_literal("0.0E0", negative=True).value) == "0.0"
