"""StringConverter."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.registry import parse_converter
from headrace.connect.converters.string_converter import StringConverter
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type

NAME = {"value.converter": "org.apache.kafka.connect.storage.StringConverter"}


def test_encodings():
    assert parse_converter(NAME, "value.converter") == StringConverter("UTF-8")
    latin = NAME | {"value.converter.converter.encoding": "latin1"}
    assert parse_converter(latin, "value.converter") == StringConverter("ISO-8859-1")
    with pytest.raises(
        InvalidConfig, match=r"Invalid value klingon for configuration converter\.encoding"
    ):
        parse_converter(NAME | {"value.converter.converter.encoding": "klingon"}, "value.converter")


@pytest.mark.spark
class TestRunning:
    def written(self, connect, values, schema, charset="UTF-8"):
        frame = write_batch(
            connect.records(values, schema), StringConverter(), StringConverter(charset)
        )
        return [row.value and bytes(row.value) for row in frame.collect()]

    def test_values_are_written_as_java_writes_them(self, connect):
        row = cs.struct(
            {
                "a": Schema(Type.INT32),
                "b": cs.string(optional=True),
                "l": Schema(Type.ARRAY, values=cs.string()),
            }
        )
        values = [{"a": 1, "b": None, "l": ["x", "y"]}, None]
        assert self.written(connect, values, row) == [b"Struct{a=1,l=[x, y]}", None]
        assert self.written(connect, ["é"], cs.string(), "ISO-8859-1") == [b"\xe9"]
        assert self.written(connect, ['{"a":"b"}', "[1,true]"], None) == [b"{a=b}", b"[1, true]"]

    def test_texts_are_read(self, connect):
        frame = connect.spark.createDataFrame(
            [("t", b"k", "é".encode()), ("t", None, b"\xff")],
            "topic string, key binary, value binary",
        )
        (records,) = read_batch(frame, StringConverter(), StringConverter())
        assert records.value == cs.string(optional=True)
        assert [(row.key, row.value) for row in records.frame.collect()] == [
            ("k", "é"),
            (None, "\ufffd"),
        ]
        (latin,) = read_batch(frame, StringConverter(), StringConverter("ISO-8859-1"))
        assert latin.frame.collect()[1].value == "ÿ"

    def test_what_an_encoding_does_not_have_is_replaced(self, connect):
        assert self.written(connect, ["a€é"], cs.string(), "ISO-8859-1") == [b"a?\xe9"]
        frame = connect.spark.createDataFrame(
            [("t", None, b"a\xff"), ("t", None, b"\xed\xa0\x80")],
            "topic string, key binary, value binary",
        )
        found = {}
        for charset in ("US-ASCII", "UTF-16BE", "UTF-8"):
            (records,) = read_batch(frame, StringConverter(), StringConverter(charset))
            found[charset] = [row.value for row in records.frame.collect()]
        assert found["US-ASCII"] == ["a\ufffd", "\ufffd" * 3]
        assert found["UTF-8"] == ["a\ufffd", "\ufffd"]
        assert found["UTF-16BE"][0] == "\u61ff"

    def test_nulls_have_the_schema_of_texts(self, connect):
        frame = connect.spark.createDataFrame(
            [("t", None, None)], "topic string, key binary, value binary"
        )
        (records,) = read_batch(frame, StringConverter(), StringConverter())
        assert records.always_typed == {"key", "value"}
        assert records.frame.collect()[0].value_typed is True
