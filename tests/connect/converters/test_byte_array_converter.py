"""ByteArrayConverter."""

import pytest

from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.byte_array_converter import ByteArrayConverter
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type


@pytest.mark.spark
def test_bytes_stay_and_others_are_refused(connect):
    converter = ByteArrayConverter()
    frame = connect.spark.createDataFrame(
        [("t", None, b"\x00x"), ("t", b"k", None)], "topic string, key binary, value binary"
    )
    (records,) = read_batch(frame, converter, converter)
    assert records.value == Schema(Type.BYTES, optional=True)
    rows = write_batch(records, converter, converter).collect()
    assert [(row.key and bytes(row.key), row.value and bytes(row.value)) for row in rows] == [
        (None, b"\x00x"),
        (b"k", None),
    ]
    texts = write_batch(connect.records(["x", None], cs.string()), converter, converter).collect()
    assert [row.error and row.error["message"] for row in texts] == [
        "Invalid schema type for ByteArrayConverter: STRING",
        None,
    ]
    plain = write_batch(connect.records(["5"]), converter, converter).collect()
    message = "ByteArrayConverter is not compatible with objects of type class java.lang.Long"
    assert plain[0].error["message"] == message
