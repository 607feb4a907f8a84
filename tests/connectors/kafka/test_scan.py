from __future__ import annotations

import json

import pytest

from headrace.connectors.kafka.read import read
from headrace.connectors.kafka.scan import (
    CONSUMER_DEFAULTS,
    consumer_options,
    consumer_properties,
    scan_spec,
)
from headrace.connectors.kafka.settings import settings_of
from headrace.runtime.faults import translate
from headrace.testing.topics import eventually

DISCOVERY = "scan.topic-partition-discovery.interval"


def spec(table):
    made = scan_spec(settings_of(table))
    return json.loads(json.dumps(made))


def test_a_plain_table(kafka_table):
    assert spec(kafka_table()) == {
        "topics": ["orders"],
        "pattern": None,
        "start": {"at": "earliest"},
        "end": None,
        "discoveryMillis": 300_000,
        "parallelism": None,
        "commitTo": None,
        "goesOn": False,
    }


def test_topics_are_a_list_or_a_pattern(kafka_table, upsert_table):
    assert spec(kafka_table({"topic": " a ;; b;"}))["topics"] == ["a", "b"]
    for make in (kafka_table, upsert_table):
        made = spec(make({"topic": None, "topic-pattern": "a.*"}))
        assert (made["topics"], made["pattern"]) == (None, "a.*")


@pytest.mark.parametrize(
    ("interval", "millis"), [("0", 0), ("1500", 1500), ("2 s", 2000), ("1 h", 3_600_000)]
)
def test_discovery_goes_by_the_tables_interval(kafka_table, interval, millis):
    assert spec(kafka_table({DISCOVERY: interval}))["discoveryMillis"] == millis


def test_an_end_switches_discovery_off(kafka_table, upsert_table):
    ends = {"scan.bounded.mode": "latest-offset", DISCOVERY: "1 s"}
    for make in (kafka_table, upsert_table):
        made = spec(make(ends))
        assert made["end"] == {"at": "latest"}
        assert made["discoveryMillis"] == 0


def test_what_else_a_table_says(kafka_table):
    options = {
        "scan.parallelism": "2",
        "properties.group.id": "g",
        "headrace.scan.on-data-loss": "continue",
    }
    made = spec(kafka_table(options))
    assert (made["parallelism"], made["commitTo"], made["goesOn"]) == (2, "g", True)


PROPERTIES = {
    "properties.fetch.max.wait.ms": "100",
    "properties.isolation.level": "read_committed",
    "properties.group.id": "g",
    "properties.auto.offset.reset": "earliest",
    "properties.enable.auto.commit": "true",
    "properties.client.id.prefix": "reports",
    "properties.value.deserializer": "x.Y",
    "properties.interceptor.classes": "x.Z",
}


def test_client_properties_override_the_defaults_and_our_own_stay_out(kafka_table):
    found = consumer_properties(settings_of(kafka_table(PROPERTIES)))
    assert found == {
        **CONSUMER_DEFAULTS,
        "bootstrap.servers": "broker:9092",
        "fetch.max.wait.ms": "100",
        "isolation.level": "read_committed",
        "client.id": "reports",
        "value.deserializer": "x.Y",
        "interceptor.classes": "x.Z",
    }


def test_a_client_id_of_ones_own_is_kept(kafka_table):
    given = {"properties.client.id": "mine", "properties.client.id.prefix": "reports"}
    assert consumer_properties(settings_of(kafka_table(given)))["client.id"] == "mine"


def test_sparks_batch_reader_gets_what_it_takes(kafka_table):
    options = consumer_options(settings_of(kafka_table(PROPERTIES)))
    assert options["kafka.isolation.level"] == "read_committed"
    assert options["kafka.max.poll.records"] == CONSUMER_DEFAULTS["max.poll.records"]
    refused = {"kafka.value.deserializer", "kafka.interceptor.classes", "kafka.auto.offset.reset"}
    assert not refused & set(options)


def records(*ids, **more):
    return ({"value": json.dumps({"id": number}), **more} for number in ids)


def ids(rows):
    return sorted(row["id"] for row in rows)


@pytest.mark.spark
@pytest.mark.services
class TestOnARealBroker:
    @pytest.fixture
    def stream(self, spark, kafka_table, served):
        def make(options=None, columns=("id",), **kwargs):
            return read(spark, kafka_table(served | (options or {}), **kwargs), columns)

        return make

    @pytest.fixture
    def grow(self, kafka_broker):
        from confluent_kafka.admin import AdminClient, NewPartitions

        def add(name, partitions):
            admin = AdminClient({"bootstrap.servers": kafka_broker.address})
            for future in admin.create_partitions([NewPartitions(name, partitions)]).values():
                future.result(20)

        return add

    @pytest.fixture
    def committed(self, kafka_broker, topic):
        """Offsets of the two first partitions that a group has committed; None for none."""
        from confluent_kafka import Consumer, TopicPartition

        def ask(group):
            consumer = Consumer({"bootstrap.servers": kafka_broker.address, "group.id": group})
            places = consumer.committed([TopicPartition(topic, number) for number in (0, 1)], 30)
            consumer.close()
            return [place.offset if place.offset >= 0 else None for place in places]

        return ask

    @pytest.fixture
    def expire(self, kafka_broker):
        from confluent_kafka import TopicPartition
        from confluent_kafka.admin import AdminClient

        def delete_before(name, offset):
            admin = AdminClient({"bootstrap.servers": kafka_broker.address})
            for future in admin.delete_records([TopicPartition(name, 0, offset)]).values():
                future.result(20)

        return delete_before

    def test_topics_and_partitions_that_come_while_a_job_runs_are_read_from_their_beginning(
        self, stream, topic, create_topic, produce, running, run_to_end, grow
    ):
        create_topic(f"{topic}-a")
        produce(f"{topic}-a", *records(1))
        matched = {
            "topic": None,
            "topic-pattern": f"{topic}-.*",
            "scan.startup.mode": "latest-offset",
        }
        looking, rows = running(stream(matched | {DISCOVERY: "100 ms"}), "looking")
        once, others = running(stream({"topic": f"{topic}-a", DISCOVERY: "0"}), "once")
        eventually(lambda: ids(others), lambda found: found == [1])
        looking.processAllAvailable()
        grow(f"{topic}-a", 2)
        produce(f"{topic}-a", *records(2, partition=1), *records(3, partition=0))
        create_topic(f"{topic}-b")
        produce(f"{topic}-b", *records(4))
        eventually(lambda: ids(rows), lambda found: found == [2, 3, 4])
        eventually(lambda: ids(others), lambda found: found == [1, 3])
        once.processAllAvailable()
        once.stop()
        assert ids(others) == [1, 3]
        restarted = run_to_end(stream({"topic": f"{topic}-a", DISCOVERY: "0"}), "once")
        assert ids(restarted) == [2]

    def test_a_partition_is_read_in_order_by_one_of_at_most_as_many_tasks_as_told(
        self, stream, topic, create_topic, produce, tmp_path
    ):
        create_topic(topic, 3)
        for number in range(3):
            produce(topic, *records(*range(100 * number, 100 * number + 50), partition=number))
        tasks = {}

        def look(batch, _):
            per_task = batch.rdd.glom().map(lambda rows: [row["id"] for row in rows]).collect()
            tasks[parallelism] = [found for found in per_task if found]

        for parallelism in (None, "2", "9"):
            frame = stream({"scan.parallelism": parallelism})
            checkpoint = str(tmp_path / f"tasks-{parallelism}")
            frame.writeStream.foreachBatch(look).option("checkpointLocation", checkpoint).trigger(
                availableNow=True
            ).start().awaitTermination()
        runs = [list(range(100 * number, 100 * number + 50)) for number in range(3)]
        assert tasks == {None: runs, "2": [runs[0] + runs[2], runs[1]], "9": runs}

    def test_the_group_is_told_what_was_read_and_others_are_not(
        self, stream, topic, create_topic, produce, run_to_end, commit, committed
    ):
        create_topic(topic, 2)
        produce(topic, *records(1, 2, partition=0))
        silent = {"properties.commit.offsets.on.checkpoint": "false"}
        run_to_end(stream({"properties.group.id": f"silent-{topic}"} | silent), "silent")
        assert committed(f"silent-{topic}") == [None, None]
        run_to_end(stream({"properties.group.id": f"told-{topic}"}), "told")
        assert committed(f"told-{topic}") == [2, 0]
        commit(f"told-{topic}", topic, {0: 0})
        produce(topic, *records(3, partition=1))
        # The checkpoint counts, not what the group was told by somebody else.
        rows = run_to_end(stream({"properties.group.id": f"told-{topic}"}), "told")
        assert ids(rows) == [3]
        assert committed(f"told-{topic}") == [2, 1]

    def test_a_commit_that_the_group_does_not_take_stops_nothing(
        self, stream, topic, create_topic, produce, run_to_end, kafka_broker, committed
    ):
        from confluent_kafka import Consumer

        create_topic(topic, 2)
        produce(topic, *records(1))
        member = Consumer(
            {
                "bootstrap.servers": kafka_broker.address,
                "group.id": f"taken-{topic}",
                "enable.auto.commit": False,
            }
        )
        member.subscribe([topic])
        try:
            eventually(lambda: member.poll(0.1) or member.assignment(), bool)
            assert ids(run_to_end(stream({"properties.group.id": f"taken-{topic}"}))) == [1]
            assert committed(f"taken-{topic}") == [None, None]
        finally:
            member.close()

    def test_records_of_transactions_that_were_not_committed_are_not_read(
        self, stream, topic, create_topic, run_to_end, kafka_broker
    ):
        from confluent_kafka import Producer

        create_topic(topic)
        settings = {"bootstrap.servers": kafka_broker.address, "transactional.id": topic}
        producer = Producer(settings)
        producer.init_transactions(30)
        for number, ends in ((1, "commit"), (2, "abort"), (3, "commit"), (4, "abort"), (5, "")):
            producer.begin_transaction()
            producer.produce(topic, json.dumps({"id": number}))
            producer.flush(30)
            if ends:
                getattr(producer, f"{ends}_transaction")(30)
        committed = {"properties.isolation.level": "read_committed"}
        bounded = committed | {"scan.bounded.mode": "latest-offset"}
        assert ids(run_to_end(stream(bounded), "bounded")) == [1, 3]
        assert ids(run_to_end(stream(committed), "committed")) == [1, 3]
        assert ids(run_to_end(stream(), "all")) == [1, 2, 3, 4, 5]
        producer.abort_transaction(30)

    def test_expired_records_stop_a_job_unless_it_is_told_to_go_on(
        self, stream, topic, create_topic, produce, run_to_end, expire
    ):
        create_topic(topic)
        produce(topic, *records(*range(4)))
        assert ids(run_to_end(stream())) == [0, 1, 2, 3]
        produce(topic, *records(*range(4, 10)))
        expire(topic, 7)
        with pytest.raises(Exception, match="SOURCE_GONE") as caught:
            run_to_end(stream())
        fault = translate(caught.value)
        assert fault.condition == "OFFSETS_GONE"
        assert (fault.where, fault.found) == ("partition 0, offset 4", "offsets 7 to 9")
        going_on = {"headrace.scan.on-data-loss": "continue"}
        assert ids(run_to_end(stream(going_on))) == [7, 8, 9]

    def test_a_topic_made_anew_stops_a_job_unless_it_is_told_to_go_on(
        self, stream, topic, create_topic, delete_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, *records(*range(4)))
        assert ids(run_to_end(stream())) == [0, 1, 2, 3]
        delete_topic(topic)
        create_topic(topic)
        produce(topic, *records(10, 11))
        with pytest.raises(Exception, match="SOURCE_GONE") as caught:
            run_to_end(stream())
        fault = translate(caught.value)
        assert (fault.where, fault.found) == ("partition 0, offset 4", "offsets 0 to 1")
        going_on = {"headrace.scan.on-data-loss": "continue"}
        assert ids(run_to_end(stream(going_on))) == [10, 11]

    def test_a_topic_deleted_or_made_anew_under_a_running_job(
        self, stream, topic, create_topic, delete_topic, produce, running
    ):
        for name in (f"{topic}-d", f"{topic}-n"):
            create_topic(name)
            produce(name, *records(1))
        deleted, seen = running(stream({"topic": f"{topic}-d", DISCOVERY: "100 ms"}), "deleted")
        going_on = {"headrace.scan.on-data-loss": "continue", DISCOVERY: "100 ms"}
        _, rows = running(stream({"topic": f"{topic}-n"} | going_on), "anew")
        eventually(lambda: (ids(seen), ids(rows)), lambda found: found == ([1], [1]))
        delete_topic(f"{topic}-d")
        delete_topic(f"{topic}-n")
        create_topic(f"{topic}-n")
        produce(f"{topic}-n", *records(2, 3, 4))
        eventually(lambda: ids(rows), lambda found: found[-2:] == [3, 4])
        fault = translate(eventually(deleted.exception, lambda error: error is not None))
        assert fault.condition == "OFFSETS_GONE", fault.render()
        assert fault.summary == f"topic '{topic}-d' was deleted while the job reads it"

    def test_a_deserializer_of_ones_own_that_gives_bytes(
        self, stream, topic, create_topic, produce, run_to_end
    ):
        create_topic(topic)
        produce(topic, *records(1))
        bytes_again = "org.apache.kafka.common.serialization.ByteArrayDeserializer"
        options = {"properties.value.deserializer": bytes_again, "properties.client.id.prefix": "c"}
        assert ids(run_to_end(stream(options))) == [1]
