"""MaskField, with and without schemas."""

import datetime as dt
import json
from decimal import Decimal

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type

ROW = cs.struct(
    {
        "s": cs.string(optional=True),
        "i": Schema(Type.INT32, optional=True),
        "f": Schema(Type.FLOAT32, optional=True),
        "b": Schema(Type.BOOLEAN, optional=True),
        "t": cs.timestamp(optional=True),
        "d": cs.decimal(2, optional=True),
        "l": Schema(Type.ARRAY, optional=True, values=cs.string()),
        "keep": cs.string(),
    }
)
FULL = {
    "s": "x",
    "i": 5,
    "f": 1.5,
    "b": True,
    "t": dt.datetime(2024, 1, 1),
    "d": Decimal("1.25"),
    "l": ["a"],
    "keep": "k",
}
NULLS = dict.fromkeys(FULL) | {"keep": "k"}


@pytest.mark.spark
class TestRunning:
    def test_what_each_type_becomes(self, connect):
        result = connect.apply("MaskField$Value", {"fields": "s,i,f,b,t,d,l"}, [FULL, NULLS], ROW)
        assert result.values == [
            {
                "s": "",
                "i": 0,
                "f": 0.0,
                "b": False,
                "t": dt.datetime(1970, 1, 1),
                "d": Decimal("0.00"),
                "l": [],
                "keep": "k",
            },
            NULLS,
        ]
        assert result.value_schema == ROW

    def test_a_replacement_for_numbers_and_strings(self, connect):
        result = connect.apply(
            "MaskField$Value", {"fields": "s,i,f,d", "replacement": "42"}, [FULL], ROW
        )
        assert {name: result.values[0][name] for name in "sifd"} == {
            "s": "42",
            "i": 42,
            "f": 42.0,
            "d": Decimal(42),
        }
        text = {"fields": "i", "replacement": "none"}
        assert connect.apply("MaskField$Value", text, [FULL], ROW).errors == [
            "Unable to convert none (class java.lang.String) to a number\nCaused by:"
            " java.lang.NumberFormatException: Character n is neither a decimal digit number,"
            ' decimal point, nor "e" notation exponential mark.'
        ]
        other = {"fields": "b", "replacement": "1"}
        assert connect.apply("MaskField$Value", other, [FULL, None], ROW).errors == [
            "Cannot mask value of type class java.lang.Boolean with custom replacement.",
            "Only Map objects supported in absence of schema for [mask fields], found: null",
        ]

    def test_without_a_schema(self, connect):
        values = ['{"a":"x","b":1,"c":1.5,"d":true,"e":[1],"f":{"g":1},"h":null,"i":"keep"}']
        result = connect.apply("MaskField$Value", {"fields": "a,b,c,d,e,f,h,absent"}, values)
        assert json.loads(result.values[0]) == {
            "a": "",
            "b": 0,
            "c": 0.0,
            "d": False,
            "e": [],
            "f": {},
            "h": None,
            "i": "keep",
            "absent": None,
        }

    def test_every_number_and_what_cannot_be_masked(self, connect):
        numbers = {
            "i8": Schema(Type.INT8),
            "i16": Schema(Type.INT16),
            "i64": Schema(Type.INT64),
            "f64": Schema(Type.FLOAT64),
        }
        value = {"i8": 1, "i16": 2, "i64": 3, "f64": 4.5}
        names = ",".join(numbers)
        zero = connect.apply("MaskField$Value", {"fields": names}, [value], cs.struct(numbers))
        assert zero.values == [{"i8": 0, "i16": 0, "i64": 0, "f64": 0.0}]
        options = {"fields": names, "replacement": "12.75"}
        replaced = connect.apply("MaskField$Value", options, [value], cs.struct(numbers))
        assert replaced.values == [{"i8": 12, "i16": 12, "i64": 12, "f64": 12.75}]
        nested = cs.struct({"s": cs.struct({"x": cs.string()}), "raw": Schema(Type.BYTES)})
        row = {"s": {"x": "y"}, "raw": bytearray(b"1")}
        struct = connect.apply("MaskField$Value", {"fields": "s"}, [row], nested)
        assert struct.errors == [
            "Cannot mask value of type: class org.apache.kafka.connect.data.Struct"
        ]
        raw = connect.apply("MaskField$Value", {"fields": "raw"}, [row], nested)
        assert raw.errors == ["Cannot mask value of type: class [B"]

    def test_maps_and_keys(self, connect):
        row = cs.struct({"m": Schema(Type.MAP, keys=cs.string(), values=cs.string())})
        result = connect.apply(
            "MaskField$Key",
            {"fields": "m"},
            ["v"],
            cs.string(),
            keys=[{"m": {"a": "b"}}],
            key_schema=row,
        )
        assert result.keys == [{"m": {}}]
        assert result.key_schema == row

    def test_defaults_of_other_fields(self, connect):
        row = cs.struct({"a": cs.string(), "b": Schema(Type.INT32, optional=True, default="6")})
        value = [{"a": "x", "b": None}]
        assert connect.apply("MaskField$Value", {"fields": "a"}, value, row).values == [
            {"a": "", "b": 6}
        ]
        kept = {"fields": "a", "replace.null.with.default": "false"}
        assert connect.apply("MaskField$Value", kept, value, row).values == [{"a": "", "b": None}]
