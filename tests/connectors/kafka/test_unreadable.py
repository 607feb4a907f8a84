"""Records that cannot be read, in each mode: what arrives, what is counted, what lies in the dead-letter topic."""

from __future__ import annotations

import json
import uuid

import pytest

from headrace.connectors.kafka.read import read
from headrace.connectors.kafka.settings import settings_of
from headrace.connectors.kafka.unreadable import dead_letter_options, unreadable_spec
from headrace.errors import EnvironmentFault
from headrace.runtime.faults import translate

SKIP = {"headrace.errors.mode": "skip"}


def dead_letter(topic: str) -> dict[str, str]:
    return {
        "headrace.errors.mode": "dead-letter",
        "headrace.errors.dead-letter.topic": topic,
    }


def test_each_mode_as_the_reader_is_told(kafka_table):
    told = [
        unreadable_spec(settings_of(kafka_table(options)))
        for options in ({}, SKIP, dead_letter("letters"))
    ]
    assert told == [
        {"skips": False, "deadLetterTopic": None},
        {"skips": True, "deadLetterTopic": None},
        {"skips": True, "deadLetterTopic": "letters"},
    ]


def test_no_dead_letters_no_producer(kafka_table):
    assert dead_letter_options(None, settings_of(kafka_table(SKIP))) == {}


def test_dead_letters_are_written_without_the_interceptors_of_the_reader(kafka_table):
    class Admin:
        def partitions(self, topics):
            return dict.fromkeys(topics, 1)

    given = {"properties.interceptor.classes": "x.Y", "properties.security.protocol": "SSL"}
    made = settings_of(kafka_table(dead_letter("dead") | given))
    (properties,) = map(json.loads, dead_letter_options(Admin(), made).values())
    assert properties["security.protocol"] == "SSL"
    assert "interceptor.classes" not in properties


@pytest.fixture
def letters() -> str:
    return f"dead-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def skipped(spark, tmp_path):
    """Runs a stream to its end; its rows and the metrics of its source after the last batch."""

    def run(frame):
        rows = []
        query = (
            frame.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
            .option("checkpointLocation", str(tmp_path / "skipped"))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        progress = json.loads(query._jsq.lastProgress().json())
        metrics = progress["sources"][0].get("metrics") or {}
        counts = {name: n for name, n in metrics.items() if name.startswith("skipped/")}
        return sorted(rows, key=str), counts

    return run


@pytest.mark.spark
@pytest.mark.services
class TestReading:
    def test_skipping_counts_by_partition_and_keeps_the_rest(
        self, spark, kafka_table, served, topic, create_topic, produce, skipped
    ):
        create_topic(topic, 2)
        bad, good = b'{"id": 1, "na', '{"id": %d, "name": "a"}'
        for partition, values in enumerate([[good % 1, bad, good % 2], [bad, bad, good % 3]]):
            produce(topic, *({"value": value, "partition": partition} for value in values))
        rows, counts = skipped(read(spark, kafka_table(served | SKIP), ["id"]))
        assert rows == [(1, 1), (2, 1), (3, 1)]
        assert counts == {f"skipped/{topic}/0": "1", f"skipped/{topic}/1": "2"}

    def test_nothing_skipped_is_nothing_reported(
        self, spark, kafka_table, served, topic, create_topic, produce, skipped
    ):
        create_topic(topic)
        produce(topic, {"value": '{"id": 1}'})
        assert skipped(read(spark, kafka_table(served | SKIP), ["id"])) == ([(1, 1)], {})

    def test_dead_letters_are_the_records_and_what_was_wrong_with_them(
        self, spark, upsert_table, served, topic, letters, create_topic, produce, consume, skipped
    ):
        create_topic(topic)
        key = '{"id": 1}'
        produce(
            topic,
            {"key": key, "value": '{"id": 1, "name": "kept"}'},
            {
                "key": key,
                "value": '{"id": "x", "name": "a"}',
                "timestamp": 1_600_000_000_123,
                "headers": [("trace", b"\x00\xff"), ("trace", None)],
            },
            {"key": "no json", "value": None, "timestamp": 5},
            {"key": '{"id": 2}', "value": '{"id": 2, "name": "after"}'},
        )
        table = upsert_table(served | dead_letter(letters))
        rows, counts = skipped(read(spark, table, ["id", "name"]))
        assert [tuple(row)[:2] for row in rows] == [(1, "kept"), (2, "after")]
        assert counts == {f"skipped/{topic}/0": "2"}
        value, whole = sorted(consume(letters), key=lambda record: dict(_errors(record))["offset"])
        assert (value.key(), value.value()) == (key.encode(), b'{"id": "x", "name": "a"}')
        assert value.timestamp()[1] == 1_600_000_000_123
        assert value.headers()[:2] == [("trace", b"\x00\xff"), ("trace", None)]
        assert _errors(value) == [
            ("topic", topic),
            ("partition", "0"),
            ("offset", "1"),
            ("format", "json"),
            ("part", "value"),
            ("field", "id"),
            ("reason", "cannot read 'x' as BIGINT"),
        ]
        assert (whole.key(), whole.value(), whole.timestamp()[1]) == (b"no json", None, 5)
        said = dict(_errors(whole))
        assert (said["part"], said["offset"]) == ("key", "2")
        assert "field" not in said

    def test_dead_letters_the_broker_does_not_take_fail_the_batch(
        self, spark, kafka_table, served, topic, letters, create_topic, produce, skipped
    ):
        from pyspark.errors import StreamingQueryException

        create_topic(topic)
        produce(topic, {"value": '{"id": 1}'}, {"value": "x" * 2000})
        small = served | dead_letter(letters) | {"properties.max.request.size": "1000"}
        with pytest.raises(StreamingQueryException) as caught:
            skipped(read(spark, kafka_table(small), ["id"]))
        fault = translate(caught.value)
        assert isinstance(fault, EnvironmentFault)
        assert (fault.condition, letters in fault.summary) == ("WRITE_FAILED", True)

    def test_a_topic_that_must_not_be_made_is_missed_before_the_start(
        self, spark, kafka_table, served, topic, letters, create_topic
    ):
        create_topic(topic)
        options = served | dead_letter(letters) | {"properties.allow.auto.create.topics": "false"}
        with pytest.raises(EnvironmentFault) as caught:
            read(spark, kafka_table(options), ["id"])
        assert caught.value.condition == "UNKNOWN_TOPIC"
        assert letters in caught.value.summary


def _errors(record):
    return [
        (name.removeprefix("headrace.errors."), value.decode())
        for name, value in record.headers()
        if name.startswith("headrace.errors.")
    ]
