"""A topic of one's own on the real broker, and a client that is not Headrace's to fill and to read it."""

from __future__ import annotations

import socket
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import pytest


@pytest.fixture
def topic() -> str:
    return f"t-{uuid.uuid4().hex[:12]}"


@pytest.fixture
def create_topic(kafka_broker) -> Callable[..., None]:
    from confluent_kafka.admin import AdminClient, NewTopic

    def create(name: str, partitions: int = 1, **config: str) -> None:
        settings = {key.replace("_", "."): value for key, value in config.items()}
        admin = AdminClient({"bootstrap.servers": kafka_broker.address})
        wanted = NewTopic(name, partitions, 1, config=settings)
        for future in admin.create_topics([wanted]).values():
            future.result(20)

    return create


@pytest.fixture
def delete_topic(kafka_broker) -> Callable[[str], None]:
    from confluent_kafka.admin import AdminClient

    def delete(name: str) -> None:
        admin = AdminClient({"bootstrap.servers": kafka_broker.address})
        for future in admin.delete_topics([name], operation_timeout=20).values():
            future.result(20)

    return delete


@pytest.fixture
def produce(kafka_broker) -> Callable[..., None]:
    """Records are dicts of confluent_kafka's `produce` arguments, written in order."""
    from confluent_kafka import Producer

    def write(name: str, *records: dict[str, Any]) -> None:
        # The hash that Kafka's own Java client uses, where librdkafka would take another.
        settings = {"partitioner": "murmur2_random", "bootstrap.servers": kafka_broker.address}
        producer = Producer(settings)
        for record in records:
            producer.produce(name, **record)
        assert producer.flush(20) == 0

    return write


@pytest.fixture
def consume(kafka_broker) -> Callable[[str], list[Any]]:
    """All records of a topic that are committed, by partition and offset."""
    from confluent_kafka import Consumer, KafkaError, TopicPartition

    def read(name: str) -> list[Any]:
        settings = {"bootstrap.servers": kafka_broker.address, "group.id": f"g-{name}"}
        settings |= {"enable.auto.commit": False, "enable.partition.eof": True}
        consumer = Consumer(settings)
        try:
            return list(_drain(consumer, name))
        finally:
            consumer.close()

    def _drain(consumer: Any, name: str) -> Iterator[Any]:
        for partition in sorted(consumer.list_topics(name, 20).topics[name].partitions):
            consumer.assign([TopicPartition(name, partition, 0)])
            while True:
                record = consumer.poll(20)
                assert record is not None, f"no answer from partition {partition}"
                if record.error() is not None:
                    assert record.error().code() == KafkaError._PARTITION_EOF
                    break
                yield record

    return read


@pytest.fixture
def served(kafka_broker, topic) -> dict[str, str]:
    """Options that point a table at this test's topic."""
    return {"topic": topic, "properties.bootstrap.servers": kafka_broker.address}


@pytest.fixture
def run_to_end(spark, tmp_path) -> Callable[..., list[Any]]:
    """Rows of a stream up to the records that exist when it starts."""

    def run(frame: Any, name: str = "run") -> list[Any]:
        rows: list[Any] = []
        query = (
            frame.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
            .option("checkpointLocation", str(tmp_path / name))
            .trigger(availableNow=True)
            .start()
        )
        query.awaitTermination()
        return rows

    return run


@pytest.fixture
def running(spark, tmp_path) -> Iterator[Callable[..., tuple[Any, list[Any]]]]:
    """Starts streams that run until the test ends: each query, and the rows it has given so far."""
    queries: list[Any] = []

    def start(frame: Any, name: str = "running", **trigger: Any) -> tuple[Any, list[Any]]:
        rows: list[Any] = []
        query = (
            frame.writeStream.foreachBatch(lambda batch, _: rows.extend(batch.collect()))
            .option("checkpointLocation", str(tmp_path / name))
            .trigger(**(trigger or {"processingTime": "0 seconds"}))
            .start()
        )
        queries.append(query)
        return query, rows

    yield start
    for query in queries:
        query.stop()


@pytest.fixture
def commit(kafka_broker) -> Callable[[str, str, dict[int, int]], None]:
    """Offsets by partition, committed for a group."""
    from confluent_kafka import Consumer, TopicPartition

    def write(group: str, name: str, offsets: dict[int, int]) -> None:
        settings = {"bootstrap.servers": kafka_broker.address, "group.id": group}
        consumer = Consumer(settings)
        places = [TopicPartition(name, number, at) for number, at in offsets.items()]
        consumer.commit(offsets=places, asynchronous=False)
        consumer.close()

    return write


@pytest.fixture
def unused_tcp_address() -> str:
    """An address where nothing listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{taken.getsockname()[1]}"
