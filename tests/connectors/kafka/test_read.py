from __future__ import annotations

import datetime as dt
import json

import pytest

from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.read import read, topic_ids
from headrace.errors import EnvironmentFault
from headrace.types import BIGINT, BYTES, INT, STRING, map_of, row, timestamp_ltz
from headrace.types import array as array_of


def meta(key, type, name=None):
    return MetadataColumn(name=name or key, type=type, key=key, virtual=True)


@pytest.mark.spark
@pytest.mark.services
class TestReading:
    def test_rows_of_a_plain_table(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": 1, "name": "a"}'}, {"value": '{"name": "b"}'})
        frame = read(spark, kafka_table(served), ["id", "name"])
        assert frame.columns == ["id", "name", "__weight"]
        assert frame.isStreaming
        assert run_to_end(frame) == [(1, "a", 1), (None, "b", 1)]

    def test_only_the_asked_columns_in_the_asked_order(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": "not a number", "name": "a"}'})
        made = kafka_table(served, metadata=[meta("offset", BIGINT)])
        frame = read(spark, made, ["offset", "name"])
        assert frame.columns == ["offset", "name", "__weight"]
        assert run_to_end(frame) == [(0, "a", 1)]

    def test_an_upsert_table_has_tombstones_partition_and_offset(
        self, spark, upsert_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(
            topic,
            {"key": '{"id": 1}', "value": '{"id": 1, "name": "a"}'},
            {"key": '{"id": 1}', "value": None},
        )
        frame = read(spark, upsert_table(served), ["id", "name"])
        assert frame.columns == ["id", "name", "__partition", "__offset", "__weight"]
        assert run_to_end(frame) == [(1, "a", 0, 0, 1), (1, None, 0, 1, -1)]

    def test_of_a_keys_history_in_a_batch_only_the_newest_row_is_read(
        self, spark, upsert_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        rows = [(key, f"{'long ' * (n % 7)}{n}") for n in range(40) for key in range(50)]
        produce(
            topic,
            *(
                {"key": f'{{"id":{key}}}', "value": json.dumps({"id": key, "name": name})}
                for key, name in rows
            ),
        )
        made = upsert_table(served)
        found = run_to_end(made.connector.read_newest(spark, made, ["id", "name"]))
        assert sorted((row["id"], row["name"]) for row in found) == sorted(dict(rows).items())
        assert {row["__offset"] for row in found} == set(range(1950, 2000))

    def test_all_metadata(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic, retention_ms="-1")  # the record is older than any other would allow
        at = dt.datetime(2024, 5, 6, 7, 8, 9, 123000, dt.UTC)
        headers = [("h", b"1"), ("h", b"2"), ("n", None)]
        millis = int(at.timestamp() * 1000)
        produce(topic, {"value": '{"id": 1}', "headers": headers, "timestamp": millis})
        entries = array_of(row(key=STRING, value=BYTES))
        metadata = [
            meta("topic", STRING),
            meta("partition", INT),
            meta("offset", BIGINT),
            meta("timestamp", timestamp_ltz(3), "value"),
            meta("timestamp-type", STRING, "kind"),
            meta("leader-epoch", INT, "epoch"),
            meta("headers", map_of(STRING, BYTES)),
            meta("header-list", entries, "all`headers"),
        ]
        names = ["id", *(column.name for column in metadata)]
        made = kafka_table(served, metadata=metadata)
        (found,) = run_to_end(read(spark, made, names))
        assert found["topic"] == topic
        assert (found["partition"], found["offset"], found["kind"]) == (0, 0, "CreateTime")
        assert found["epoch"] == 0
        assert found["value"].astimezone(dt.UTC) == at
        assert found["headers"] == {"h": bytearray(b"2"), "n": None}
        assert found["all`headers"] == [("h", b"1"), ("h", b"2"), ("n", None)]

    def test_metadata_is_cast_to_the_declared_type(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": 1}', "headers": [("h", b"text")]})
        metadata = [meta("partition", STRING), meta("headers", map_of(STRING, STRING))]
        frame = read(spark, kafka_table(served, metadata=metadata), ["partition", "headers"])
        assert run_to_end(frame) == [("0", {"h": "text"}, 1)]

    def test_a_record_without_headers_has_an_empty_map(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": 1}'})
        made = kafka_table(served, metadata=[meta("headers", map_of(STRING, BYTES))])
        assert run_to_end(read(spark, made, ["headers"])) == [({}, 1)]

    def test_several_topics_and_patterns(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        names = [f"{topic}-a", f"{topic}-b"]
        for number, name in enumerate(names):
            create_topic(name)
            produce(name, {"value": json.dumps({"id": number})})
        listed = kafka_table(served | {"topic": ";".join(names)})
        matched = kafka_table(served | {"topic": None, "topic-pattern": f"{topic}-[ab]"})
        for run, made in (("listed", listed), ("matched", matched)):
            rows = run_to_end(read(spark, made, ["id"]), run)
            assert sorted(rows) == [(0, 1), (1, 1)]

    def test_an_upsert_table_reads_every_topic_its_pattern_matches_whole(
        self, spark, upsert_table, served, topic, create_topic, produce, run_to_end
    ):
        for number, name in enumerate((f"{topic}-1", f"{topic}-2", f"{topic}-x", f"{topic}-11")):
            create_topic(name)
            produce(name, {"key": f'{{"id": {number}}}', "value": f'{{"id": {number}}}'})
        # A possessive quantifier is Java's alone.
        made = upsert_table(served | {"topic": None, "topic-pattern": f"{topic}-[0-9]"})
        also = upsert_table(served | {"topic": None, "topic-pattern": f"{topic}-[0-9]++"})
        assert sorted(row["id"] for row in run_to_end(read(spark, made, ["id"]), "one")) == [0, 1]
        assert sorted(row["id"] for row in run_to_end(read(spark, also, ["id"]), "all")) == [
            0,
            1,
            3,
        ]

    def test_what_becomes_of_records_without_a_key_or_a_value(
        self, spark, kafka_table, upsert_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(
            topic,
            {"key": '{"id": 1}', "value": '{"id": 7, "name": "a"}'},
            {"key": None, "value": '{"id": 2, "name": "b"}'},
            {"key": None, "value": None},
            {"key": '{"id": 3}', "value": None},
            {"key": '{"id": 4}', "value": b""},
        )
        keyed = kafka_table(served | {"key.format": "json", "key.fields": "id"})
        found = run_to_end(read(spark, keyed, ["id", "name"]), "kafka")
        assert found == [(7, "a", 1)]  # of an overlap the value's copy
        rows = run_to_end(read(spark, upsert_table(served), ["id", "name"]), "upsert")
        assert [(row["id"], row["name"], row["__weight"]) for row in rows] == [
            (7, "a", 1),
            (3, None, -1),
        ]

    def test_a_restart_continues_from_the_checkpoint(
        self, spark, kafka_table, served, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        made = kafka_table(served)
        produce(topic, {"value": '{"id": 1}'})
        assert run_to_end(read(spark, made, ["id"])) == [(1, 1)]
        produce(topic, {"value": '{"id": 2}'})
        assert run_to_end(read(spark, made, ["id"])) == [(2, 1)]

    def test_a_missing_topic_fails_at_once(self, spark, kafka_table, served, topic):
        with pytest.raises(EnvironmentFault, match=f"topic '{topic}' does not exist") as caught:
            read(spark, kafka_table(served), ["id"])
        assert caught.value.condition == "UNKNOWN_TOPIC"

    def test_identity_is_the_topics_id(self, spark, kafka_table, served, topic, create_topic):
        create_topic(topic)
        found = topic_ids(spark, kafka_table(served))
        assert list(found) == [topic]
        assert topic_ids(spark, kafka_table(served)) == found
        pattern = kafka_table(served | {"topic": None, "topic-pattern": "t-.*"})
        assert topic_ids(spark, pattern) == {}
