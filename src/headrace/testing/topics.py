"""Topics seen from outside: what a test produces, what it reads back, and the table a changelog adds up to."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

# Long enough for a cold JVM on a busy machine; a wait ends as soon as its condition holds.
PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Record:
    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    timestamp: int
    headers: tuple[tuple[str, bytes | None], ...] = ()

    def json_key(self) -> Any:
        return None if self.key is None else json.loads(self.key)

    def json_value(self) -> Any:
        return None if self.value is None else json.loads(self.value)


def produce(servers: str, topic: str, records: Iterable[tuple[object, object]]) -> None:
    """(key, value) pairs in order; mappings become JSON, text and bytes stay as they are, None is none.

    Keys choose partitions by the Java client's hash, as every Flink and Kafka Connect producer does."""
    from confluent_kafka import Producer

    failures: list[object] = []
    producer = Producer({"bootstrap.servers": servers, "partitioner": "murmur2_random"})
    for key, value in records:
        producer.produce(
            topic,
            _bytes(value),
            _bytes(key),
            on_delivery=lambda error, _: failures.append(error) if error else None,
        )
        producer.poll(0)
    left = producer.flush(PATIENCE_SECONDS)
    if left or failures:
        raise AssertionError(f"{left} records not delivered to '{topic}': {failures[:1]}")


def _bytes(item: object) -> bytes | None:
    match item:
        case None | bytes():
            return item
        case str():
            return item.encode()
        case _:
            return json.dumps(item).encode()


def create_topic(servers: str, topic: str, partitions: int = 1, **config: str) -> None:
    from confluent_kafka.admin import AdminClient
    from confluent_kafka.cimpl import NewTopic

    wanted = NewTopic(topic, partitions, 1, config=_dotted(config))
    # Named, since the answer never comes once the client is garbage.
    admin = AdminClient({"bootstrap.servers": servers})
    admin.create_topics([wanted])[topic].result()


def _dotted(settings: Mapping[str, str]) -> dict[str, str]:
    return {name.replace("_", "."): value for name, value in settings.items()}


def read_topic(servers: str, topic: str, **settings: str) -> list[Record]:
    """Every record the topic holds now, by partition and offset; none when it does not exist yet. With
    `isolation_level="read_uncommitted"` also those of transactions that are open or were aborted."""
    from confluent_kafka import Consumer, KafkaException

    consumer = Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": "headrace-testing",
            "enable.auto.commit": False,
            # The last offsets of a partition may be marks of transactions, which are never handed out.
            "enable.partition.eof": True,
            **_dotted(settings),
        }
    )
    try:
        return _read_all(consumer, topic)
    except KafkaException as error:
        raise AssertionError(f"topic '{topic}' cannot be read: {error}") from error
    finally:
        consumer.close()


def _read_all(consumer: Any, topic: str) -> list[Record]:
    from confluent_kafka import KafkaError, TopicPartition

    metadata = consumer.list_topics(topic, timeout=PATIENCE_SECONDS).topics[topic]
    unread = set(metadata.partitions)
    consumer.assign([TopicPartition(topic, number, 0) for number in unread])
    records: list[Record] = []
    while unread:
        for message in consumer.consume(1000, 0.2):
            error = message.error()
            if error is None:
                records.append(_record(message))
            elif error.code() == KafkaError._PARTITION_EOF:
                unread.discard(message.partition())
    return sorted(records, key=lambda record: (record.partition, record.offset))


def _record(message: Any) -> Record:
    return Record(
        message.partition(),
        message.offset(),
        message.key(),
        message.value(),
        message.timestamp()[1],
        tuple(message.headers() or ()),
    )


def materialize(records: Iterable[Record]) -> dict[bytes | None, bytes]:
    """The table that upserts add up to: the last value of each key, tombstones taken away."""
    table: dict[bytes | None, bytes] = {}
    for record in records:
        if record.value is None:
            table.pop(record.key, None)
        else:
            table[record.key] = record.value
    return table


def json_table(servers: str, topic: str) -> dict[str, Mapping[str, Any]]:
    """The materialised rows of a JSON upsert topic, by their key's text."""
    rows = materialize(read_topic(servers, topic))
    return {key.decode() if key else "": json.loads(value) for key, value in rows.items()}


def eventually(
    look: Callable[[], T], until: Callable[[T], bool], seconds: float = PATIENCE_SECONDS
) -> T:
    """What `look` gives once `until` holds for it; fails with the last look when it never does."""
    deadline = time.monotonic() + seconds
    while True:
        seen = look()
        if until(seen):
            return seen
        if time.monotonic() > deadline:
            raise AssertionError(f"still not so after {seconds:.0f} s: {seen!r}")
        time.sleep(0.1)
