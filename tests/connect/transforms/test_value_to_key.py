"""ValueToKey, with and without schemas."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type

ROW = cs.struct({"a": Schema(Type.INT32, optional=True, default="4"), "b": cs.string()}, "row")


@pytest.mark.spark
class TestRunning:
    def test_fields_in_the_order_of_the_option(self, connect):
        rows = [{"a": 1, "b": "x"}, {"a": None, "b": "y"}, None]
        result = connect.apply("ValueToKey", {"fields": "b,a"}, rows, ROW, keys=[None] * 3)
        assert result.keys == [{"b": "x", "a": 1}, {"b": "y", "a": 4}, None]
        assert result.key_schema == cs.struct({"b": cs.string(), "a": ROW.field("a")})
        assert result.column("key_typed") == [True, True, False]
        message = "Only Map objects supported in absence of schema for [copying fields from value to key], found: null"
        assert result.errors == [None, None, message]

    def test_a_missing_field(self, connect):
        result = connect.apply("ValueToKey", {"fields": "a,nope"}, [{"a": 1, "b": "x"}], ROW)
        assert result.errors == ["Field does not exist: nope"]
        without = connect.apply("ValueToKey", {"fields": "a,nope"}, ['{"a":1,"b":2}'])
        assert without.keys == ['{"a":1,"nope":null}']
        assert without.values == ['{"a":1,"b":2}']

    def test_what_is_no_struct_or_map(self, connect):
        text = connect.apply("ValueToKey", {"fields": "a"}, ["x"], cs.string())
        assert text.errors == [
            "Only Struct objects supported for [copying fields from value to key], found: java.lang.String"
        ]
        scalar = connect.apply("ValueToKey", {"fields": "a"}, ['"x"', None])
        assert scalar.errors == [
            "Only Map objects supported in absence of schema for [copying fields from value to key], found:"
            f" {found}"
            for found in ("java.lang.String", "null")
        ]

    def test_an_older_key_is_replaced(self, connect):
        result = connect.apply(
            "ValueToKey",
            {"fields": "b"},
            [{"a": 1, "b": "x"}],
            ROW,
            keys=[9],
            key_schema=Schema(Type.INT64),
        )
        assert result.keys == [{"b": "x"}]
        options = {"fields": "a", "replace.null.with.default": "false"}
        nulls = connect.apply("ValueToKey", options, [{"a": None, "b": "x"}], ROW)
        assert nulls.keys == [{"a": None}]


@pytest.mark.spark
def test_a_field_named_twice_is_refused(connect):
    row = cs.struct({"a": cs.string()})
    result = connect.apply("ValueToKey", {"fields": "a,a"}, [{"a": "x"}], row)
    assert result.errors == ["Cannot create field because of field name duplication a"]
