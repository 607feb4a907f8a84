"""Literals as Connect types them."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.literals import parse_literal


@pytest.mark.parametrize(
    ("text", "schema", "written"),
    [
        ("null", None, None),
        ("true", Schema(Type.BOOLEAN), "true"),
        ("127", Schema(Type.INT8), "127"),
        ("-0128", Schema(Type.INT8), "-128"),
        ("128", Schema(Type.INT16), "128"),
        ("40000", Schema(Type.INT32), "40000"),
        ("3000000000", Schema(Type.INT64), "3000000000"),
        ("1.0", Schema(Type.INT8), "1"),
        ("2e2", Schema(Type.INT16), "200"),
        ("1.50", Schema(Type.FLOAT32), "1.50"),
        ("-1.5e39", Schema(Type.FLOAT64), "-1.5E+39"),
        ('"a \\"b\\""', cs.string(), '"a \\"b\\""'),
        ("2023-13-45", cs.date(), "2024-02-14"),
        ("1e400", cs.string(), "1E+400"),
        ("1e999999999", cs.string(), "1E+999999999"),
        ("1.2.3", cs.string(), "1.2.3"),
        ("2024-01-02", cs.date(), "2024-01-02"),
        ("03:04:05.678Z", cs.time(), "11045678"),
        ("2024-01-02T03:04:05.678Z", cs.timestamp(), "2024-01-02T03:04:05.678Z"),
        ("plain text", cs.string(), "plain text"),
        ("", cs.string(), ""),
    ],
)
def test_the_smallest_type_that_fits(text, schema, written):
    assert parse_literal(text) == (schema, written)


def test_numbers_beyond_a_long_are_decimals():
    assert parse_literal("9" * 20) == (cs.decimal(0), "9" * 20)


def test_numbers_beyond_spark_s_decimals_stay_texts():
    assert parse_literal("9" * 39) == (cs.string(), "9" * 39)
