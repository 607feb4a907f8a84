from __future__ import annotations

import uuid

import pytest
from confluent_kafka import KafkaException, Producer
from confluent_kafka.admin import AdminClient, ConfigResource

from benchmarks import topics
from benchmarks.workloads import Record
from headrace.errors import EnvironmentFault
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


def test_a_full_queue_is_waited_for(servers: str, topic: str, monkeypatch: pytest.MonkeyPatch):
    small = topics._PRODUCER_SETTINGS | {"queue.buffering.max.messages": 10}
    monkeypatch.setattr(topics, "_PRODUCER_SETTINGS", small)
    assert topics.fill(servers, topic, [("k", str(number)) for number in range(200)]) == 200
    assert topics.last_records(servers, topic).values == {b"k": b"199"}


def test_records_that_cannot_be_written_are_reported(
    servers: str, topic: str, monkeypatch: pytest.MonkeyPatch
):
    hasty = topics._PRODUCER_SETTINGS | {"message.timeout.ms": 1, "linger.ms": 0}
    monkeypatch.setattr(topics, "_PRODUCER_SETTINGS", hasty)
    monkeypatch.setattr(topics, "create", lambda *_: None)
    monkeypatch.setattr(
        topics, "_client", lambda _: {"bootstrap.servers": "127.0.0.1:1", "log_level": 0}
    )
    with pytest.raises(EnvironmentFault, match="could not be filled") as caught:
        topics.fill(servers, topic, [("k", "v")])
    assert "timed out" in (caught.value.found or "")


def test_a_deleted_topic_is_gone(servers: str, topic: str, monkeypatch: pytest.MonkeyPatch):
    topics.fill(servers, topic, [("k", "v")])
    topics.delete(servers, [topic])
    topics.fill(servers, topic, [])
    assert topics.last_records(servers, topic).count == 0


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


def test_a_broker_that_is_ready_for_transactions_has_their_log(servers: str):
    topics.ready_transactions(servers)
    known = AdminClient({"bootstrap.servers": servers}).list_topics(timeout=30).topics
    assert "__transaction_state" in known


def test_records_of_an_aborted_transaction_do_not_count(servers: str, topic: str):
    topics.create(servers, topic)
    transaction(servers, topic, ["1"], commit=True)
    transaction(servers, topic, ["2", "3"], commit=False)
    assert topics.last_records(servers, topic) == topics.LastRecords({b"k": b"1"}, 1)


def test_a_topic_that_gives_nothing_is_not_waited_for_for_ever(
    topic: str, monkeypatch: pytest.MonkeyPatch
):
    unreachable = {"bootstrap.servers": "127.0.0.1:1", "log_level": 0, "error_cb": lambda _: None}
    monkeypatch.setattr(topics, "_client", lambda _: unreachable)
    monkeypatch.setattr(topics, "_PATIENCE_SECONDS", 0.2)
    monkeypatch.setattr(topics, "_BLOCK_SECONDS", 0.1)
    with pytest.raises((EnvironmentFault, KafkaException)):
        topics.last_records("127.0.0.1:1", topic)


def test_topics_keep_every_record_for_ever(servers: str, topic: str):
    topics.create(servers, topic)
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    client = AdminClient({"bootstrap.servers": servers})
    (config,) = (done.result(30) for done in client.describe_configs([resource]).values())
    assert config["cleanup.policy"].value == "delete"
    assert config["retention.ms"].value == "-1"
    assert config["retention.bytes"].value == "-1"


def test_topics_have_a_partition_for_each_task(servers: str, topic: str):
    topics.create(servers, topic)
    client = AdminClient({"bootstrap.servers": servers})
    assert len(client.list_topics(topic, timeout=30).topics[topic].partitions) == topics.PARTITIONS
