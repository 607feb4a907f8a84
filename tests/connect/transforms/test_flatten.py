"""Flatten, with and without schemas."""

import datetime as dt

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type

POINT = cs.struct({"x": Schema(Type.INT32), "y": Schema(Type.INT32, optional=True, default="4")})
ROW = cs.struct(
    {
        "id": Schema(Type.INT64),
        "p": POINT,
        "q": POINT.made_optional(),
        "list": Schema(Type.ARRAY, values=cs.string()),
    },
    "row",
)


@pytest.mark.spark
class TestRunning:
    def test_structs_become_fields(self, connect):
        rows = [{"id": 1, "p": {"x": 2, "y": None}, "q": None, "list": ["a"]}, None]
        result = connect.apply("Flatten$Value", {}, rows, ROW)
        assert result.values == [
            {"id": 1, "p.x": 2, "p.y": 4, "q.x": None, "q.y": None, "list": ["a"]},
            None,
        ]
        fields = {field.name: field.schema for field in result.value_schema.fields}
        assert fields["p.x"] == Schema(Type.INT32)
        assert fields["q.x"] == Schema(Type.INT32, optional=True)
        assert fields["q.y"].default == "4"
        assert result.value_schema.name == "row"

    def test_a_default_of_the_whole_reaches_its_fields(self, connect):
        row = cs.struct({"p": Schema(Type.STRUCT, default='{"x":7}', fields=POINT.fields)})
        result = connect.apply("Flatten$Value", {"delimiter": "_"}, [{"p": {"x": 1, "y": 2}}], row)
        assert [(f.name, f.schema.default) for f in result.value_schema.fields] == [
            ("p_x", "7"),
            ("p_y", "4"),
        ]

    def test_maps_are_refused_with_a_schema(self, connect):
        row = cs.struct(
            {"p": cs.struct({"m": Schema(Type.MAP, keys=cs.string(), values=cs.string())})}
        )
        result = connect.apply("Flatten$Value", {}, [{"p": {"m": {"a": "b"}}}, None], row)
        assert result.errors == [
            "Flatten transformation does not support MAP for record with schemas (for field p.m).",
            None,
        ]

    def test_without_a_schema(self, connect):
        values = ['{"a":{"b":{"c":1},"n":null},"l":[{"d":2}]}', "[1]", None]
        result = connect.apply("Flatten$Value", {"delimiter": "-"}, values)
        assert result.values == ['{"a-b-c":1,"a-n":null,"l":[{"d":2}]}', None, None]
        assert result.errors[1] == (
            "Only Map objects supported in absence of schema for [flattening], found: java.util.ArrayList"
        )

    def test_keys_and_what_is_no_struct(self, connect):
        keys = [{"x": 1, "y": None}, None]
        nested = cs.struct({"k": POINT})
        result = connect.apply(
            "Flatten$Key",
            {},
            ["v"] * 2,
            cs.string(),
            keys=[{"k": keys[0]}, None],
            key_schema=nested,
        )
        assert result.keys == [{"k.x": 1, "k.y": 4}, None]
        text = connect.apply("Flatten$Value", {}, ["x", None], cs.string())
        assert text.errors == [
            "Only Struct objects supported for [flattening], found: java.lang.String",
            None,
        ]

    def test_three_levels_and_every_plain_type(self, connect):
        plain = {
            "i8": Schema(Type.INT8),
            "i16": Schema(Type.INT16),
            "f": Schema(Type.FLOAT32),
            "d": Schema(Type.FLOAT64),
            "b": Schema(Type.BOOLEAN),
            "s": cs.string(),
            "raw": Schema(Type.BYTES),
            "when": cs.timestamp(),
        }
        row = cs.struct({"A": cs.struct({"B": cs.struct(plain)})})
        value = {
            "i8": 8,
            "i16": 16,
            "f": 1.5,
            "d": 2.5,
            "b": True,
            "s": "x",
            "raw": bytearray(b"1"),
            "when": dt.datetime(2024, 1, 1),
        }
        result = connect.apply("Flatten$Value", {"delimiter": "#"}, [{"A": {"B": value}}], row)
        assert result.values == [{f"A#B#{name}": item for name, item in value.items()}]
        assert [field.schema for field in result.value_schema.fields] == list(plain.values())
