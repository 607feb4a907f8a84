"""ExtractField, with and without schemas, by names and by paths."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type

INNER = Schema(Type.INT32, optional=True, default="9")
ROW = cs.struct(
    {
        "id": Schema(Type.INT64),
        "a.b": cs.string(optional=True),
        "in": cs.struct({"x": INNER}).made_optional(),
    }
)
V2 = {"field.syntax.version": "v2"}


@pytest.mark.spark
class TestRunning:
    def test_a_field_with_its_schema(self, connect):
        rows = [{"id": 1, "a.b": "x", "in": {"x": None}}, None]
        result = connect.apply("ExtractField$Value", {"field": "a.b"}, rows, ROW)
        assert result.values == ["x", None]
        assert result.value_schema == cs.string(optional=True)

    def test_paths_and_defaults(self, connect):
        rows = [{"id": 1, "a.b": "x", "in": {"x": None}}, {"id": 2, "a.b": None, "in": None}]
        with_default = connect.apply("ExtractField$Value", {"field": "in.x"} | V2, rows, ROW)
        assert with_default.values == [9, None]
        options = {"field": "in.x", "replace.null.with.default": "false"} | V2
        assert connect.apply("ExtractField$Value", options, rows, ROW).values == [None, None]

    def test_an_unknown_field_is_an_error_with_a_schema_only(self, connect):
        rows = [{"id": 1, "a.b": None, "in": None}, None]
        result = connect.apply("ExtractField$Value", {"field": "nope"}, rows, ROW)
        # The tombstone has no schema in which to miss a field.
        assert result.errors == ["Unknown field: nope", None]
        assert result.rows[0]["error"]["class"] == "java.lang.IllegalArgumentException"
        assert connect.apply("ExtractField$Value", {"field": "nope"}, ['{"a":1}']).values == [None]

    def test_without_a_schema(self, connect):
        values = ['{"a":{"b":[1,{"c":2}]}}', '{"a":5}', "7", None]
        result = connect.apply(
            "ExtractField$Key", {"field": "a.b"} | V2, ["v"] * 4, cs.string(), keys=values
        )
        assert result.keys == ['[1,{"c":2}]', None, None, None]
        assert result.errors == [
            None,
            "Only Map objects supported in absence of schema for [nested field access], found: java.lang.Long",
            "Only Map objects supported in absence of schema for [field extraction], found: java.lang.Long",
            None,
        ]

    def test_keys_and_what_is_no_struct(self, connect):
        keys = [{"id": 5, "a.b": None, "in": None}, None]
        result = connect.apply(
            "ExtractField$Key", {"field": "id"}, ["v"] * 2, cs.string(), keys=keys, key_schema=ROW
        )
        assert result.keys == [5, None]
        assert result.key_schema == Schema(Type.INT64)
        assert result.value_schema == cs.string()
        # The tombstone of a key has no schema, not even that of the field.
        assert result.column("key_typed") == [True, False]
        text = connect.apply("ExtractField$Value", {"field": "id"}, ["x", None], cs.string())
        assert text.errors == [
            "Only Struct objects supported for [field extraction], found: java.lang.String",
            None,
        ]

    def test_a_null_field_keeps_its_schema(self, connect):
        rows = [{"id": 1, "a.b": None, "in": None}]
        result = connect.apply("ExtractField$Value", {"field": "a.b"}, rows, ROW)
        assert (result.values, result.column("value_typed")) == ([None], [True])

    def test_structs_within_structs(self, connect):
        deep = cs.struct({"a": cs.struct({"b.c": cs.struct({"d": cs.string()})})})
        rows = [{"a": {"b.c": {"d": "x"}}}]
        options = {"field": "a.`b.c`.d"} | V2
        assert connect.apply("ExtractField$Value", options, rows, deep).values == ["x"]
        half = connect.apply("ExtractField$Value", {"field": "a.`b.c`"} | V2, rows, deep)
        assert half.values == [{"d": "x"}]
        unknown = connect.apply("ExtractField$Value", {"field": "a.b.c"} | V2, rows, deep)
        assert unknown.errors == ["Unknown field: a.b.c"]


@pytest.mark.spark
def test_steps_into_what_is_no_struct(connect):
    row = cs.struct({"a": cs.string()})
    options = {"field": "a.b", "field.syntax.version": "V2"}
    result = connect.apply("ExtractField$Value", options, [{"a": "x"}, None], row)
    assert result.errors == ["Cannot look up fields on non-struct type", None]
