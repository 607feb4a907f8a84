"""Dead letters as other consumers find them."""

from __future__ import annotations

import uuid

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect.dead_letters import DeadLetters, context_headers
from headrace.connect.errors import ErrorPolicy, Failure
from headrace.connect.outages import passes
from headrace.errors import EnvironmentFault
from headrace.testing.topics import read_topic

BAD = Failure(
    "orders",
    "VALUE_CONVERTER",
    "org.example.Json",
    "org.example.DataException",
    "no JSON",
    2,
    17,
    1000,
    b"k",
    b"\xff",
    (("trace", b"1"), ("empty", None)),
)


def test_headers_of_connect():
    headers = context_headers(BAD, "lake", 3)
    stack = "org.example.DataException: no JSON\n\tat org.example.Json (VALUE_CONVERTER, topic orders, partition 2, offset 17)"
    assert headers == [
        ("__connect.errors.topic", b"orders"),
        ("__connect.errors.partition", b"2"),
        ("__connect.errors.offset", b"17"),
        ("__connect.errors.connector.name", b"lake"),
        ("__connect.errors.task.id", b"3"),
        ("__connect.errors.stage", b"VALUE_CONVERTER"),
        ("__connect.errors.class.name", b"org.example.Json"),
        ("__connect.errors.exception.class.name", b"org.example.DataException"),
        ("__connect.errors.exception.message", b"no JSON"),
        ("__connect.errors.exception.stacktrace", stack.encode()),
    ]


@pytest.mark.services
class TestOnABroker:
    @pytest.fixture
    def worker(self, kafka_broker):
        return {"bootstrap.servers": kafka_broker.address}

    def letters(self, worker, **policy):
        topic = f"dead-{uuid.uuid4().hex}"
        made = ErrorPolicy(dead_letters=topic, **{"replication": 1, **policy})
        return DeadLetters(made, "lake", 0, worker, {}), topic

    def test_records_arrive_as_they_were(self, kafka_broker, worker):
        letters, topic = self.letters(worker)
        letters.send(BAD)
        letters.flush()
        (record,) = read_topic(kafka_broker.address, topic)
        assert (record.key, record.value, record.timestamp) == (b"k", b"\xff", 1000)
        assert record.headers == (("trace", b"1"), ("empty", None))

    def test_with_the_reason_in_headers(self, kafka_broker, worker):
        letters, topic = self.letters(worker, context_headers=True)
        letters.send(BAD)
        letters.flush()
        (record,) = read_topic(kafka_broker.address, topic)
        assert len(record.headers) == 12
        assert dict(record.headers)["__connect.errors.offset"] == b"17"

    def test_an_existing_topic_is_used(self, kafka_broker, worker):
        letters, topic = self.letters(worker)
        again = DeadLetters(letters.policy, "lake", 1, worker, {})
        for sender in (letters, again):
            sender.send(BAD)
            sender.flush()
        assert len(read_topic(kafka_broker.address, topic)) == 2

    def test_more_copies_than_brokers(self, worker):
        with pytest.raises(
            EnvironmentFault, match=r"Could not initialize dead letter queue"
        ) as raised:
            self.letters(worker, replication=3)
        assert "replication.factor" in str(raised.value)

    def test_a_letter_that_is_not_kept_is_an_error(self, worker):
        letters, topic = self.letters(worker)
        letters.send(Failure(topic, "TASK_PUT", "x", "y", "z", value=b"0" * 900_000))
        letters.flush()
        letters.failed.append("broker said no")
        with pytest.raises(EnvironmentFault, match="Could not produce"):
            letters.flush()
        letters.flush()

    def test_one_that_brokers_did_not_take_in_time_is_waited_for(self, worker):
        letters, _ = self.letters(worker)
        letters.failed.append(KafkaError(KafkaError._MSG_TIMED_OUT))
        with pytest.raises(KafkaException) as caught:
            letters.flush()
        assert passes(caught.value)
