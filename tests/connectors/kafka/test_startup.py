from __future__ import annotations

import json

import pytest

from headrace.connectors.kafka.read import read
from headrace.connectors.kafka.settings import settings_of
from headrace.connectors.kafka.startup import (
    EARLIEST,
    LATEST,
    partitions_of,
    starting_options,
    topics_of,
)
from headrace.errors import EnvironmentFault


class Cluster:
    """Answers of a cluster with topics `orders` (3 partitions) and `other` (1)."""

    servers = "broker:9092"

    def __init__(self, committed=None):
        self.committed = committed or {}

    def topics(self):
        return ["orders", "other"]

    def partitions(self, topics):
        return {name: count for name, count in {"orders": 3, "other": 1}.items() if name in topics}

    def committed_offsets(self, group):
        return self.committed.get(group, {})


def starting(table, cluster):
    settings = settings_of(table)
    options = starting_options(settings, cluster, partitions_of(settings, cluster))
    return json.loads(options["startingOffsets"])


def test_modes_that_spark_knows_need_no_answers(kafka_table, upsert_table):
    def options(table):
        return starting_options(settings_of(table), None, {})

    assert options(kafka_table()) == {"startingOffsets": "earliest"}
    latest = kafka_table({"scan.startup.mode": "latest-offset"})
    assert options(latest) == {"startingOffsets": "latest"}
    assert options(upsert_table()) == {"startingOffsets": "earliest"}
    at = {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "1234"}
    assert options(kafka_table(at)) == {
        "startingTimestamp": "1234",
        "startingOffsetsByTimestampStrategy": "latest",
    }


SPECIFIC = {
    "scan.startup.mode": "specific-offsets",
    "scan.startup.specific-offsets": "partition:0,offset:42;partition:2,offset:7",
}


def test_specific_offsets_fall_back_to_the_first(kafka_table):
    found = starting(kafka_table(SPECIFIC), Cluster())
    assert found == {"orders": {"0": 42, "1": EARLIEST, "2": 7}}


def test_specific_offsets_fall_back_to_the_groups(kafka_table):
    cluster = Cluster({"g": {"orders": {0: 1, 1: 5}}})
    made = kafka_table(SPECIFIC | {"properties.group.id": "g"})
    assert starting(made, cluster) == {"orders": {"0": 42, "1": 5, "2": 7}}


GROUP = {"scan.startup.mode": "group-offsets", "properties.group.id": "g"}


@pytest.mark.parametrize(("reset", "place"), [("earliest", EARLIEST), ("LATEST", LATEST)])
def test_group_offsets_reset_where_nothing_is_committed(kafka_table, reset, place):
    cluster = Cluster({"g": {"orders": {0: 10, 1: 11}}})
    made = kafka_table(GROUP | {"properties.auto.offset.reset": reset})
    assert starting(made, cluster) == {"orders": {"0": 10, "1": 11, "2": place}}


def test_group_offsets_without_a_commit_or_a_policy_fail(kafka_table):
    cluster = Cluster({"g": {"orders": {0: 10, 1: 11}}})
    with pytest.raises(EnvironmentFault, match="topic 'orders', partition 2") as caught:
        starting(kafka_table(GROUP), cluster)
    assert caught.value.condition == "NO_COMMITTED_OFFSET"
    assert "'properties.auto.offset.reset' = 'earliest'" in caught.value.cure


def test_a_missing_topic_is_named(kafka_table):
    for topic in ("ordres", "orders;ordres"):
        with pytest.raises(EnvironmentFault, match="topic 'ordres' does not exist") as caught:
            partitions_of(settings_of(kafka_table({"topic": topic})), Cluster())
        assert caught.value.where == "broker:9092"
        assert caught.value.cure == "did you mean 'orders'?"


def test_a_pattern_matches_whole_names(kafka_table):
    def matched(pattern):
        made = kafka_table({"topic": None, "topic-pattern": pattern})
        return topics_of(settings_of(made), Cluster())

    assert matched("o.*") == ["orders", "other"]
    assert matched("order") == []


def test_a_pattern_may_match_nothing_yet(kafka_table):
    made = kafka_table(GROUP | {"topic": None, "topic-pattern": "x.*"})
    assert starting(made, Cluster()) == {}


@pytest.mark.spark
@pytest.mark.services
class TestOnARealBroker:
    @pytest.fixture
    def start(self, spark, kafka_table, served, topic, create_topic, produce, run_to_end):
        """Ids read from a topic of ten records, one each second from 1000 ms, when started with `options`."""
        create_topic(topic)
        records = ({"value": f'{{"id": {n}}}', "timestamp": 1000 * (n + 1)} for n in range(10))
        produce(topic, *records)

        def run(options):
            rows = run_to_end(read(spark, kafka_table(served | options), ["id"]))
            return [row["id"] for row in rows]

        return run

    def test_earliest(self, start):
        assert start({"scan.startup.mode": "earliest-offset"}) == list(range(10))

    def test_latest(self, start):
        assert start({"scan.startup.mode": "latest-offset"}) == []

    def test_timestamp(self, start):
        options = {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "7500"}
        assert start(options) == [7, 8, 9]

    def test_timestamp_after_all_records_starts_at_the_end(self, start):
        options = {"scan.startup.mode": "timestamp", "scan.startup.timestamp-millis": "99999"}
        assert start(options) == []

    def test_specific_offsets(self, start):
        offsets = {"scan.startup.specific-offsets": "partition:0,offset:8"}
        assert start({"scan.startup.mode": "specific-offsets"} | offsets) == [8, 9]

    def test_group_offsets(self, start, topic, kafka_broker):
        from confluent_kafka import Consumer, TopicPartition

        group = {"bootstrap.servers": kafka_broker.address, "group.id": f"g-{topic}"}
        consumer = Consumer(group)
        consumer.commit(offsets=[TopicPartition(topic, 0, 6)], asynchronous=False)
        consumer.close()
        options = {"scan.startup.mode": "group-offsets", "properties.group.id": f"g-{topic}"}
        assert start(options) == [6, 7, 8, 9]
