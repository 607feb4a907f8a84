"""Topics of a run: made, filled with a dataset, read back to the last record of every key."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from confluent_kafka import (
    Consumer,
    KafkaError,
    KafkaException,
    Message,
    Producer,
    TopicPartition,
)
from confluent_kafka.admin import AdminClient
from confluent_kafka.cimpl import NewTopic

from benchmarks.workloads import Record
from headrace.errors import EnvironmentFault

# As many as the cores that the engines are given.
PARTITIONS = 2

# librdkafka's number for "let the partitioner decide".
_BY_KEY = -1

# How long a block of messages may take to fill; at a topic's end it never does.
_BLOCK_SECONDS = 0.5

# Far more than a local broker ever needs; then it hangs.
_PATIENCE_SECONDS = 120.0

_PRODUCER_SETTINGS: dict[str, Any] = {
    "acks": "all",
    "enable.idempotence": True,
    # The hash of Kafka's own Java client, so that both engines see keys where a Java producer would put them.
    "partitioner": "murmur2_random",
    # Large batches: loading is not what is measured.
    "linger.ms": 50,
    "batch.size": 1_000_000,
    "queue.buffering.max.messages": 1_000_000,
}


@dataclass(frozen=True, slots=True)
class LastRecords:
    """What a compacted topic would keep: the last value by key; and how many records there were."""

    values: dict[bytes, bytes | None]
    count: int


def _client(servers: str) -> dict[str, Any]:
    # Warnings and worse; the library otherwise tells on standard error what its threads do.
    return {"bootstrap.servers": servers, "log_level": 4}


def create(servers: str, topic: str) -> None:
    """Nothing is ever removed from it, so that every record written can be counted."""
    config = {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1"}
    # Kept by a name until the answer is there: a client that is collected cancels its requests.
    client = AdminClient(_client(servers))
    wanted = NewTopic(topic, PARTITIONS, 1, config=config)
    client.create_topics([wanted])[topic].result(_PATIENCE_SECONDS)


def ready_transactions(servers: str) -> None:
    """A broker's first transaction makes its log of them, of fifty partitions: seconds that belong to no engine."""
    producer = Producer({**_client(servers), "transactional.id": "benchmarks"})
    producer.init_transactions(_PATIENCE_SECONDS)


def delete(servers: str, topics: Iterable[str]) -> None:
    client = AdminClient(_client(servers))
    for done in client.delete_topics(list(topics)).values():
        done.result(_PATIENCE_SECONDS)


def fill(servers: str, topic: str, records: Iterable[Record]) -> int:
    """Create the topic and write the records in order; keys decide partitions, unkeyed records alternate."""
    create(servers, topic)
    failures: list[str] = []

    def delivered(error: object, _: Message) -> None:
        if error is not None:
            failures.append(str(error))

    producer = Producer(_client(servers) | _PRODUCER_SETTINGS)
    sent = 0
    for key, value in records:
        partition = sent % PARTITIONS if key is None else _BY_KEY
        _send(producer, topic, value, key, partition, delivered)
        sent += 1
    left = producer.flush(_PATIENCE_SECONDS)
    if left or failures:
        raise EnvironmentFault(
            f"topic '{topic}' could not be filled",
            condition="BENCHMARK_NOT_LOADED",
            found=failures[0] if failures else f"{left} of {sent} records not acknowledged",
        )
    return sent


def _send(producer: Producer, *record: Any) -> None:
    while True:
        try:
            producer.produce(*record)
        except BufferError:
            # The queue is full: wait until acknowledgements make room.
            producer.poll(1.0)
        else:
            return


def last_records(servers: str, topic: str) -> LastRecords:
    values: dict[bytes, bytes | None] = {}
    count = 0
    for message in _messages(servers, topic):
        values[message.key() or b"null"] = message.value()
        count += 1
    return LastRecords(values, count)


def _messages(servers: str, topic: str) -> Iterator[Message]:
    """Everything the topic holds now. Markers of transactions take offsets too, so ends are reached by position."""
    consumer = Consumer(
        _client(servers)
        | {
            "group.id": "benchmarks",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": "read_committed",
        }
    )
    try:
        consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
        ended, deadline = 0, time.monotonic() + _PATIENCE_SECONDS
        while ended < PARTITIONS:
            for message in consumer.consume(10_000, timeout=_BLOCK_SECONDS):
                deadline = time.monotonic() + _PATIENCE_SECONDS
                error = message.error()
                if error is None:
                    yield message
                elif error.code() == KafkaError._PARTITION_EOF:
                    ended += 1
                else:
                    raise KafkaException(error)
            if time.monotonic() > deadline:
                raise EnvironmentFault(f"topic '{topic}' cannot be read to its end")
    finally:
        consumer.close()
