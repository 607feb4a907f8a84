"""Schemas from JSON."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import ConnectFault, Schema, Type
from headrace.connect.data.schema_json import schema_of, schema_of_text


@pytest.mark.parametrize(
    "schema",
    [
        cs.string(optional=True),
        cs.decimal(3),
        Schema(Type.INT32, True, "n", 2, "doc", parameters=(("a", "b"),), default="7"),
        Schema(Type.ARRAY, values=cs.timestamp(optional=True)),
        Schema(Type.MAP, keys=Schema(Type.INT8), values=cs.string()),
        cs.struct({"a": cs.struct({"b": cs.date()}, "inner"), "c": cs.string()}, "outer"),
    ],
)
def test_what_is_written_is_read(schema):
    assert schema_of_text(schema.text()) == schema


def test_null_is_no_schema_and_odd_facts_are_let_be():
    assert schema_of_text("null") is None
    odd = {
        "type": "int8",
        "optional": "true",
        "name": 5,
        "version": "1",
        "doc": [],
        "parameters": 1,
    }
    assert schema_of(odd) == Schema(Type.INT8)


@pytest.mark.parametrize(
    ("type", "given", "kept"),
    [
        ("int32", "x", "0"),
        ("int32", 1.9, "1"),
        ("int64", True, "0"),
        ("double", [], "0.0"),
        ("boolean", 1, "false"),
        ("string", 5, None),
        ("bytes", "AQ==", '"AQ=="'),
    ],
)
def test_defaults_of_other_types(type, given, kept):
    found = schema_of({"type": type, "default": given})
    assert found is not None
    assert found.default == kept


def test_defaults_that_are_none():
    assert schema_of({"type": "int8", "optional": True, "default": None}).default is None
    with pytest.raises(ConnectFault, match="Invalid null value for required INT8 field"):
        schema_of({"type": "int8", "default": None})


def test_structs_have_no_defaults_and_no_field_twice():
    builder = "org.apache.kafka.connect.errors.SchemaBuilderException"
    with pytest.raises(
        ConnectFault, match=r"Invalid default value\nCaused by: .*do not match"
    ) as fault:
        schema_of({"type": "struct", "fields": [], "default": {}})
    assert fault.value.kind == builder
    fields = [{"type": "int8", "field": "a"}, {"type": "string", "field": "a"}]
    with pytest.raises(ConnectFault, match="because of field name duplication a") as fault:
        schema_of({"type": "struct", "fields": fields})
    assert fault.value.kind == builder


@pytest.mark.parametrize(
    ("node", "message"),
    [
        (5, "Schema must contain 'type' field"),
        ({"type": 1}, "Schema must contain 'type' field"),
        ({"type": "text"}, "Unknown schema type: text"),
        ({"type": "array"}, "Array schema did not specify the element type"),
        ({"type": "map", "values": {"type": "int8"}}, "Map schema did not specify the key type"),
        ({"type": "map", "keys": {"type": "int8"}}, "Map schema did not specify the value type"),
        ({"type": "struct"}, 'Struct schema\'s "fields" argument is not an array.'),
        (
            {"type": "struct", "fields": [{"type": "int8"}]},
            "Struct schema's field name not specified properly",
        ),
        ({"type": "struct", "fields": [{"field": "a"}]}, "Schema must contain 'type' field"),
        ({"type": "int8", "parameters": {"a": 1}}, "Schema parameters must have string values."),
    ],
)
def test_what_the_converter_refuses(node, message):
    with pytest.raises(ConnectFault) as refused:
        schema_of(node)
    assert refused.value.message == message
