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
    assert schema_of(odd | {"default": None}) == Schema(Type.INT8)


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
