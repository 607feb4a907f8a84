"""Debezium's messages in Avro, with a real registry."""

import json

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption, UserError
from headrace.formats import format_named
from headrace.formats.changelog import ChangelogFormat

NAME = "debezium-avro-confluent"
FORMAT = format_named(NAME)
ROW = {"id": t.INT.not_null(), "name": t.STRING}
TABLE = t.row(**ROW)
A, B = {"id": 1, "name": "a"}, {"id": 1, "name": "b"}


def options(**given):
    return parse_options(FORMAT.declared, {"url": "http://r"} | given, owner="")


def test_it_carries_changes_and_no_metadata():
    assert isinstance(FORMAT, ChangelogFormat)
    assert not FORMAT.changelog_mode.is_append
    assert FORMAT.metadata(options()) == {}


def test_the_derived_schema_is_the_envelope_in_a_union_with_null():
    schema = json.loads(FORMAT.schema(TABLE, options()))
    assert schema[0] == "null"
    assert schema[1]["name"] == "record"
    fields = {field["name"]: field["type"] for field in schema[1]["fields"]}
    assert list(fields) == ["before", "after", "op"]
    assert fields["op"] == ["null", "string"]
    assert [fields[name][1]["name"] for name in ("before", "after")] == [
        "record_before",
        "record_after",
    ]


def test_a_given_schema_must_be_that_of_the_messages():
    own = FORMAT.schema(TABLE, options())
    FORMAT.validate(TABLE, options(schema=own), "value")
    with pytest.raises(InvalidOption, match="does not match"):
        FORMAT.validate(t.row(id=t.INT), options(schema=own), "value")


def test_timestamps_are_those_of_flink():
    with pytest.raises(UserError, match=f"'{NAME}' cannot carry column 'c'"):
        FORMAT.validate(t.row(c=t.timestamp(6)), options(), "value")


def test_the_bytes_around_a_row_follow_the_unions_of_the_schema():
    derived = FORMAT.envelope(options())
    assert derived.added == ("\x02\x00\x02", "\x02\x02c")
    assert derived.removed == ("\x02\x02", "\x00\x02\x02d")
    image = {"type": "record", "name": "v", "fields": [{"name": "id", "type": "int"}]}
    fields = [
        {"name": "before", "type": ["null", image]},
        {"name": "after", "type": ["v", "null"]},
        {"name": "op", "type": ["string", "null"]},
    ]
    given = FORMAT.envelope(
        options(schema=json.dumps({"type": "record", "name": "e", "fields": fields}))
    )
    assert given.added == ("\x00\x00", "\x00\x02c")
    assert given.removed == ("\x02", "\x02\x00\x02d")
    assert derived.header == given.header == 5


VALUE = {
    "type": "record",
    "name": "Value",
    "namespace": "shop",
    "fields": [
        {"name": "name", "type": ["null", "string"], "default": None},
        {"name": "id", "type": "int"},
        {"name": "more", "type": "long"},
    ],
}
# As Debezium's connectors write it, with more than the format looks at.
ENVELOPE = {
    "type": "record",
    "name": "Envelope",
    "namespace": "shop",
    "fields": [
        {"name": "before", "type": ["null", VALUE], "default": None},
        {"name": "after", "type": ["null", "Value"], "default": None},
        {
            "name": "source",
            "type": {"type": "record", "name": "S", "fields": [{"name": "db", "type": "string"}]},
        },
        {"name": "op", "type": "string"},
        {"name": "ts_ms", "type": ["null", "long"], "default": None},
    ],
}


def message(op, before=None, after=None):
    images = {
        name: image and image | {"more": 7}
        for name, image in (("before", before), ("after", after))
    }
    return {"op": op, "source": {"db": "d"}, "ts_ms": 5, **images}


@pytest.mark.spark
@pytest.mark.services
class TestReading:
    @pytest.fixture
    def changes(self, use, schema_registry):
        return use(NAME, ROW, {"url": schema_registry.url})

    def test_every_operation(self, bench, registry, changes):
        records = registry.written(
            ENVELOPE,
            message("r", after=A),
            message("c", after=A),
            message("u", A, B),
            message("d", B),
        )
        rows = bench.decode(changes, [(None, record) for record in [*records, b"", None]])
        assert rows == [(1, "a", 1), (1, "a", 1), (1, "a", -1), (1, "b", 1), (1, "b", -1)]

    def test_by_key_the_old_row_is_not_needed(self, bench, use, registry, changes):
        records = registry.written(ENVELOPE, message("u", after=B), message("d"))
        rows = bench.decode(
            changes,
            [(b'{"id":1}', record) for record in records],
            key=use("json", {"id": t.INT.not_null()}),
            keyed=["id"],
        )
        assert rows == [(1, "b", 1), (1, None, -1)]

    def test_what_is_no_change_is_told(self, bench, registry, changes):
        update, delete, unknown = registry.written(
            ENVELOPE, message("u", after=B), message("d"), message("t")
        )
        assert "lacks the row before it" in bench.failure(changes, update).found
        assert "lacks the row before it" in bench.failure(changes, delete).found
        error = bench.failure(changes, unknown)
        assert error.summary == f"field 'op' of a record's value cannot be read as {NAME}"
        assert error.found == "'t' is no operation, expected one of c, r, u, d"

    def test_a_failure_names_the_field_of_the_image(self, bench, registry, changes):
        text = {"type": "record", "name": "V", "fields": [{"name": "id", "type": "string"}]}
        fields = [{"name": "after", "type": text}, {"name": "op", "type": "string"}]
        schema = {"type": "record", "name": "E", "fields": fields}
        [record] = registry.written(schema, {"after": {"id": "x"}, "op": "c"})
        assert "'after.id'" in bench.failure(changes, record).summary
        [cut] = registry.written(ENVELOPE, message("c", after=A))
        assert bench.failure(changes, cut[:12]).found
