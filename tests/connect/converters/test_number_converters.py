"""The converters of numbers and truth values."""

import struct

import pytest

from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.number_converters import NumberConverter
from headrace.connect.data import schema as cs

FORMS = {
    "short": (">h", -2),
    "integer": (">i", 70000),
    "long": (">q", -5),
    "float": (">f", 1.5),
    "double": (">d", -0.1),
    "boolean": (">?", True),
}


@pytest.mark.spark
def test_numbers_both_ways(connect):
    for kind, (form, number) in FORMS.items():
        converter = NumberConverter(kind)
        data = struct.pack(form, number)
        frame = connect.spark.createDataFrame(
            [("t", data, data), ("t", None, b"abc")], "topic string, key binary, value binary"
        )
        (records,) = read_batch(frame, converter, converter)
        assert records.value == converter.schema(None)
        rows = records.frame.collect()
        assert [(row.key, row.value) for row in rows] == [(number, number), (None, None)]
        assert rows[1].error["message"].startswith(f"Failed to deserialize {kind}: \nCaused by: ")
        assert [
            row.value and bytes(row.value)
            for row in write_batch(records, converter, converter).collect()
        ] == [data, None]


@pytest.mark.spark
def test_other_types_are_refused(connect):
    texts = connect.records(["x"], cs.string())
    for kind, message in {
        "integer": "Failed to serialize to integer (was class java.lang.String): ",
        "boolean": "Invalid schema type for BooleanConverter: STRING",
    }.items():
        rows = write_batch(texts, NumberConverter("long"), NumberConverter(kind)).collect()
        told, _, cause = rows[0].error["message"].partition("\nCaused by: ")
        assert (rows[0].value, told) == (None, message)
        assert bool(cause) == (kind == "integer")
        assert cause.startswith("java.lang.ClassCastException: class java.lang.String") or not cause
