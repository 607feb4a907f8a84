"""InsertField, with and without schemas."""

import datetime as dt
import json

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.config import parse
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.insert_field import KEYS, Insertion, build

ROW = cs.struct({"id": Schema(Type.INT64, optional=True, default="8")}, "row")
TIME = dt.datetime(2024, 1, 2, 3, 4, 5, 678000)
PLACE = {"partition": [3, None], "offset": [7, 8], "timestamp": [TIME, None]}
OPTIONS = {
    "topic.field": "topic!",
    "partition.field": "part",
    "offset.field": "off?",
    "timestamp.field": "at",
    "static.field": "from",
    "static.value": "here",
}


@pytest.mark.parametrize(
    ("text", "name", "optional"),
    [("a", "a", True), ("a?", "a", True), ("a!", "a", False), ("a!?", "a!", True)],
)
def test_a_mark_says_whether_a_field_is_required(text, name, optional):
    assert Insertion.parse(text) == Insertion(name, optional)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "No field insertion configured"),
        (
            {"static.field": "a"},
            "Invalid value null for configuration static.value: No value specified for static field: a",
        ),
    ],
)
def test_something_must_be_inserted(options, message):
    with pytest.raises(InvalidConfig) as refused:
        build(parse(KEYS, options), "value")
    assert refused.value.summary == message


@pytest.mark.spark
class TestRunning:
    def test_every_field(self, connect):
        result = connect.apply(
            "InsertField$Value", OPTIONS, [{"id": 1}, {"id": None}], ROW, **PLACE
        )
        assert result.values == [
            {"id": 1, "topic": "t", "part": 3, "off": 7, "at": TIME, "from": "here"},
            {"id": 8, "topic": "t", "part": None, "off": 8, "at": None, "from": "here"},
        ]
        fields = {field.name: field.schema for field in result.value_schema.fields}
        assert fields["topic"] == cs.string()
        assert fields["off"] == Schema(Type.INT64, optional=True)
        assert fields["at"] == cs.timestamp(optional=True)

    def test_without_a_schema(self, connect):
        result = connect.apply("InsertField$Value", OPTIONS, ['{"id":1}', None], **PLACE)
        assert json.loads(result.values[0]) == {
            "id": 1,
            "topic": "t",
            "part": 3,
            "off": 7,
            "at": 1704164645678,
            "from": "here",
        }
        assert result.values[1] is None

    def test_offsets_are_those_of_sinks(self, connect):
        result = connect.apply("InsertField$Value", {"offset.field": "o"}, [{"id": 1}, None], ROW)
        assert result.errors == [
            "Only SinkRecord supported for [field insertion], found: org.apache.kafka.connect.source.SourceRecord",
            None,
        ]

    def test_a_name_that_is_taken(self, connect):
        result = connect.apply("InsertField$Value", {"topic.field": "id"}, [{"id": 1}], ROW)
        assert result.errors == ["Cannot create field because of field name duplication id"]

    def test_keys_nulls_and_what_is_no_struct(self, connect):
        options = {"static.field": "who!", "static.value": "me"}
        keyed = connect.apply(
            "InsertField$Key",
            options,
            ["v"] * 2,
            cs.string(),
            keys=[{"id": 1}, None],
            key_schema=ROW,
        )
        assert keyed.keys == [{"id": 1, "who": "me"}, None]
        assert keyed.key_schema.field("who") == cs.string()
        assert keyed.key_schema.name == "row"
        text = connect.apply("InsertField$Value", options, ["x", None], cs.string())
        assert text.errors == [
            "Only Struct objects supported for [field insertion], found: java.lang.String",
            None,
        ]
        scalar = connect.apply("InsertField$Value", options, ["5", None])
        assert scalar.errors == [
            "Only Map objects supported in absence of schema for [field insertion], found: java.lang.Long",
            None,
        ]

    def test_defaults_can_be_left_alone(self, connect):
        options = {"topic.field": "t", "replace.null.with.default": "false"}
        result = connect.apply("InsertField$Value", options, [{"id": None}], ROW)
        assert result.values == [{"id": None, "t": "t"}]

    def test_a_field_without_a_schema_is_replaced(self, connect):
        result = connect.apply("InsertField$Value", {"topic.field": "id"}, ['{"id":1}'])
        assert result.values == ['{"id":"t"}']


@pytest.mark.spark
def test_a_source_has_no_offsets_and_only_maps_have_fields(connect):
    options = {"offset.field": "o"}
    errors = connect.apply("InsertField$Value", options, ['{"a":1}', "5", None]).errors
    assert errors[0].startswith("Only SinkRecord supported for [field insertion]")
    assert errors[1].endswith("[field insertion], found: java.lang.Long")
    assert errors[2] is None
