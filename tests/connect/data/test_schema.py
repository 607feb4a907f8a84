"""Schemas: what they carry, and how they are written."""

import json

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import ConnectFault, Field, Schema, Type


def test_names_of_types_are_those_of_json_and_of_messages():
    assert str(Type.FLOAT32) == "float"
    assert Schema(Type.FLOAT32).label() == "FLOAT32"
    assert str(Schema(Type.STRING)) == "Schema{STRING}"
    assert str(cs.timestamp()) == "Schema{org.apache.kafka.connect.data.Timestamp:INT64}"


def test_a_field_by_its_name():
    row = cs.struct({"a": cs.string(), "b": Schema(Type.INT8)}, "row")
    assert row.fields[1] == Field("b", Schema(Type.INT8))
    assert row.field("b") == Schema(Type.INT8)
    assert row.field("c") is None


def test_what_transforms_carry_over():
    full = Schema(Type.INT64, True, "n", 2, "doc", parameters=(("p", "q"),), default="5")
    assert full.basics(Type.STRING) == Schema(
        Type.STRING, False, "n", 2, "doc", parameters=(("p", "q"),)
    )
    assert full.made_optional(False).default == "5"
    assert not full.made_optional(False).optional


def test_everything_is_written_in_the_converters_order():
    schema = Schema(
        Type.STRING, True, "n", 3, "what", parameters=(("b", "1"), ("a", "2")), default='"x"'
    )
    assert schema.text() == (
        '{"type":"string","optional":true,"name":"n","version":3,"doc":"what",'
        '"parameters":{"b":"1","a":"2"},"default":"x"}'
    )
    nested = Schema(Type.MAP, keys=cs.string(), values=Schema(Type.ARRAY, values=cs.date()))
    assert list(nested.to_json()) == ["type", "keys", "values", "optional"]
    assert json.loads(nested.text())["values"]["items"]["name"] == cs.DATE
    row = cs.struct({"ä": cs.string()})
    assert row.text() == (
        '{"type":"struct","fields":[{"type":"string","optional":false,"field":"ä"}],"optional":false}'
    )


@pytest.mark.parametrize(
    ("schema", "spark"),
    [
        (Schema(Type.INT8), "tinyint"),
        (Schema(Type.INT16), "smallint"),
        (Schema(Type.INT32), "int"),
        (Schema(Type.INT64), "bigint"),
        (Schema(Type.FLOAT32), "float"),
        (Schema(Type.FLOAT64), "double"),
        (Schema(Type.BOOLEAN), "boolean"),
        (Schema(Type.BYTES), "binary"),
        (cs.string(optional=True), "string"),
        (cs.decimal(4), "decimal(38,4)"),
        (cs.date(), "date"),
        (cs.time(), "int"),
        (cs.timestamp(), "timestamp"),
        (Schema(Type.INT64, name="io.debezium.time.MicroTimestamp"), "bigint"),
        (Schema(Type.ARRAY, values=cs.decimal(0)), "array<decimal(38,0)>"),
        (Schema(Type.MAP, keys=cs.string(), values=cs.date()), "map<string,date>"),
        (cs.struct({"a": cs.struct({"b.c": cs.string()})}), "struct<a:struct<b.c:string>>"),
    ],
)
def test_types_of_spark(schema, spark):
    assert schema.spark().simpleString() == spark


def test_a_fault_has_a_class_and_a_message():
    fault = ConnectFault("no")
    assert (fault.kind, fault.message) == ("org.apache.kafka.connect.errors.DataException", "no")
    assert ConnectFault("no", "java.lang.Error").kind == "java.lang.Error"
