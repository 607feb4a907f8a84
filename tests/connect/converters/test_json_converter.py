"""JsonConverter: bytes as Kafka's own writes them, and what it reads."""

import datetime as dt
import json
from collections import defaultdict
from decimal import Decimal

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.json_converter import KEYS, JsonConverter, build
from headrace.connect.converters.string_converter import StringConverter
from headrace.connect.data import schema as cs
from headrace.connect.data.config import parse
from headrace.connect.data.schema import Schema, Type

ROW = cs.struct(
    {
        "id": Schema(Type.INT32),
        "name": cs.string(optional=True),
        "price": cs.decimal(2, optional=True),
        "at": cs.timestamp(optional=True),
        "day": cs.date(optional=True),
        "clock": cs.time(optional=True),
        "list": Schema(Type.ARRAY, optional=True, values=Schema(Type.FLOAT64)),
        "map": Schema(
            Type.MAP, optional=True, keys=Schema(Type.INT8), values=cs.string(optional=True)
        ),
        "data": Schema(Type.BYTES, optional=True, doc="raw"),
        "rank": Schema(Type.INT64, optional=True, default="7"),
    },
    "row",
)
VALUE = {
    "id": 1,
    "name": 'a"é',
    "price": Decimal("12.50"),
    "at": dt.datetime(2017, 2, 15, 9, 45, 30),
    "day": dt.date(1970, 1, 11),
    "clock": 5000,
    "list": [1.0, 2.5],
    "map": {1: "x"},
    "data": bytearray(b"\x01\x02"),
    "rank": None,
}
SCHEMA_TEXT = (
    '{"type":"struct","fields":[{"type":"int32","optional":false,"field":"id"},'
    '{"type":"string","optional":true,"field":"name"},'
    '{"type":"bytes","optional":true,"name":"org.apache.kafka.connect.data.Decimal","version":1,'
    '"parameters":{"scale":"2"},"field":"price"},'
    '{"type":"int64","optional":true,"name":"org.apache.kafka.connect.data.Timestamp","version":1,"field":"at"},'
    '{"type":"int32","optional":true,"name":"org.apache.kafka.connect.data.Date","version":1,"field":"day"},'
    '{"type":"int32","optional":true,"name":"org.apache.kafka.connect.data.Time","version":1,"field":"clock"},'
    '{"type":"array","items":{"type":"double","optional":false},"optional":true,"field":"list"},'
    '{"type":"map","keys":{"type":"int8","optional":false},"values":{"type":"string","optional":true},'
    '"optional":true,"field":"map"},'
    '{"type":"bytes","optional":true,"doc":"raw","field":"data"},'
    '{"type":"int64","optional":true,"default":7,"field":"rank"}],"optional":false,"name":"row"}'
)
PAYLOAD = (
    '{"id":1,"name":"a\\"é","price":"BOI=","at":1487151930000,"day":10,"clock":5000,"list":[1.0,2.5],'
    '"map":[[1,"x"]],"data":"AQI=","rank":7}'
)
ENVELOPE = f'{{"schema":{SCHEMA_TEXT},"payload":{PAYLOAD}}}'


# Schema, value, and its JSON without an envelope.
FORMS = {
    "i8": (Schema(Type.INT8), -8, -8),
    "i16": (Schema(Type.INT16), 300, 300),
    "i32": (Schema(Type.INT32), 70000, 70000),
    "i64": (Schema(Type.INT64), 2**60, 2**60),
    "f32": (Schema(Type.FLOAT32), 1.5, 1.5),
    "f64": (Schema(Type.FLOAT64), 1e300, 1e300),
    "truth": (Schema(Type.BOOLEAN), True, True),
    "text": (cs.string(), "x\n\u20ac", "x\n\u20ac"),
    "raw": (Schema(Type.BYTES), bytearray(b"\xff\x00"), "/wA="),
    "money": (cs.decimal(2), Decimal("-0.01"), "/w=="),
    "large": (cs.decimal(0), Decimal(10**30), "DJ8snNBGdO3qQAAAAA=="),
    "day": (cs.date(), dt.date(1969, 12, 31), -1),
    "clock": (cs.time(), 1, 1),
    "when": (cs.timestamp(), dt.datetime(1969, 12, 31, 23, 59, 59, 999000), -1),
    "list": (Schema(Type.ARRAY, values=cs.date()), [dt.date(1970, 1, 2)], [1]),
    "map": (Schema(Type.MAP, keys=cs.string(), values=cs.time()), {"a": 5}, {"a": 5}),
    "pairs": (
        Schema(Type.MAP, keys=cs.date(), values=cs.string()),
        {dt.date(1970, 1, 2): "x"},
        [[1, "x"]],
    ),
    "row": (cs.struct({"x": cs.string(optional=True)}), {"x": None}, {"x": None}),
}
# Schema, payload, and the message about it.
_MAP = {"keys": Schema(Type.INT8), "values": cs.string()}
WRONG = [
    (
        cs.date(),
        "x",
        "Invalid type for Date, underlying representation should be integer but was STRING",
    ),
    (
        cs.time(),
        1.5,
        "Invalid type for Time, underlying representation should be integer but was NUMBER",
    ),
    (
        cs.timestamp(),
        True,
        "Invalid type for Timestamp, underlying representation should be integral but was BOOLEAN",
    ),
    (
        cs.decimal(1),
        [],
        "Invalid type for Decimal, underlying representation should be numeric or bytes but was ARRAY",
    ),
    (cs.decimal(2), "?", "Invalid bytes for Decimal field"),
    (Schema(Type.BYTES), "?", "Invalid bytes field"),
    (
        cs.struct({"a": cs.string()}),
        5,
        "Structs should be encoded as JSON objects, but found NUMBER",
    ),
    (cs.struct({"b": cs.string()}), {}, "Invalid null value for required STRING field"),
    (
        Schema(Type.MAP, keys=cs.string(), values=cs.string()),
        [],
        "Maps with string fields should be encoded as JSON objects, but found ARRAY",
    ),
    (
        Schema(Type.MAP, **_MAP),
        {},
        "Maps with non-string fields should be encoded as JSON array of tuples, but found OBJECT",
    ),
    (
        Schema(Type.MAP, version=1, **_MAP),
        [5],
        "Found invalid map entry instead of array tuple: NUMBER",
    ),
    (
        Schema(Type.MAP, version=2, **_MAP),
        [[1]],
        "Found invalid map entry, expected length 2 but found :1",
    ),
    (Schema(Type.FLOAT32), None, "Invalid null value for required FLOAT32 field"),
]


def test_options():
    assert build(parse(KEYS, {}), "value") == JsonConverter(True, False, True)
    options = {
        "schemas.enable": "false",
        "decimal.format": "numeric",
        "replace.null.with.default": "FALSE",
    }
    assert build(parse(KEYS, options), "key") == JsonConverter(False, True, False)
    with pytest.raises(InvalidConfig, match="case insensitive"):
        parse(KEYS, {"decimal.format": "text"})


def test_schemas_are_read_once():
    converter = build(parse(KEYS, {"schemas.cache.size": "2"}), "value")
    assert converter.cached_schemas == 2
    assert converter.schema(SCHEMA_TEXT) is converter.schema(SCHEMA_TEXT)
    assert converter.schema(None) is None


def test_schemas_are_written_in_order():
    assert ROW.text() == SCHEMA_TEXT


@pytest.mark.spark
class TestRunning:
    def written(self, connect, converter, values, schema):
        frame = write_batch(connect.records(values, schema), StringConverter(), converter)
        return [row.value and bytes(row.value).decode() for row in frame.collect()]

    def test_with_and_without_the_envelope(self, connect):
        assert self.written(connect, JsonConverter(), [VALUE, None], ROW) == [ENVELOPE, None]
        plain = JsonConverter(schemas=False, numeric_decimals=True, defaults=False)
        expected = PAYLOAD.replace('"BOI="', "12.50").replace('"rank":7', '"rank":null')
        assert self.written(connect, plain, [VALUE], ROW) == [expected]

    def test_without_a_schema(self, connect):
        assert self.written(connect, JsonConverter(), ['{"a":1}', None], None) == [
            '{"schema":null,"payload":{"a":1}}',
            None,
        ]
        assert self.written(connect, JsonConverter(schemas=False), ["5"], None) == ["5"]

    def test_a_null_with_a_schema_is_no_tombstone(self, connect):
        from pyspark.sql import functions as sf

        records = connect.records([None], cs.string(optional=True)).changed(
            {"value_typed": sf.lit(True)}
        )
        rows = write_batch(records, StringConverter(), JsonConverter()).collect()
        assert (
            bytes(rows[0].value) == b'{"schema":{"type":"string","optional":true},"payload":null}'
        )

    def read(self, connect, values, converter, keys=None):
        rows = [
            ("t", key, value)
            for key, value in zip(keys or [None] * len(values), values, strict=True)
        ]
        frame = connect.spark.createDataFrame(rows, "topic string, key binary, value binary")
        return read_batch(frame, converter, converter)

    def test_what_was_written_is_read(self, connect):
        (records,) = self.read(connect, [ENVELOPE.encode(), None], JsonConverter())
        assert records.value == ROW
        rows = [row.asDict(recursive=True) for row in records.frame.collect()]
        assert rows[0]["value"] == VALUE | {"rank": 7}
        assert (rows[1]["value"], rows[1]["value_typed"]) == (None, False)

    def test_a_batch_for_each_schema(self, connect):
        texts = [
            b'{"schema":{"type":"int32","optional":false},"payload":5}',
            b'{"schema":{"type":"string","optional":true},"payload":"x"}',
            b'{"schema":{"type":"int32","optional":false},"payload":null}',
            b'{"payload":1}',
            b'{"schema":{"type":"text"},"payload":1}',
            b"{",
            None,
        ]
        batches = self.read(connect, texts, JsonConverter())
        found = defaultdict(list)
        for batch in batches:
            found[batch.value and batch.value.type] += [
                (row.value, row.error and row.error["message"]) for row in batch.frame.collect()
            ]
        assert found[Type.STRING] == [("x", None)]
        assert found[None] == [(None, "Unknown schema type: text")]
        numbers = found[Type.INT32]
        # Nulls are a batch by themselves.
        required = (None, "Invalid null value for required INT32 field")
        assert [found for found in numbers if found[1] is None or found == required] == [
            *((5, None), (None, None), required),
        ]
        others = [told for _, told in numbers if told and told != required[1]]
        assert 'requires "schema" and "payload" fields' in others[0]
        assert "due to serialization error" in others[1]

    def test_plain_json_is_read_as_connect_keeps_it(self, connect):
        texts = [
            b'{"zeta":1.50,"a":{"c":18446744073709551616,"b":null}}',
            b"[1, 2]",
            b'"x"',
            b"null",
            b"nul",
        ]
        (records,) = self.read(connect, texts, JsonConverter(schemas=False))
        assert records.value is None
        rows = records.frame.collect()
        assert json.loads(rows[0].value) == {"zeta": 1.5, "a": {"c": 0, "b": None}}
        assert [row.value for row in rows[1:]] == ["[1,2]", '"x"', None, None]
        assert rows[4].error["message"].startswith("Converting byte[] to Kafka Connect data failed")

    def test_every_type_both_ways(self, connect):
        """A struct with a field for each type, written and read again; then what each reads from other JSON."""
        fields = {name: schema for name, (schema, _, _) in FORMS.items()}
        row = cs.struct(fields)
        value = {name: item for name, (_, item, _) in FORMS.items()}
        (text,) = self.written(connect, JsonConverter(schemas=False), [value], row)
        assert json.loads(text) == {name: form for name, (_, _, form) in FORMS.items()}
        (text,) = self.written(connect, JsonConverter(), [value], row)
        (records,) = self.read(connect, [text.encode()], JsonConverter())
        assert records.value == row
        assert records.frame.collect()[0].value.asDict(recursive=True) == value

    def test_what_is_no_value_of_its_type(self, connect):
        records = [
            json.dumps({"schema": schema.to_json(), "payload": payload}).encode()
            for schema, payload, _ in WRONG
        ]
        found = {}
        for batch in self.read(connect, records, JsonConverter()):
            (row,) = batch.frame.collect()
            found[batch.value] = row.error["message"].partition("\nCaused by: ")[0]
        assert found == {schema: message for schema, _, message in WRONG}

    def test_numbers_are_narrowed_and_others_are_zero(self, connect):
        row = cs.struct({"a": Schema(Type.INT8), "b": Schema(Type.INT32), "c": Schema(Type.INT64)})
        payload = {"a": 300, "b": "text", "c": 1.9}
        data = json.dumps({"schema": row.to_json(), "payload": payload}).encode()
        (records,) = self.read(connect, [data], JsonConverter())
        assert records.frame.collect()[0].value.asDict() == {"a": 44, "b": 0, "c": 1}

    def test_keys_of_two_schemas_with_one_value(self, connect):
        number = b'{"schema":{"type":"int32","optional":false},"payload":1}'
        text = b'{"schema":{"type":"string","optional":false},"payload":"k"}'
        batches = self.read(connect, [number, number, None], JsonConverter(), [number, text, text])
        assert {(batch.key.type, batch.frame.count()) for batch in batches} == {
            (Type.INT32, 1),
            (Type.STRING, 2),
        }

    def test_broken_base64_is_told_with_its_cause(self, connect):
        texts = [
            b'{"schema":{"type":"bytes","optional":false},"payload":"%"}',
            b'{"schema":{"type":"bytes","name":"org.apache.kafka.connect.data.Decimal"},"payload":"AQ=="}',
        ]
        causes = [
            batch.frame.collect()[0].error["message"].partition("\nCaused by: ")[2]
            for batch in self.read(connect, texts, JsonConverter())
        ]
        assert sorted(cause.partition(":")[0] for cause in causes) == [
            "com.fasterxml.jackson.databind.exc.InvalidFormatException",
            "java.lang.NullPointerException",
        ]

    def test_nulls_have_the_schema_that_comes_with_them(self, connect):
        text = '{"schema":{"type":"string","optional":true},"payload":null}'
        (records,) = self.read(connect, [text.encode(), None], JsonConverter())
        assert records.nulls == {"value"}
        rows = write_batch(records, JsonConverter(), JsonConverter()).collect()
        assert [row.value and bytes(row.value).decode() for row in rows] == [text, None]

    def test_a_fault_of_one_schema_is_none_of_what_has_no_schema(self, connect):
        texts = [b'{"schema":{"type":"text"},"payload":1}', b"{", b"5", None]
        (records,) = self.read(connect, texts, JsonConverter())
        errors = [row.error and row.error["message"] for row in records.frame.collect()]
        assert errors[0] == "Unknown schema type: text"
        assert "due to serialization error" in errors[1]
        assert errors[2].startswith("JsonConverter with schemas.enable requires")
        assert errors[3] is None

    def test_further_fields_are_refused_whatever_was_read_before(self, connect):
        start = b'{"schema":{"type":"int32","optional":false},"payload":'
        texts = [start + b"5}", start + b'6,"more":1}', start + b"7}"]
        (records,) = self.read(connect, texts, JsonConverter())
        rows = records.frame.collect()
        assert [row.value for row in rows] == [5, None, 7]
        assert "may not contain additional fields" in rows[1].error["message"]

    def test_scales_below_zero(self, connect):
        schema = cs.decimal(-2)
        text = json.dumps({"schema": schema.to_json(), "payload": "BNI="}, separators=(",", ":"))
        (records,) = self.read(connect, [text.encode()], JsonConverter())
        assert records.frame.collect()[0].value == 123400
        (row,) = write_batch(records, JsonConverter(), JsonConverter()).collect()
        assert bytes(row.value).decode() == text

    def test_times_that_no_timestamp_of_sparks_holds(self, connect):
        text = json.dumps({"schema": cs.timestamp().to_json(), "payload": 2**63 - 1})
        (records,) = self.read(connect, [text.encode()], JsonConverter())
        message = records.frame.collect()[0].error["message"]
        assert message.startswith("Timestamps whose microseconds need more than 64 bits")

    def test_zero_has_no_sign(self, connect):
        text = '{"schema":{"type":"double","optional":false},"payload":-0.0}'
        (records,) = self.read(connect, [text.encode()] * 2, JsonConverter())
        assert [str(row.value) for row in records.frame.collect()] == ["0.0", "0.0"]
