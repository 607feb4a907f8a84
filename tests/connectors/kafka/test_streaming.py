"""Reader and writer together in streaming queries, as jobs use them: no batch visits Python."""

from __future__ import annotations

import json
import random
import uuid

import pytest

from headrace.catalog.connector import Changes
from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.read import read
from headrace.connectors.kafka.write import writer
from headrace.testing.spark import write_batch
from headrace.types import BIGINT, BYTES, DOUBLE, STRING, array, map_of, row, timestamp_ltz

pytestmark = [pytest.mark.spark, pytest.mark.services]

SCHEMA = "id BIGINT, name STRING, __weight BIGINT"


@pytest.fixture
def copy(spark, tmp_path):
    """Runs `source` into `sink` up to what the source holds now; the checkpoint is the same at every call."""

    def run(source, sink, *, changes=Changes.SCATTERED):
        names = [column.name for column in sink.physical_columns]
        frame = read(spark, source, names)
        target = writer(spark, sink, names, changes=changes)
        query = (
            target.prepare(frame._jdf)
            .writeStream()
            .foreachBatch(target)
            .option("checkpointLocation", str(tmp_path / "copy"))
            .trigger(spark._jvm.org.apache.spark.sql.streaming.Trigger.AvailableNow())
            .start()
        )
        query.awaitTermination()

    return run


def materialised(records):
    """What a reader of the topic sees in the end: the last value of every key, tombstones left out."""
    state = {}
    for record in records:
        state[json.loads(record.key())["id"]] = record.value()
    return {key: json.loads(value)["name"] for key, value in state.items() if value is not None}


@pytest.fixture
def target(served):
    return served | {"topic": f"out-{uuid.uuid4().hex[:12]}"}


def test_rows_go_from_topic_to_topic_and_a_restart_repeats_none(
    copy, kafka_table, served, target, topic, create_topic, produce, consume
):
    create_topic(topic)
    source, sink = kafka_table(served), kafka_table(target)
    produce(topic, {"value": '{"id": 1, "name": "a"}'})
    copy(source, sink)
    produce(topic, {"value": '{"id": 2, "name": "b"}'})
    copy(source, sink)
    ids = [json.loads(record.value())["id"] for record in consume(target["topic"])]
    assert ids == [1, 2]


def test_upserts_and_deletes_go_from_topic_to_topic(
    copy, upsert_table, served, target, topic, create_topic, produce, consume
):
    create_topic(topic)
    produce(
        topic,
        {"key": '{"id": 1}', "value": '{"id": 1, "name": "a"}'},
        {"key": '{"id": 2}', "value": '{"id": 2, "name": "b"}'},
        {"key": '{"id": 1}', "value": None},
        {"key": '{"id": 2}', "value": '{"id": 2, "name": "c"}'},
    )
    copy(upsert_table(served), upsert_table(target), changes=Changes.SINGLE)
    records = consume(target["topic"])
    assert materialised(records) == {2: "c"}
    assert [record.value() is None for record in records] == [False, False, True, False]


def test_random_batches_leave_the_topic_equal_to_the_table(spark, upsert_table, target, consume):
    """Each batch is the difference of two tables, told in any order and with changes that cancel."""
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    sink = upsert_table(target | {"sink.topic.partitions": "3"})
    target_writer = writer(spark, sink, ["id", "name"], changes=Changes.SCATTERED)
    table: dict[int, str] = {}
    for _ in range(6):
        changed = dict(table)
        for key in dice.sample(range(12), 6):
            changed.pop(key, None)
            if dice.random() < 0.6:
                changed[key] = dice.choice("abc")
        changes = [(*row, -1) for row in table.items()] + [(*row, 1) for row in changed.items()]
        brief = [(dice.randrange(12), "brief") for _ in range(3)]
        changes += [(*row, weight) for row in brief for weight in (1, -1)]
        dice.shuffle(changes)
        batch = spark.createDataFrame(spark.sparkContext.parallelize(changes, 3), SCHEMA)
        write_batch(target_writer, batch)
        table = changed
        records = consume(target["topic"])
        assert materialised(records) == table, f"seed {seed}"


def test_folding_writes_no_more_records_than_keys_changed(spark, upsert_table, target, consume):
    unchanged = [(key, "same", weight) for key in range(50) for weight in (-1, 1)]
    updated = [
        (key, name, weight) for key in range(50, 60) for name, weight in (("x", -1), ("y", 1))
    ]
    batch = spark.createDataFrame(unchanged + updated, SCHEMA)
    write_batch(
        writer(spark, upsert_table(target), ["id", "name"], changes=Changes.SCATTERED), batch
    )
    records = consume(target["topic"])
    assert sorted(json.loads(record.key())["id"] for record in records) == list(range(50, 60))


def test_a_batch_with_a_broadcast_join(spark, kafka_table, target, consume):
    batch = spark.sql(
        "SELECT /*+ BROADCAST(b) */ a.id, b.name, 1L AS __weight FROM range(3) a "
        "JOIN (SELECT id, string(id) AS name FROM range(3)) b ON a.id = b.id"
    )
    write_batch(
        writer(spark, kafka_table(target), ["id", "name"], changes=Changes.SCATTERED), batch
    )
    values = sorted(record.value().decode() for record in consume(target["topic"]))
    assert values == [f'{{"id":{n},"name":"{n}"}}' for n in range(3)]


ODD_COLUMNS = {
    "k_id": BIGINT,
    "a.b": STRING,
    "back`tick": DOUBLE,
    "offset": BIGINT,
    "k_value": STRING,
}


@pytest.mark.parametrize("format", ["json", "csv", "avro"])
def test_what_is_written_is_read_back(spark, upsert_table, target, run_to_end, format):
    """Names that need quoting or clash with Kafka's own, a key with a prefix, and tombstones."""
    options = target | {
        "key.format": format,
        "value.format": format,
        "key.fields-prefix": "k_",
        "value.fields-include": "EXCEPT_KEY",
    }
    if format == "csv":
        options["value.csv.null-literal"] = "NULL"
    if format == "avro":
        columns = {n.replace(".", "_").replace("`", "_"): t for n, t in ODD_COLUMNS.items()}
    else:
        columns = ODD_COLUMNS
    made = upsert_table(options, columns, primary_key=["k_value", "k_id"])
    schema = ", ".join(f"c{i} {type.spark()}" for i, type in enumerate(columns.values()))
    rows = [(1, "x", 1.5, 7, "p", 1), (2, None, None, 8, "q", 1), (3, "z", 2.5, 9, "r", -1)]
    names = [*columns, "__weight"]
    batch = spark.createDataFrame(rows, f"{schema}, w BIGINT").toDF(*names)
    write_batch(writer(spark, made, list(columns), changes=Changes.SINGLE), batch)
    found = run_to_end(read(spark, made, list(columns)))
    plain = [(*line[: len(columns)], line["__weight"]) for line in found]
    deleted = (3, None, None, None, "r", -1)
    assert sorted(plain, key=lambda line: line[0]) == [*rows[:2], deleted]


def test_metadata_that_is_written_is_read_back(spark, kafka_table, target, run_to_end):
    entries = array(row(key=STRING, value=BYTES))
    headers = MetadataColumn(name="h", type=map_of(STRING, BYTES), key="headers")
    listed = MetadataColumn(name="l", type=entries, key="header-list", virtual=True)
    at = MetadataColumn(name="timestamp", type=timestamp_ltz(3), key="timestamp")
    made = kafka_table(target, metadata=[headers, listed, at])
    batch = spark.sql(
        "SELECT 1L AS id, 'a' AS name, map('x', X'01') AS h, "
        "TIMESTAMP '2024-05-06 07:08:09.123 UTC' AS timestamp, 1L AS __weight"
    )
    write_batch(
        writer(spark, made, ["id", "name", "h", "timestamp"], changes=Changes.SCATTERED), batch
    )
    (found,) = run_to_end(read(spark, made, ["timestamp", "l", "h", "id"]))
    assert (found["h"], found["l"]) == ({"x": b"\x01"}, [("x", b"\x01")])
    assert found["timestamp"] == batch.first()["timestamp"]


def test_computed_projections_decode_nothing_that_is_not_asked(
    spark, kafka_table, target, run_to_end
):
    """A table of which only metadata is read still gives one row per record."""
    made = kafka_table(
        target, metadata=[MetadataColumn(name="o", type=BIGINT, key="offset", virtual=True)]
    )
    batch = spark.createDataFrame([(1, "a", 1), (2, "b", 1)], SCHEMA).coalesce(1)
    write_batch(writer(spark, made, ["id", "name"], changes=Changes.SCATTERED), batch)
    assert run_to_end(read(spark, made, ["o"])) == [(0, 1), (1, 1)]
    assert run_to_end(read(spark, made, []), "none") == [(1,), (1,)]
