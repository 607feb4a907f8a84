"""How records of one batch are told apart by their schemas, and the way from bytes to bytes."""

import json

import pytest

from headrace.connect.converters.batches import groups, read_batch, write_batch
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.converters.string_converter import StringConverter
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.chain import parse_chain


def test_nulls_go_with_a_schema_that_agrees():
    found = [("k", None), (None, None), ("k", "v"), ("k", "w"), ("l", None)]
    assert groups(found) == {
        ("k", "v"): [("k", "v"), ("k", None), (None, None)],
        ("k", "w"): [("k", "w")],
        ("l", None): [("l", None)],
    }


def test_tombstones_alone_are_a_batch():
    assert groups([(None, None)]) == {(None, None): [(None, None)]}
    assert groups([]) == {}


ROW = cs.struct(
    {"actor_id": Schema(Type.INT32), "name": cs.string()}, "pagila.public.actor.Value"
).made_optional()
EVENT = cs.struct(
    {
        "before": ROW,
        "after": ROW,
        "source": cs.struct({"db": cs.string()}, "source"),
        "op": cs.string(),
    },
    "pagila.public.actor.Envelope",
)
# As the walk-through's connector has them, and a topic of its own for what is deleted.
CHAIN = {
    "transforms": "unwrap, deleted",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.unwrap.add.fields": "op,db",
    "transforms.deleted.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.deleted.regex": "(.*)",
    "transforms.deleted.replacement": "$1.deleted",
    "transforms.deleted.predicate": "tombstone",
    "predicates": "tombstone",
    "predicates.tombstone.type": "org.apache.kafka.connect.transforms.predicates.RecordIsTombstone",
}


def change(op, before, after):
    payload = {"before": before, "after": after, "source": {"db": "pagila"}, "op": op}
    return json.dumps({"schema": EVENT.to_json(), "payload": payload}).encode()


@pytest.mark.spark
def test_changes_of_debezium_from_bytes_to_bytes(connect):
    old, new = {"actor_id": 1, "name": "PENELOPE"}, {"actor_id": 1, "name": "Penelope"}
    rows = [
        ("actor", b"1", change("c", None, old)),
        ("actor", b"1", change("u", old, new)),
        ("actor", b"1", change("d", old, None)),
        ("actor", b"1", None),
        ("actor", b"1", b"{}"),
    ]
    frame = connect.spark.createDataFrame(rows, "topic string, key binary, value binary")
    (records,) = read_batch(frame, StringConverter(), JsonConverter())
    (changed,) = parse_chain(CHAIN).apply(records)
    assert [row.topic for row in changed.bad().frame.collect()] == ["actor.deleted"]
    written = write_batch(changed.good(), StringConverter(), JsonConverter(schemas=False)).collect()
    assert [
        (row.topic, bytes(row.key), row.value and json.loads(bytes(row.value))) for row in written
    ] == [
        ("actor", b"1", old | {"__deleted": "false", "__op": "c", "__db": "pagila"}),
        ("actor", b"1", new | {"__deleted": "false", "__op": "u", "__db": "pagila"}),
        ("actor", b"1", old | {"__deleted": "true", "__op": "d", "__db": "pagila"}),
        ("actor.deleted", b"1", None),
    ]


@pytest.mark.spark
def test_a_batch_of_the_schemas_that_are_expected(connect):
    from headrace.connect.converters.batches import NEW_SCHEMA, only_tags, read_expected
    from headrace.connect.converters.json_converter import JsonConverter

    number, text = (f'{{"type":"{type}","optional":false}}' for type in ("int32", "string"))
    first = b'{"schema":%s,"payload":1}' % number.encode()
    second = b'{"schema":%s,"payload":"x"}' % text.encode()
    columns = "topic string, key binary, value binary"
    same = connect.spark.createDataFrame([("t", None, first), ("t", None, None)], columns)
    mixed = connect.spark.createDataFrame([("t", None, first), ("t", None, second)], columns)
    converter = JsonConverter()
    assert only_tags(mixed, converter, converter) is None
    tags = only_tags(same, converter, converter)
    assert tags == (None, number)
    rows = read_expected(mixed, converter, converter, tags).frame.collect()
    assert [row.error and row.error["class"] for row in rows] == [None, NEW_SCHEMA]
    assert rows[0].value == 1
    kept = read_expected(same, converter, converter, tags).frame.collect()
    assert [(row.value, row.error) for row in kept] == [(1, None), (None, None)]
