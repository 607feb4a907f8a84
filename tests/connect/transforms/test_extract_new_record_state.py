"""ExtractNewRecordState, with the options of Debezium 1.x and 3.x."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.config import parse
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.extract_new_record_state import KEYS, Handling, Reference

TYPE = "io.debezium.transforms.ExtractNewRecordState"
ROW = cs.struct(
    {"id": Schema(Type.INT32), "to": cs.string(optional=True)}, "pagila.public.actor.Value"
).made_optional()
EVENT = cs.struct(
    {
        "before": ROW,
        "after": ROW,
        "source": cs.struct(
            {
                "db": cs.string(),
                "lsn": Schema(Type.INT64, optional=True),
                "ts_ms": Schema(Type.INT64),
            }
        ),
        "op": cs.string(),
        "ts_ms": Schema(Type.INT64, optional=True),
    },
    "pagila.public.actor.Envelope",
)
SOURCE = {"db": "pagila", "lsn": 10, "ts_ms": 99}
OLD, NEW = {"id": 1, "to": "old"}, {"id": 1, "to": "new"}
EVENTS = [
    {"before": None, "after": OLD, "source": SOURCE, "op": "c", "ts_ms": 100},
    {"before": OLD, "after": NEW, "source": SOURCE, "op": "u", "ts_ms": 101},
    {"before": OLD, "after": None, "source": SOURCE, "op": "d", "ts_ms": 102},
    None,
    {"before": None, "after": None, "source": SOURCE, "op": "t", "ts_ms": 103},
]


@pytest.mark.parametrize(
    ("options", "handling"),
    [
        ({}, Handling("null", False)),
        ({"delete.tombstone.handling.mode": "DROP"}, Handling("drop", False)),
        ({"delete.tombstone.handling.mode": "rewrite"}, Handling("rewrite", False)),
        ({"delete.tombstone.handling.mode": "rewrite-with-tombstone"}, Handling("rewrite", True)),
        ({"delete.tombstone.handling.mode": "delete-to-tombstone"}, Handling("null", False, False)),
        (
            {"drop.tombstones": "false", "delete.handling.mode": "rewrite"},
            Handling("rewrite", True),
        ),
        ({"drop.tombstones": "false"}, Handling("drop", True)),
        ({"delete.handling.mode": "none"}, Handling("null", False)),
    ],
)
def test_both_ways_to_say_what_becomes_of_deletes(options, handling):
    assert Handling.of(parse(KEYS, options)) == handling


@pytest.mark.parametrize(
    ("text", "reference"),
    [
        ("op", Reference(None, "op", "__op")),
        ("table", Reference("source", "table", "__table")),
        ("source.ts_ms", Reference("source", "ts_ms", "__source_ts_ms")),
        ("total_order", Reference("transaction", "total_order", "__total_order")),
        ("source.ts_ms:WHEN", Reference("source", "ts_ms", "__WHEN")),
    ],
)
def test_where_added_fields_lie(text, reference):
    assert Reference.parse(text, "__") == reference


@pytest.mark.spark
class TestRunning:
    def test_the_walk_throughs_options(self, connect):
        options = {
            "drop.tombstones": "false",
            "delete.handling.mode": "rewrite",
            "add.fields": "op,db,lsn,source.ts_ms,absent",
            "add.headers": "op",
        }
        result = connect.apply(TYPE, options, EVENTS, EVENT)
        added = {"__db": "pagila", "__lsn": 10, "__source_ts_ms": 99}
        assert result.values == [
            OLD | {"__deleted": "false", "__op": "c"} | added,
            NEW | {"__deleted": "false", "__op": "u"} | added,
            OLD | {"__deleted": "true", "__op": "d"} | added,
            None,
        ]
        assert result.headers == [
            [("__op", b"c")],
            [("__op", b"u")],
            [("__op", b"d")],
            [("__op", b"d")],
        ]
        assert result.column("value_typed") == [True, True, True, False]
        assert result.value_schema.field("__op") == cs.string(optional=True)
        assert result.value_schema.name == "pagila.public.actor.Value"

    def test_the_other_modes(self, connect):
        plain = connect.apply(TYPE, {}, EVENTS, EVENT)
        assert plain.values == [OLD, NEW, None]
        assert plain.column("value_typed") == [True, True, True]
        assert plain.value_schema == ROW
        drop = connect.apply(TYPE, {"delete.tombstone.handling.mode": "drop"}, EVENTS, EVENT)
        assert drop.values == [OLD, NEW]
        gone = connect.apply(
            TYPE, {"delete.tombstone.handling.mode": "delete-to-tombstone"}, EVENTS, EVENT
        )
        assert gone.column("value_typed") == [True, True, False]

    def test_a_field_names_the_topic_and_other_records_pass(self, connect):
        routed = connect.apply(TYPE, {"route.by.field": "to"}, EVENTS, EVENT)
        assert routed.column("topic") == ["old", "new", "old"]
        assert connect.apply(TYPE, {"route.by.field": "id"}, EVENTS[:1], EVENT).errors == [
            "Field 'id' is not of type STRING"
        ]
        other = connect.apply(TYPE, {}, [OLD, None], ROW)
        assert other.values == [OLD]

    def test_names_of_the_first_releases(self, connect):
        options = {
            "operation.header": "true",
            "add.source.fields": "db,lsn",
            "delete.handling.mode": "drop",
        }
        result = connect.apply(TYPE, options, EVENTS[:3], EVENT)
        assert result.values == [row | {"__db": "pagila", "__lsn": 10} for row in (OLD, NEW)]
        assert result.headers == [[("__op", b"c")], [("__op", b"u")]]

    def test_prefixes_and_names_of_ones_own(self, connect):
        options = {
            "add.fields": "op:OP,source.lsn",
            "add.fields.prefix": "meta.",
            "add.headers": "db:DB",
            "add.headers.prefix": "h-",
        }
        result = connect.apply(TYPE, options, EVENTS[:1], EVENT)
        assert result.values == [OLD | {"meta.OP": "c", "meta.source_lsn": 10}]
        assert result.headers == [[("h-DB", b"pagila")]]

    def test_fields_that_a_header_names_go_before_others_are_added_to_a_delete(self, connect):
        """As Debezium 3.5 does it."""
        options = {
            "drop.fields.header.name": "gone",
            "delete.tombstone.handling.mode": "rewrite-with-tombstone",
            "add.fields": "db",
        }
        named = [("gone", b'["id", "to", "__db"]')]
        result = connect.apply(TYPE, options, EVENTS[1:4], EVENT, headers=[named] * 3)
        assert sorted(result.values, key=str) == [
            None,
            {"id": 1, "__deleted": "false"},
            {"id": 1, "__deleted": "true", "__db": "pagila"},
        ]

    def test_deletes_without_a_row_keep_its_schema(self, connect):
        options = {"drop.fields.header.name": "gone"}
        named = [("gone", b'["to"]')]
        result = connect.apply(TYPE, options, EVENTS[:3], EVENT, headers=[named] * 3)
        schemas = {batch.value for batch in result.batches if batch.frame.count()}
        assert schemas == {ROW, cs.struct({"id": Schema(Type.INT32)}, ROW.name)}
        assert sorted(result.values, key=str) == [None, {"id": 1}, {"id": 1}]

    def test_in_files_a_row_is_not_optional(self, connect):
        result = connect.apply(TYPE, {}, EVENTS[:3], EVENT, offset=[0, 1, 2])
        assert not result.value_schema.optional
        assert result.values == [OLD, NEW, None]
