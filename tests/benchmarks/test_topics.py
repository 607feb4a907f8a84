from __future__ import annotations

import uuid

import pytest
from confluent_kafka import Producer

from benchmarks import topics
from benchmarks.workloads import Record
from headrace.services.kafka import KafkaService

pytestmark = pytest.mark.services


@pytest.fixture
def servers(kafka_broker: KafkaService) -> str:
    return kafka_broker.bootstrap_servers


@pytest.fixture
def topic() -> str:
    return f"bench-{uuid.uuid4().hex[:8]}"


def test_the_last_record_of_a_key_wins_and_all_are_counted(servers: str, topic: str):
    records: list[Record] = [("a", "1"), ("b", "2"), ("a", "3"), ("b", None), ("c", "4")]
    assert topics.fill(servers, topic, records) == 5
    last = topics.last_records(servers, topic)
    assert last.values == {b"a": b"3", b"b": None, b"c": b"4"}
    assert last.count == 5


def test_order_holds_within_a_key_over_many_records(servers: str, topic: str):
    records = [(f"k{number % 7}", str(number)) for number in range(25_000)]
    assert topics.fill(servers, topic, iter(records)) == 25_000
    last = topics.last_records(servers, topic)
    assert last.count == 25_000
    assert last.values == {key.encode(): value.encode() for key, value in dict(records).items()}


def test_unkeyed_records_alternate_between_the_partitions(servers: str, topic: str):
    topics.fill(servers, topic, [(None, str(number)) for number in range(10)])
    by_partition: dict[int, list[bytes]] = {}
    for message in topics._messages(servers, topic):
        by_partition.setdefault(message.partition() or 0, []).append(message.value() or b"")
    assert by_partition == {
        0: [b"0", b"2", b"4", b"6", b"8"],
        1: [b"1", b"3", b"5", b"7", b"9"],
    }


def test_keys_are_placed_as_the_java_client_places_them(servers: str, topic: str):
    topics.fill(servers, topic, [("21", "x"), ("foobar", "y")])
    placed = {message.key(): message.partition() for message in topics._messages(servers, topic)}
    # Murmur2 of "21" is -973932308 and of "foobar" -790332482; the sign bit is cleared, then modulo two.
    assert placed == {
        b"21": (-973932308 & 0x7FFFFFFF) % 2,
        b"foobar": (-790332482 & 0x7FFFFFFF) % 2,
    }


def test_an_empty_topic_has_no_records(servers: str, topic: str):
    topics.create(servers, topic)
    assert topics.last_records(servers, topic) == topics.LastRecords({}, 0)


def transaction(servers: str, topic: str, values: list[str], *, commit: bool) -> None:
    """As an exactly-once sink writes: markers of transactions take offsets of their own."""
    producer = Producer({"bootstrap.servers": servers, "transactional.id": f"{topic}-writer"})
    producer.init_transactions(60)
    producer.begin_transaction()
    for value in values:
        producer.produce(topic, value, "k")
    if commit:
        producer.commit_transaction(60)
    else:
        producer.flush(60)
        producer.abort_transaction(60)


def test_committed_records_are_read_past_the_markers(servers: str, topic: str):
    topics.create(servers, topic)
    transaction(servers, topic, ["1", "2"], commit=True)
    transaction(servers, topic, ["3"], commit=True)
    assert topics.last_records(servers, topic) == topics.LastRecords({b"k": b"3"}, 3)


def test_records_of_an_aborted_transaction_do_not_count(servers: str, topic: str):
    topics.create(servers, topic)
    transaction(servers, topic, ["1"], commit=True)
    transaction(servers, topic, ["2", "3"], commit=False)
    assert topics.last_records(servers, topic) == topics.LastRecords({b"k": b"1"}, 1)
