"""`header.converter`, for headers that transforms add and for those that are read."""

from __future__ import annotations

import json

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.byte_array_converter import ByteArrayConverter
from headrace.connect.converters.headers import SIMPLE, HeaderConverter, parse_header_converter
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.converters.number_converters import NumberConverter
from headrace.connect.converters.string_converter import StringConverter
from headrace.connect.data import schema as cs
from headrace.connect.transforms.chain import parse_chain
from headrace.testing.connect import KAFKA

JSON = "org.apache.kafka.connect.json.JsonConverter"
ADDED = {
    "transforms": "number, moment, from",
    "transforms.number.type": f"{KAFKA}InsertHeader",
    "transforms.number.header": "number",
    "transforms.number.value.literal": "7",
    "transforms.moment.type": f"{KAFKA}InsertHeader",
    "transforms.moment.header": "at",
    "transforms.moment.value.literal": "03:04:05.678Z",
    "transforms.from.type": f"{KAFKA}HeaderFrom$Value",
    "transforms.from.fields": "a",
    "transforms.from.headers": "a",
    "transforms.from.operation": "copy",
}


class TestChosen:
    def test_texts_unless_told_otherwise(self):
        assert parse_header_converter({}).converter is None
        assert parse_header_converter({"header.converter": f" {SIMPLE} "}).converter is None

    def test_with_its_own_options(self):
        config = {"header.converter": JSON, "header.converter.schemas.enable": "false"}
        assert parse_header_converter(config).converter == JsonConverter(schemas=False)

    def test_converters_of_registries_convert_no_headers(self):
        avro = "io.confluent.connect.avro.AvroConverter"
        with pytest.raises(
            InvalidConfig, match=f"for configuration header.converter: Class {avro}"
        ):
            parse_header_converter({"header.converter": avro})


@pytest.mark.spark
class TestWriting:
    def written(self, connect, converter, value: str = "x"):
        row = cs.struct({"a": cs.string()})
        records = HeaderConverter(converter).writing(connect.records([{"a": value}], row))
        (batch,) = parse_chain(ADDED).apply(records)
        (found,) = batch.frame.select("headers", "error", "stage").collect()
        return {h["key"]: bytes(h["value"]) for h in found["headers"] if h["value"]}, found

    def test_texts(self, connect):
        headers, _ = self.written(connect, None, "5")
        assert headers == {"number": b"7", "at": b"03:04:05.678Z", "a": b"5"}

    def test_json_keeps_types(self, connect):
        headers, _ = self.written(connect, JsonConverter(), "5")
        assert json.loads(headers["number"]) == {
            "schema": {"type": "int8", "optional": False},
            "payload": 7,
        }
        assert json.loads(headers["at"])["payload"] == ((3 * 60 + 4) * 60 + 5) * 1000 + 678
        # A text stays one, whatever it looks like.
        assert json.loads(headers["a"])["payload"] == "5"

    def test_what_a_converter_refuses_is_an_error_of_its_stage(self, connect):
        _, found = self.written(connect, ByteArrayConverter())
        assert "Invalid schema type for ByteArrayConverter: INT8" in found["error"]["message"]
        assert found["stage"] == "HEADER_CONVERTER"


@pytest.mark.spark
class TestReading:
    def read(self, connect, converter, *values: bytes | None):
        given = [[(f"h{place}", value) for place, value in enumerate(values)]]
        records = HeaderConverter(converter).read(connect.records(["1"], headers=given))
        (found,) = records.frame.collect()
        return [h["value"] and bytes(h["value"]) for h in found["headers"]], found

    def test_texts_stay(self, connect):
        assert self.read(connect, None, b"x", None)[0] == [b"x", None]

    def test_json_with_schemas(self, connect):
        moment = {"type": "int64", "name": "org.apache.kafka.connect.data.Timestamp", "version": 1}
        headers = [
            {"schema": {"type": "string"}, "payload": "x"},
            {"schema": moment, "payload": 1487151930000},
            {"schema": None, "payload": [1, "a"]},
        ]
        texts, found = self.read(
            connect, JsonConverter(), *(json.dumps(h).encode() for h in headers)
        )
        assert texts == [b"x", b"2017-02-15T09:45:30.000Z", b'[1,"a"]']
        assert found["error"] is None

    def test_json_without(self, connect):
        assert self.read(connect, JsonConverter(schemas=False), b'"x"', b"1.5", None)[0] == [
            b"x",
            b"1.5",
            None,
        ]

    def test_bytes_numbers_and_encodings(self, connect):
        assert self.read(connect, ByteArrayConverter(), b"\x00\xff")[0] == [b"AP8="]
        assert self.read(connect, NumberConverter("integer"), b"\x00\x00\x01\x00")[0] == [b"256"]
        assert self.read(connect, StringConverter("ISO-8859-1"), b"\xe4")[0] == ["ä".encode()]

    def test_a_bad_header_fails_its_record(self, connect):
        _, found = self.read(connect, JsonConverter(), b'{"schema":null,"payload":1}', b"{")
        assert found["stage"] == "HEADER_CONVERTER"
        assert found["error"]["class"] == "org.apache.kafka.connect.errors.DataException"
        assert "serialization error" in found["error"]["message"]

    def test_simple_headers_are_typed_as_they_are_read(self, connect):
        given = [
            b"007",
            b"1.0",
            b"1e3",
            b"5 ",
            b"null",
            b"2023-13-45",
            b"text",
            b"1e99999999999",
            b"12345678901234567.25",
            None,
        ]
        headers = [[("h", text) for text in given]]
        records = HeaderConverter().read(connect.records(["1"], headers=headers))
        (row,) = records.frame.collect()
        assert [header["value"] and bytes(header["value"]) for header in row["headers"]] == [
            *(
                b"7",
                b"1",
                b"1000",
                b"5",
                None,
                b"2024-02-14",
                b"text",
                b"1e99999999999",
                b"1.23456784E16",
                None,
            ),
        ]
