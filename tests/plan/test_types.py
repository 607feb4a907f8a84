from __future__ import annotations

import pytest

from headrace.plan.types import (
    as_decimal,
    average_type,
    can_cast,
    can_store,
    common_type,
    comparable_type,
    decimal_digits,
    product_of_decimals,
    quotient_of_decimals,
    remainder_of_decimals,
    rounded_decimal,
    sum_of_decimals,
    sum_type,
)
from headrace.sql.dialect import parse_type


def common(*names: str) -> str | None:
    found = common_type(*(parse_type(name) for name in names))
    return found and found.sql()


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        (["INT", "INT"], "INT"),
        (["TINYINT", "BIGINT", "INT"], "BIGINT"),
        (["INT", "DECIMAL(5, 2)"], "DECIMAL(12, 2)"),
        (["INT", "BIGINT", "DECIMAL(2, 2)"], "DECIMAL(21, 2)"),
        (["DECIMAL(38, 0)", "DECIMAL(10, 5)"], "DECIMAL(38, 0)"),
        (["FLOAT", "INT"], "FLOAT"),
        (["FLOAT", "DECIMAL(5, 2)"], "DOUBLE"),
        (["FLOAT", "DOUBLE"], "DOUBLE"),
        (["CHAR(3)", "CHAR(3)"], "CHAR(3)"),
        (["CHAR(3)", "CHAR(5)"], "VARCHAR(5)"),
        (["VARCHAR(3)", "STRING"], "STRING"),
        (["BINARY(2)", "BINARY(4)"], "VARBINARY(4)"),
        (["BINARY(2)", "BYTES"], "BYTES"),
        (["TIMESTAMP(3)", "TIMESTAMP(6)"], "TIMESTAMP(6)"),
        (["TIMESTAMP(3)", "TIMESTAMP_LTZ(0)"], "TIMESTAMP_LTZ(3)"),
        (["DATE", "TIMESTAMP(3)"], "TIMESTAMP(3)"),
        (["TIME(0)", "TIME(3)"], "TIME(3)"),
        (["NULL", "INT"], "INT"),
        (["INT", "NULL", "BIGINT"], "BIGINT"),
        (["ARRAY<INT>", "ARRAY<BIGINT>"], "ARRAY<BIGINT>"),
        (["MAP<STRING, INT>", "MAP<STRING, DOUBLE>"], "MAP<STRING, DOUBLE>"),
        (["ROW<a INT>", "ROW<b BIGINT>"], "ROW<`a` BIGINT>"),
    ],
)
def test_common_type(types, expected):
    assert common(*types) == expected


@pytest.mark.parametrize(
    "types",
    [
        ["INT", "STRING"],
        ["BOOLEAN", "INT"],
        ["DATE", "TIME(0)"],
        ["ARRAY<INT>", "ARRAY<STRING>"],
        ["ROW<a INT>", "ROW<a INT, b INT>"],
        ["INT", "STRING", "INT"],
        ["ARRAY<INT>", "INT"],
    ],
)
def test_types_without_a_common_one(types):
    assert common(*types) is None


def test_a_common_type_is_nullable_when_a_source_is():
    assert common("INT NOT NULL", "BIGINT NOT NULL") == "BIGINT NOT NULL"
    assert common("INT NOT NULL", "BIGINT") == "BIGINT"


def test_children_keep_their_own_nullability():
    assert common("ARRAY<INT NOT NULL>", "ARRAY<INT NOT NULL> NOT NULL") == "ARRAY<INT NOT NULL>"
    assert common("ARRAY<INT NOT NULL>", "ARRAY<BIGINT>") == "ARRAY<BIGINT>"


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("TIMESTAMP(3)", "CHAR(10)", "TIMESTAMP(3)"),
        ("STRING", "DATE", "DATE"),
        ("INT", "BIGINT", "BIGINT"),
        ("INT NOT NULL", "DECIMAL(3, 1)", "DECIMAL(11, 1)"),
    ],
)
def test_comparable_type(left, right, expected):
    found = comparable_type(parse_type(left), parse_type(right))
    assert found is not None
    assert found.sql() == expected


def test_numbers_and_text_do_not_compare():
    assert comparable_type(parse_type("INT"), parse_type("STRING")) is None


@pytest.mark.parametrize(
    ("source", "target", "stored"),
    [
        ("INT", "BIGINT", True),
        ("BIGINT", "INT", False),
        ("INT NOT NULL", "INT", True),
        ("INT", "INT NOT NULL", False),
        ("DOUBLE", "DECIMAL(10, 2)", True),
        ("DOUBLE", "FLOAT", False),
        ("DECIMAL(10, 2)", "DECIMAL(5, 1)", True),
        ("CHAR(3)", "STRING", True),
        ("STRING", "VARCHAR(3)", True),
        ("STRING", "CHAR(3)", False),
        ("INT", "STRING", False),
        ("STRING", "INT", False),
        ("TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", True),
        ("TIMESTAMP_LTZ(3)", "TIMESTAMP(3)", True),
        ("TIMESTAMP(3)", "DATE", True),
        ("DATE", "TIMESTAMP(3)", False),
        ("NULL", "INT", True),
        ("NULL", "INT NOT NULL", False),
        ("ROW<a INT>", "ROW<b BIGINT>", True),
        ("ROW<a BIGINT>", "ROW<b INT>", False),
        ("ROW<a INT>", "ROW<a INT, b INT>", False),
        ("ARRAY<INT>", "ARRAY<BIGINT>", True),
        ("ARRAY<INT>", "MAP<INT, INT>", False),
    ],
)
def test_can_store(source, target, stored):
    assert can_store(parse_type(source), parse_type(target)) is stored


@pytest.mark.parametrize(
    ("source", "target", "casts"),
    [
        ("STRING", "INT", True),
        ("INT", "STRING", True),
        ("BIGINT", "INT NOT NULL", True),
        ("BOOLEAN", "INT", True),
        ("INT", "BOOLEAN", True),
        ("DOUBLE", "BOOLEAN", True),
        ("BOOLEAN", "DATE", False),
        ("TIMESTAMP(3)", "BIGINT", False),
        ("BIGINT", "TIMESTAMP(3)", False),
        ("DATE", "TIMESTAMP(3)", True),
        ("TIME(0)", "TIMESTAMP(3)", True),
        ("STRING", "BYTES", True),
        ("BYTES", "STRING", True),
        ("INT", "BYTES", False),
        ("BYTES", "BINARY(3)", True),
        ("ARRAY<INT>", "STRING", True),
        ("ARRAY<INTERVAL DAY>", "STRING", True),
        ("INTERVAL MONTH", "VARCHAR(5)", True),
        ("INTERVAL DAY", "BYTES", False),
        ("ARRAY<STRING>", "ARRAY<INT>", True),
        ("ROW<a INT, b STRING>", "ROW<a STRING, b INT>", True),
        ("ROW<a INT>", "INT", False),
        ("NULL", "DATE", True),
        ("STRING", "ARRAY<STRING>", False),
    ],
)
def test_can_cast(source, target, casts):
    assert can_cast(parse_type(source), parse_type(target)) is casts


@pytest.mark.parametrize(
    ("rule", "left", "right", "expected"),
    [
        (sum_of_decimals, "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(13, 4)"),
        (sum_of_decimals, "DECIMAL(38, 8)", "DECIMAL(32, 8)", "DECIMAL(38, 7)"),
        (sum_of_decimals, "INT", "DECIMAL(2, 1)", "DECIMAL(12, 1)"),
        (product_of_decimals, "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(16, 6)"),
        (product_of_decimals, "DECIMAL(38, 10)", "DECIMAL(38, 10)", "DECIMAL(38, 6)"),
        (quotient_of_decimals, "DECIMAL(2, 1)", "INT", "DECIMAL(13, 12)"),
        (quotient_of_decimals, "DECIMAL(38, 10)", "DECIMAL(38, 10)", "DECIMAL(38, 6)"),
        (remainder_of_decimals, "DECIMAL(10, 2)", "DECIMAL(5, 4)", "DECIMAL(5, 4)"),
    ],
)
def test_decimals_of_operators(rule, left, right, expected):
    assert rule(parse_type(left), parse_type(right)).sql() == expected


@pytest.mark.parametrize(
    ("kind", "places", "expected"),
    [
        ("DECIMAL(5, 3)", 3, "DECIMAL(5, 3)"),
        ("DECIMAL(5, 3)", 1, "DECIMAL(4, 1)"),
        ("DECIMAL(5, 3)", 0, "DECIMAL(3, 0)"),
        ("DECIMAL(5, 3)", -1, "DECIMAL(3, 0)"),
        ("DECIMAL(38, 0)", -2, "DECIMAL(38, 0)"),
    ],
)
def test_rounded_decimal(kind, places, expected):
    assert rounded_decimal(parse_type(kind), places).sql() == expected


@pytest.mark.parametrize(
    ("kind", "average", "total"),
    [
        ("INT", "INT", "INT"),
        ("BIGINT NOT NULL", "BIGINT", "BIGINT"),
        ("FLOAT", "FLOAT", "FLOAT"),
        ("DECIMAL(10, 2)", "DECIMAL(38, 6)", "DECIMAL(38, 2)"),
        ("DECIMAL(20, 10)", "DECIMAL(38, 10)", "DECIMAL(38, 10)"),
    ],
)
def test_types_of_averages_and_sums(kind, average, total):
    assert average_type(parse_type(kind)).sql() == average
    assert sum_type(parse_type(kind)).sql() == total


def test_integers_as_decimals():
    assert decimal_digits(parse_type("BIGINT")) == (19, 0)
    assert as_decimal(parse_type("INT NOT NULL")).sql() == "DECIMAL(10, 0) NOT NULL"
    assert as_decimal(parse_type("DECIMAL(4, 2)")).sql() == "DECIMAL(4, 2)"
