from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict

import pytest

from headrace.catalog.connector import Changes
from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.settings import settings_of
from headrace.connectors.kafka.write import (
    PRODUCER_DEFAULTS,
    live_writer,
    producer_properties,
    remarks,
    writer,
    writer_spec,
)
from headrace.errors import EnvironmentFault, InvalidOption
from headrace.runtime.faults import translate
from headrace.testing.spark import write_batch
from headrace.types import BYTES, STRING, map_of, row, timestamp_ltz
from headrace.types import array as array_of

SCHEMA = "id BIGINT, name STRING, __weight BIGINT"
EXACTLY = {"sink.delivery-guarantee": "exactly-once", "sink.transactional-id-prefix": "p"}
HEADERS = MetadataColumn(name="h", type=map_of(STRING, BYTES), key="headers")
TIMESTAMP = MetadataColumn(name="at", type=timestamp_ltz(3), key="timestamp")


def text(part):
    return None if part is None else part.decode()


def test_producer_defaults_give_way_to_the_table(kafka_table):
    options = {"properties.linger.ms": "0", "properties.group.id": "g"}
    made = kafka_table(options | {"properties.key.serializer": "a.b.C"})
    assert producer_properties(settings_of(made)) == {
        **PRODUCER_DEFAULTS,
        "linger.ms": "0",
        "bootstrap.servers": "broker:9092",
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"acks": "all", "enable.idempotence": "true"}),
        ({"sink.delivery-guarantee": "none"}, {"acks": "1", "enable.idempotence": "false"}),
        (
            {"sink.delivery-guarantee": "none", "properties.acks": "0"},
            {"acks": "0", "enable.idempotence": "false"},
        ),
        ({"properties.acks": "1"}, {"acks": "1", "enable.idempotence": "false"}),
        ({"properties.retries": "0"}, {"acks": "all", "enable.idempotence": "false"}),
        (EXACTLY, {"acks": "all", "transaction.timeout.ms": "900000"}),
        (
            EXACTLY | {"properties.transaction.timeout.ms": "60000"},
            {"transaction.timeout.ms": "60000"},
        ),
        (
            EXACTLY | {"sink.semantic": "at-least-once"},
            {"acks": "all", "transaction.timeout.ms": None},
        ),
        ({"sink.partitioner": "com.example.Mine"}, {"partitioner.class": "com.example.Mine"}),
        ({"sink.partitioner": "mine:choose"}, {"partitioner.class": None}),
    ],
)
def test_the_guarantee_and_the_partitioner_set_what_they_need(kafka_table, options, expected):
    found = producer_properties(settings_of(kafka_table(options)))
    assert {key: found.get(key) for key in expected} == expected


def test_serializers_are_remarked_upon(kafka_table):
    assert list(remarks(kafka_table())) == []
    (line,) = remarks(kafka_table({"properties.value.serializer": "a.b.C"}))
    assert line.startswith("'properties.value.serializer' of table 't' has no effect")


def test_the_specification_names_key_value_and_metadata(upsert_table):
    made = upsert_table(
        {"sink.parallelism": "3"},
        metadata=[HEADERS, MetadataColumn(name="o", type=STRING, key="topic", virtual=True)],
    )
    spec = writer_spec(settings_of(made), made, ["id", "name", "h"], changes=Changes.SINGLE)
    assert spec["key"]["columns"] == [["id", "id", "bigint"]]
    assert spec["value"]["columns"] == [["id", "id", "bigint"], ["name", "name", "string"]]
    assert (spec["headers"], spec["timestamp"], spec["headerList"]) == ("h", None, None)
    assert (spec["upsert"], spec["changes"], spec["parallelism"]) == (True, "single", 3)
    assert json.loads(json.dumps(spec)) == spec | {"topics": ["orders"]}


def test_the_specification_names_topics_and_the_column_that_chooses(kafka_table):
    column = MetadataColumn(name="where", type=STRING, key="topic")
    made = kafka_table({"topic": "a;b"}, metadata=[column])
    spec = writer_spec(settings_of(made), made, ["id", "where"], changes=Changes.SINGLE)
    assert (spec["topics"], spec["pattern"], spec["topicColumn"]) == (("a", "b"), None, "where")
    made = kafka_table({"topic": None, "topic-pattern": "a.*"}, metadata=[column])
    spec = writer_spec(settings_of(made), made, ["id"], changes=Changes.SINGLE)
    assert (spec["topics"], spec["pattern"], spec["topicColumn"]) == ((), "a.*", None)


@pytest.mark.parametrize(
    "options",
    [EXACTLY, {"sink.buffer-flush.max-rows": "2", "sink.buffer-flush.interval": "1 s"}],
)
def test_what_needs_batches_is_refused_without_them(upsert_table, options):
    with pytest.raises(InvalidOption, match="needs batches") as caught:
        live_writer(None, upsert_table(options), ["id"], None)
    assert caught.value.condition == "CONFLICTING_OPTIONS"


def test_only_the_fixed_partitioner_needs_the_writer(kafka_table, upsert_table):
    for made, fixed in (
        (kafka_table({"sink.partitioner": "fixed"}), True),
        (kafka_table({"sink.partitioner": "round-robin"}), False),
        (upsert_table(), False),
    ):
        spec = writer_spec(settings_of(made), made, ["id"], changes=Changes.SCATTERED)
        assert spec["fixedPartition"] is fixed


def by_kind_of_change(keys, values, partitions):
    return [["insert", "delete"].index(json.loads(v.as_py())["type"]) for v in values]


def by_last_digit(keys, values, partitions):
    """Numbers come out of the values, as the keys of plain tables are NULL."""
    assert len(keys) == len(values)
    return [json.loads(value.as_py())["id"] % 10 % partitions for value in values]


@pytest.fixture
def write(spark):
    """Writes rows through the connector's writer, as one batch of two tasks."""

    def run(table, rows, schema=SCHEMA, *, changes=Changes.SCATTERED, tasks=2):
        columns = [column.name for column in table.persisted_columns]
        made = writer(spark, table, columns, changes=changes)
        batch = spark.createDataFrame(spark.sparkContext.parallelize(rows, tasks), schema)
        write_batch(made, batch)

    return run


@pytest.mark.spark
@pytest.mark.services
class TestWriting:
    def test_plain_rows_have_no_key_and_keep_their_order(
        self, write, kafka_table, served, topic, consume
    ):
        rows = [(number, f"n{number}", 1) for number in range(100)]
        write(kafka_table(served), rows, tasks=1)
        records = consume(topic)
        assert {record.key() for record in records} == {None}
        assert [json.loads(record.value())["id"] for record in records] == list(range(100))

    def test_a_weight_is_a_number_of_records(self, write, kafka_table, served, topic, consume):
        write(kafka_table(served), [(1, "a", 3), (2, "b", 0)])
        values = [text(record.value()) for record in consume(topic)]
        assert values == ['{"id":1,"name":"a"}'] * 3

    def test_a_removal_never_reaches_an_append_only_topic(self, write, kafka_table, served, topic):
        with pytest.raises(Exception, match=f"append-only topic '{topic}' was given a removal"):
            write(kafka_table(served), [(1, "a", -1)])

    def test_key_fields_and_value_without_them(self, write, kafka_table, served, topic, consume):
        options = {
            "key.format": "json",
            "key.fields": "id",
            "value.fields-include": "EXCEPT_KEY",
        }
        write(kafka_table(served | options), [(1, "a", 1)])
        (record,) = consume(topic)
        assert (text(record.key()), text(record.value())) == ('{"id":1}', '{"name":"a"}')

    def test_changes_of_any_kind_in_messages(self, write, kafka_table, served, topic, consume):
        rows = [(1, "a", 1), (1, "a", -2), (2, None, 1)]
        write(kafka_table(served | {"format": "canal-json"}), rows, tasks=1)
        assert [text(record.value()) for record in consume(topic)] == [
            '{"data":[{"id":1,"name":"a"}],"type":"INSERT"}',
            '{"data":[{"id":1,"name":"a"}],"type":"DELETE"}',
            '{"data":[{"id":1,"name":"a"}],"type":"DELETE"}',
            '{"data":[{"id":2,"name":null}],"type":"INSERT"}',
        ]

    def test_changes_of_a_key_are_netted_with_removals_first(
        self, write, kafka_table, served, topic, consume
    ):
        options = {"format": "debezium-json", "key.format": "json", "key.fields": "id"}
        without_nulls = {"debezium-json.encode.ignore-null-fields": "true"}
        rows = [
            (1, "new", 1),
            (1, "old", -1),
            (2, "brief", 1),
            (2, "brief", -1),
            (1, "old", 1),
            (1, "old", -1),
        ]
        write(kafka_table(served | options | without_nulls), rows)
        assert [(text(record.key()), text(record.value())) for record in consume(topic)] == [
            ('{"id":1}', '{"before":{"id":1,"name":"old"},"op":"d"}'),
            ('{"id":1}', '{"after":{"id":1,"name":"new"},"op":"c"}'),
        ]

    def test_upserts_and_tombstones_in_order_without_folding(
        self, write, upsert_table, served, topic, consume
    ):
        rows = [(1, "a", 1), (1, None, -1), (1, "b", 1), (2, None, -1)]
        write(upsert_table(served), rows, changes=Changes.SINGLE, tasks=1)
        found = [(text(record.key()), text(record.value())) for record in consume(topic)]
        assert found == [
            ('{"id":1}', '{"id":1,"name":"a"}'),
            ('{"id":1}', None),
            ('{"id":1}', '{"id":1,"name":"b"}'),
            ('{"id":2}', None),
        ]

    def test_folding_leaves_one_record_per_key(self, write, upsert_table, served, topic, consume):
        rows = [
            (1, "new", 1),
            (1, "old", -1),
            (2, "gone", -1),
            (3, "came and went", 1),
            (3, "came and went", -1),
            (4, "old", -1),
            (4, "brief", 1),
            (4, "brief", -1),
            (5, "same", -1),
            (5, "same", 1),
            (5, "next", 1),
            (5, "same", -1),
        ]
        write(upsert_table(served), rows)
        found = {json.loads(r.key())["id"]: text(r.value()) for r in consume(topic)}
        assert len(consume(topic)) == 4
        assert found == {
            1: '{"id":1,"name":"new"}',
            2: None,
            4: None,
            5: '{"id":5,"name":"next"}',
        }

    def test_a_change_of_metadata_alone_is_written(
        self, write, upsert_table, served, topic, consume
    ):
        schema = "id BIGINT, name STRING, h MAP<STRING, BINARY>, __weight BIGINT"
        rows = [(1, "a", {"v": b"1"}, -1), (1, "a", {"v": b"2"}, 1), (2, "b", {"v": b"1"}, 1)]
        rows.append((2, "b", {"v": b"1"}, -1))
        write(upsert_table(served, metadata=[HEADERS]), rows, schema)
        (record,) = consume(topic)
        assert record.headers() == [("v", b"2")]

    def test_timestamp_and_headers(self, write, kafka_table, served, topic, consume):
        at = dt.datetime(2024, 5, 6, 7, 8, 9, 123000, dt.UTC)
        schema = "id BIGINT, name STRING, h MAP<STRING, BINARY>, at TIMESTAMP, __weight BIGINT"
        rows = [(1, "a", {"x": b"1", "y": None}, at, 1), (2, "b", None, None, 1)]
        before = dt.datetime.now(dt.UTC).timestamp() * 1000 - 1
        write(kafka_table(served, metadata=[HEADERS, TIMESTAMP]), rows, schema, tasks=1)
        first, second = consume(topic)
        assert sorted(first.headers()) == [("x", b"1"), ("y", None)]
        assert first.timestamp()[1] == int(at.timestamp() * 1000)
        assert not second.headers()
        assert second.timestamp()[1] >= before

    def test_header_list_keeps_order_and_repeats(self, write, kafka_table, served, topic, consume):
        entries = array_of(row(key=STRING, value=BYTES))
        column = MetadataColumn(name="l", type=entries, key="header-list")
        schema = (
            "id BIGINT, name STRING, l ARRAY<STRUCT<key: STRING, value: BINARY>>, __weight BIGINT"
        )
        listed = [("b", b"1"), None, (None, b"x"), ("a", b"2"), ("b", b"3")]
        write(kafka_table(served, metadata=[column]), [(1, "a", listed, 1)], schema)
        (record,) = consume(topic)
        assert record.headers() == [("b", b"1"), ("a", b"2"), ("b", b"3")]

    def test_kafkas_hash_of_the_key_chooses_the_partition(
        self, write, upsert_table, served, topic, consume, produce
    ):
        options = served | {"sink.topic.partitions": "4"}
        write(upsert_table(options), [(number, "x", 1) for number in range(50)])
        produce(topic, *({"key": f'{{"id":{number}}}', "value": b"y"} for number in range(50)))
        places = defaultdict(set)
        for record in consume(topic):
            places[record.key()].add(record.partition())
        assert len(places) == 50
        assert {len(partitions) for partitions in places.values()} == {1}
        assert set.union(*places.values()) == {0, 1, 2, 3}

    def test_fixed_partitioner_gives_each_task_its_own(
        self, write, kafka_table, served, topic, consume
    ):
        options = served | {"sink.partitioner": "fixed", "sink.topic.partitions": "3"}
        write(kafka_table(options), [(number, "x", 1) for number in range(10)], tasks=2)
        ids = defaultdict(list)
        for record in consume(topic):
            ids[record.partition()].append(json.loads(record.value())["id"])
        assert ids == {0: [0, 1, 2, 3, 4], 1: [5, 6, 7, 8, 9]}

    def test_a_class_of_ones_own_chooses_partitions(
        self, write, kafka_table, served, topic, consume
    ):
        mine = "org.apache.kafka.clients.producer.RoundRobinPartitioner"
        options = served | {"sink.partitioner": mine, "sink.topic.partitions": "3"}
        write(kafka_table(options), [(number, "x", 1) for number in range(9)], tasks=1)
        # Kafka's own choice would be one partition for so few; this class passes over some at the start of requests.
        assert len({record.partition() for record in consume(topic)}) > 1

    @pytest.mark.parametrize("upsert", [True, False])
    def test_a_python_function_chooses_partitions(
        self, write, kafka_table, upsert_table, served, topic, consume, upsert
    ):
        options = served | {
            "sink.partitioner": f"{__name__}:by_last_digit",
            "sink.topic.partitions": "3",
        }
        table = upsert_table(options) if upsert else kafka_table(options)
        write(table, [(number, "x", 1) for number in range(20)])
        found = {json.loads(r.value())["id"]: r.partition() for r in consume(topic)}
        assert found == {number: number % 10 % 3 for number in range(20)}

    def test_a_python_function_sees_whole_messages_of_changes(
        self, write, kafka_table, served, topic, consume
    ):
        options = {
            "format": "maxwell-json",
            "sink.partitioner": f"{__name__}:by_kind_of_change",
            "sink.topic.partitions": "2",
        }
        write(kafka_table(served | options), [(1, "x", -1), (1, "y", 1), (2, "z", 1)])
        found = sorted((r.partition(), json.loads(r.value())["type"]) for r in consume(topic))
        assert found == [(0, "insert"), (0, "insert"), (1, "delete")]

    @pytest.mark.parametrize("pattern", [True, False])
    def test_each_row_names_its_topic(
        self, write, kafka_table, served, topic, consume, create_topic, pattern
    ):
        names = [f"{topic}-a", f"{topic}-b"]
        options = served | {"topic": ";".join(names)}
        if pattern:
            options |= {"topic": None, "topic-pattern": f"{topic}-."}
            for name in names:
                create_topic(name)
        column = MetadataColumn(name="where", type=STRING, key="topic")
        table = kafka_table(options, metadata=[column])
        schema = "id BIGINT, name STRING, where STRING, __weight BIGINT"
        write(table, [(number, "x", names[number % 2], 1) for number in range(6)], schema)
        found = [[json.loads(r.value())["id"] for r in consume(name)] for name in names]
        assert [sorted(ids) for ids in found] == [[0, 2, 4], [1, 3, 5]]
        for wrong, told in ((None, "NULL"), (f"{topic}-other", f"'{topic}-other'")):
            with pytest.raises(Exception, match="WRONG_TOPIC") as caught:
                write(table, [(1, "x", wrong, 1)], schema)
            error = translate(str(caught.value))
            assert (error.condition, error.found) == ("WRONG_TOPIC", f"topic {told}")
            assert (f"a match of '{topic}-.'" if pattern else ";".join(names)) in error.expected

    def test_a_key_that_moves_to_another_topic_leaves_the_first(
        self, write, upsert_table, served, topic, consume
    ):
        names = [f"{topic}-a", f"{topic}-b"]
        column = MetadataColumn(name="where", type=STRING, key="topic")
        table = upsert_table(served | {"topic": ";".join(names)}, metadata=[column])
        schema = "id BIGINT, name STRING, where STRING, __weight BIGINT"
        write(table, [(1, "x", names[0], -1), (1, "x", names[1], 1)], schema)
        ((gone,), (came,)) = (consume(name) for name in names)
        assert gone.value() is None
        assert json.loads(came.value()) == {"id": 1, "name": "x"}

    def test_a_buffer_writes_the_last_change_of_each_key(
        self, write, upsert_table, served, topic, consume
    ):
        options = {"sink.buffer-flush.max-rows": "2", "sink.buffer-flush.interval": "1 s"}
        rows = [(1, "a", 1), (1, "b", 1), (2, "c", 1), (1, "d", 1), (1, None, -1), (3, "e", 1)]
        rows += [(3, "f", 1)]
        write(upsert_table(served | options), rows, changes=Changes.SINGLE, tasks=1)
        found = [(json.loads(r.key())["id"], text(r.value())) for r in consume(topic)]
        assert found == [
            (1, '{"id":1,"name":"b"}'),
            (2, '{"id":2,"name":"c"}'),
            (1, None),
            (3, '{"id":3,"name":"e"}'),
            (3, '{"id":3,"name":"f"}'),
        ]

    def test_a_raw_null_is_a_record_without_a_value(
        self, write, kafka_table, served, topic, consume
    ):
        table = kafka_table(served | {"format": "raw"}, {"name": STRING})
        write(table, [("a", 1), (None, 1)], "name STRING, __weight BIGINT", tasks=1)
        assert [record.value() for record in consume(topic)] == [b"a", None]

    @pytest.mark.parametrize("keyed", [True, False])
    def test_parallelism_is_the_number_of_writing_tasks(
        self, write, kafka_table, served, topic, consume, keyed
    ):
        options = served | {
            "sink.partitioner": "fixed",
            "sink.topic.partitions": "5",
            "sink.parallelism": "3",
        }
        if keyed:
            options |= {"key.format": "json", "key.fields": "id"}
        write(kafka_table(options), [(number, "x", 1) for number in range(60)])
        records = consume(topic)
        assert len(records) == 60
        assert {record.partition() for record in records} == {0, 1, 2}

    def test_the_batch_is_evaluated_once(self, spark, upsert_table, served):
        seen = spark.sparkContext.accumulator(0)

        def count(line):
            seen.add(1)
            return line

        rows = spark.sparkContext.parallelize([(1, "a", 1), (2, "b", 1)], 2).map(count)
        made = writer(spark, upsert_table(served), ["id", "name"], changes=Changes.SCATTERED)
        batch = spark.createDataFrame(rows, SCHEMA)
        write_batch(made, batch)
        assert seen.value == 2

    def test_an_empty_batch_writes_nothing(self, write, upsert_table, served, topic, consume):
        write(upsert_table(served), [])
        assert consume(topic) == []

    def test_a_failed_write_names_topic_and_cause(self, write, kafka_table, served, topic, consume):
        made = kafka_table(served | {"properties.max.request.size": "1000"})
        with pytest.raises(Exception, match=f"topic={topic} servers=.* unwritten: ") as caught:
            write(made, [(1, "x" * 5000, 1)])
        assert "max.request.size" in str(caught.value)
        write(made, [(2, "fits", 1)])
        assert [json.loads(record.value())["id"] for record in consume(topic)] == [2]


@pytest.mark.spark
@pytest.mark.services
class TestTopicCreation:
    @pytest.fixture
    def admin(self, spark, kafka_broker):
        return KafkaAdmin(spark, {"bootstrap.servers": kafka_broker.address})

    @pytest.mark.parametrize(
        ("options", "policy"),
        [({}, "compact"), ({"sink.topic.cleanup-policy": "delete"}, "delete")],
    )
    def test_upsert_topics_are_compacted_unless_told(
        self, spark, upsert_table, served, topic, admin, options, policy
    ):
        made = upsert_table(served | options | {"sink.topic.partitions": "2"})
        writer(spark, made, ["id", "name"], changes=Changes.SCATTERED)
        assert admin.partitions([topic]) == {topic: 2}
        assert admin.config(topic)["cleanup.policy"] == policy

    def test_an_existing_topic_is_left_alone(self, spark, upsert_table, served, topic, admin):
        admin.create(topic, partitions=1, config={"cleanup.policy": "delete"})
        writer(spark, upsert_table(served), ["id", "name"], changes=Changes.SCATTERED)
        assert admin.config(topic)["cleanup.policy"] == "delete"

    def test_creation_can_be_forbidden(self, spark, kafka_table, served, topic, admin):
        made = kafka_table(served | {"properties.allow.auto.create.topics": "false"})
        with pytest.raises(EnvironmentFault, match="must not be created") as caught:
            writer(spark, made, ["id", "name"], changes=Changes.SCATTERED)
        assert caught.value.condition == "UNKNOWN_TOPIC"
        assert topic not in admin.topics()
