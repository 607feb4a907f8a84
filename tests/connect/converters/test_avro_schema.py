"""Avro's schemas of Connect's and back."""

import pytest

from headrace.connect.converters.avro_schema import for_spark, of_avro_schema, to_avro_schema
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import ConnectFault, Schema, Type

ROW = cs.struct(
    {
        "id": Schema(Type.INT32),
        "small": Schema(Type.INT8, optional=True),
        "name": cs.string(optional=True),
        "price": cs.decimal(2, optional=True),
        "at": cs.timestamp(),
        "rank": Schema(Type.INT64, optional=True, default="7"),
        "tags": Schema(Type.ARRAY, values=cs.string(optional=True)),
        "more": Schema(Type.MAP, keys=cs.string(), values=Schema(Type.FLOAT64)),
    },
    "pagila.public.actor.Value",
)
EVENT = cs.struct(
    {"before": ROW.made_optional(), "after": ROW.made_optional(), "op": cs.string()}, "e.Envelope"
)


def test_a_record_as_confluents_converter_writes_it():
    written = to_avro_schema(ROW)
    assert (written["name"], written["namespace"]) == ("Value", "pagila.public.actor")
    assert written["connect.name"] == "pagila.public.actor.Value"
    fields = {field["name"]: field for field in written["fields"]}
    assert fields["id"] == {"name": "id", "type": "int"}
    assert fields["small"] == {
        "name": "small",
        "type": ["null", {"type": "int", "connect.type": "int8"}],
        "default": None,
    }
    assert fields["price"]["type"][1] == {
        "type": "bytes",
        "scale": 2,
        "precision": 64,
        "connect.version": 1,
        "connect.parameters": {"scale": "2"},
        "connect.name": "org.apache.kafka.connect.data.Decimal",
        "logicalType": "decimal",
    }
    assert fields["rank"] == {
        "name": "rank",
        "type": [{"type": "long", "connect.default": 7}, "null"],
        "default": 7,
    }
    assert to_avro_schema(cs.struct({"a": cs.string()}))["name"] == "ConnectDefault"


def test_facts_of_connect_can_be_left_out():
    written = to_avro_schema(ROW, facts=False)
    assert "connect" not in str(written)


@pytest.mark.parametrize(
    "schema", [ROW, EVENT, cs.string(optional=True), Schema(Type.INT16), cs.date()]
)
def test_what_is_written_is_read(schema):
    assert of_avro_schema(to_avro_schema(schema)) == schema


def test_a_record_is_defined_once():
    written = to_avro_schema(EVENT)
    assert written["fields"][1]["type"] == ["null", "pagila.public.actor.Value"]
    other = cs.struct(
        {"a": cs.struct({"x": cs.string()}, "n"), "b": cs.struct({"y": cs.string()}, "n")}
    )
    with pytest.raises(ConnectFault, match="Can't redefine: n"):
        to_avro_schema(other)


def test_schemas_of_others():
    read = of_avro_schema(
        {
            "type": "record",
            "name": "R",
            "namespace": "x.y",
            "fields": [
                {"name": "d", "type": {"type": "int", "logicalType": "date"}},
                {
                    "name": "e",
                    "type": {"type": "enum", "name": "E", "symbols": ["A"]},
                    "default": "A",
                },
                {"name": "f", "type": ["null", "E"]},
                {
                    "name": "m",
                    "type": {"type": "bytes", "logicalType": "decimal", "precision": 5, "scale": 1},
                },
            ],
        }
    )
    assert read.name == "x.y.R"
    assert read.field("d") == cs.date()
    assert read.field("e").default == '"A"'
    assert read.field("f").type is Type.STRING
    assert read.field("m") == cs.decimal(1)


@pytest.mark.parametrize(
    "node", [["null", "int", "string"], {"type": "null"}, {"type": "x.Unknown"}]
)
def test_what_connect_has_no_type_for(node):
    with pytest.raises(ConnectFault):
        of_avro_schema(node)


@pytest.mark.parametrize(
    "schema",
    [Schema(Type.MAP, keys=Schema(Type.INT8), values=cs.string()), cs.struct({}, "not-a-name")],
)
def test_what_avro_has_no_form_for(schema):
    with pytest.raises(ConnectFault):
        to_avro_schema(schema)


def test_what_spark_reads():
    row = cs.struct(
        {"d": cs.decimal(2), "t": cs.time(optional=True), "n": Schema(Type.INT32, default="1")}
    )
    fields = for_spark(to_avro_schema(row))["fields"]
    assert fields[0]["type"]["precision"] == 38
    assert "logicalType" not in fields[1]["type"][1]
    assert "default" not in fields[2]
