"""Derived schemas as Flink writes them, and schemas that users give."""

import io
import json

import fastavro
import pytest

from headrace import types as t
from headrace.formats.avro_schema import derived_schema, describes

NAME = "org.apache.flink.avro.generated.record"

TABLE = t.row(
    id=t.BIGINT.not_null(),
    name=t.STRING,
    small=t.SMALLINT,
    price=t.decimal(10, 2),
    at=t.timestamp(3),
    day=t.DATE,
    clock=t.time(3),
    raw=t.varchar(5),
    tags=t.array(t.STRING),
    bag=t.multiset(t.STRING),
    place=t.row(city=t.STRING.not_null(), spots=t.array(t.row(x=t.DOUBLE))),
)


def field(schema, name):
    return next(f for f in schema["fields"] if f["name"] == name)


def test_a_nullable_column_is_a_union_with_null_that_defaults_to_it():
    schema = derived_schema(TABLE, legacy=True)
    assert field(schema, "name") == {"name": "name", "type": ["null", "string"], "default": None}
    assert field(schema, "id") == {"name": "id", "type": "long"}


def test_records_are_named_after_the_path_of_their_columns():
    schema = derived_schema(TABLE, legacy=True)
    place = field(schema, "place")["type"][1]
    spot = field(place, "spots")["type"][1]["items"][1]
    names = [f"{record['namespace']}.{record['name']}" for record in (schema, place, spot)]
    assert names == [NAME, f"{NAME}_place", f"{NAME}_place_spots"]


@pytest.mark.parametrize(
    ("type", "legacy", "name"),
    [
        (t.timestamp(3), True, "timestamp-millis"),
        (t.timestamp(0), False, "local-timestamp-millis"),
        (t.timestamp(6), False, "local-timestamp-micros"),
        (t.timestamp_ltz(3), False, "timestamp-millis"),
        (t.timestamp_ltz(6), False, "timestamp-micros"),
        (t.timestamp_ltz(9), False, "timestamp-nanos"),
    ],
    ids=str,
)
def test_timestamps_are_called_by_zone_and_unit(type, legacy, name):
    schema = derived_schema(t.row(c=type.not_null()), legacy=legacy)
    assert field(schema, "c")["type"] == {"type": "long", "logicalType": name}


def test_another_implementation_takes_the_schema():
    parsed = fastavro.parse_schema(derived_schema(TABLE, legacy=True))
    out = io.BytesIO()
    fastavro.schemaless_writer(out, parsed, {"id": 1, "place": {"city": "x", "spots": []}})
    assert out.getvalue()[:1] == b"\x02"


def test_a_derived_schema_describes_its_own_table():
    assert describes(json.dumps(derived_schema(TABLE, legacy=True)), TABLE)
    assert describes(json.dumps(derived_schema(TABLE, legacy=False)), TABLE)


def given(*fields, **more):
    return json.dumps({"type": "record", "name": "r", "fields": list(fields), **more})


ID = {"name": "id", "type": "int"}
COLOUR = {"type": "enum", "name": "Colour", "symbols": ["RED"]}


@pytest.mark.parametrize(
    ("schema", "table"),
    [
        (
            given(ID, {"name": "c", "type": COLOUR}),
            t.row(id=t.INT.not_null(), c=t.STRING.not_null()),
        ),
        (given({"name": "n", "type": ["string", "null"]}), t.row(n=t.STRING)),
        (
            given({"name": "m", "type": {"type": "fixed", "name": "F", "size": 16}}),
            t.row(m=t.BYTES.not_null()),
        ),
        (
            given({"name": "a", "type": COLOUR}, {"name": "b", "type": ["null", "Colour"]}),
            t.row(a=t.STRING.not_null(), b=t.STRING),
        ),
        (
            given({"name": "a", "type": COLOUR}, {"name": "b", "type": "x.Colour"}, namespace="x"),
            t.row(a=t.STRING.not_null(), b=t.STRING.not_null()),
        ),
        (given({"name": "w", "type": {"type": "long"}}), t.row(w=t.BIGINT.not_null())),
    ],
    ids=["enum", "null last", "fixed", "named twice", "namespace", "wrapped"],
)
def test_a_schema_may_say_more_than_the_table(schema, table):
    assert describes(schema, table)


@pytest.mark.parametrize(
    "table",
    [
        t.row(id=t.INT),
        t.row(id=t.BIGINT.not_null()),
        t.row(no=t.INT.not_null()),
        t.row(id=t.INT.not_null(), more=t.INT),
    ],
    ids=["nullable", "type", "name", "missing"],
)
def test_a_schema_of_other_columns_is_told(table):
    assert describes(given(ID), t.row(id=t.INT.not_null()))
    assert not describes(given(ID), table)


@pytest.mark.parametrize(
    ("schema", "told"),
    [
        ("{", "Expecting"),
        ('"nonsense"', "'nonsense' is no type"),
        (given({"name": "u", "type": ["int", "string"]}), "a union of 2 types"),
        ('{"type": "record", "name": "r"}', "fields"),
        (given({"name": "again", "type": "r"}), "recursion"),
    ],
)
def test_what_is_no_schema_of_a_row_is_a_value_error(schema, told):
    with pytest.raises(ValueError, match=told):
        describes(schema, t.row(id=t.INT))
