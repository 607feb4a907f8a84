"""A topic of offsets that a source has to itself (`offsets.storage.topic`): created where it is missing, read whole, written to."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping, Sequence
from typing import Any

from headrace.connect.clients import for_librdkafka, kafka_options, only_connecting
from headrace.connect.outages import PATIENCE_SECONDS, unreachable
from headrace.connect.plugins import Offset
from headrace.connect.state import canonical, offset_entry
from headrace.connect.topics import (
    TopicSettings,
    admin_client,
    ensure_topics,
    keyed_producer,
    require_compaction,
    send,
)

logger = logging.getLogger("headrace.connect")

OPTION = "offsets.storage.topic"

_POLL_SECONDS = 0.1


class OwnOffsets:
    """The offsets of the connector `name` among those of the topic, which others may share. `clients` are the options of its
    admin, producer and consumer."""

    def __init__(
        self, name: str, topic: TopicSettings, clients: Mapping[str, Mapping[str, str]]
    ) -> None:
        self.name = name
        self.topic = topic
        self.clients = clients
        self.found: dict[str, tuple[Offset, Offset]] = {}
        self._producer: Any = None
        admin = admin_client(clients["admin"])
        partitions = ensure_topics(admin, [topic], clients["admin"])
        require_compaction(admin, [topic.name])
        self._read(partitions)

    def write(self, changes: Sequence[tuple[Offset, Offset | None]]) -> None:
        if self._producer is None:
            self._producer = keyed_producer(self.clients["producer"])
        entries = [(self.topic.name, offset_entry(self.name, *change)) for change in changes]
        send(self._producer, entries, self.clients["producer"])
        for partition, offset in changes:
            self._note(partition, offset)

    def _read(self, partitions: Sequence[tuple[str, int]]) -> None:
        consumer = _consumer(self.clients["consumer"], partitions)
        try:
            left, deadline = set(partitions), time.monotonic() + PATIENCE_SECONDS
            while left:
                for message in consumer.consume(500, _POLL_SECONDS):
                    left.discard(self._taken(message))
                if time.monotonic() > deadline:
                    raise unreachable(
                        self.clients["consumer"],
                        f"topic '{self.topic.name}' could not be read to its end",
                    )
        finally:
            consumer.close()

    def _taken(self, message: Any) -> tuple[str, int]:
        """The partition if this is its end."""
        from confluent_kafka import KafkaError

        error = message.error()
        if error is None:
            self._apply(message)
        elif error.code() == KafkaError._PARTITION_EOF:
            return message.topic(), message.partition()
        return "", 0

    def _apply(self, message: Any) -> None:
        """Records that cannot be understood are passed by, as in the worker's own topics."""
        try:
            name, partition = json.loads(message.key())
            value = message.value()
            if name == self.name:
                self._note(partition, None if value is None else json.loads(value))
        except Exception:
            place = f"{message.topic()}-{message.partition()} at {message.offset()}"
            logger.exception("a record among a connector's offsets is not understood: %s", place)

    def _note(self, partition: Offset, offset: Offset | None) -> None:
        if offset is None:
            self.found.pop(canonical(partition), None)
        else:
            self.found[canonical(partition)] = (partition, offset)


class OwnTopics:
    """Opens the topics that connectors name; `usual` is the worker's topic, whose shape new ones get."""

    def __init__(self, usual: TopicSettings, worker: Mapping[str, str]) -> None:
        self.usual = usual
        self.worker = worker

    def __call__(self, name: str, config: Mapping[str, str]) -> OwnOffsets | None:
        """None for a connector without one, and for one that names the worker's."""
        wanted = config.get(OPTION)
        if wanted is None or self._is_the_workers(wanted, config):
            return None
        usual = self.usual
        topic = TopicSettings(wanted, usual.partitions, usual.replication, usual.settings)
        clients = {
            client: for_librdkafka(only_connecting(kafka_options(self.worker, config, client)))
            for client in ("admin", "producer", "consumer")
        }
        return OwnOffsets(name, topic, clients)

    def _is_the_workers(self, topic: str, config: Mapping[str, str]) -> bool:
        written = kafka_options(self.worker, config, "producer")
        return topic == self.usual.name and _servers(written) == _servers(self.worker)


def _servers(options: Mapping[str, str]) -> set[str]:
    return {one.strip() for one in options.get("bootstrap.servers", "").split(",")}


def _consumer(client: Mapping[str, str], partitions: Sequence[tuple[str, int]]) -> Any:
    from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

    consumer = Consumer(
        {
            **client,
            # It joins none; the client wants one named.
            "group.id": "connect-offsets-reader",
            "enable.auto.commit": False,
            "enable.partition.eof": True,
            "isolation.level": "read_committed",
        }
    )
    consumer.assign([TopicPartition(*place, OFFSET_BEGINNING) for place in partitions])
    return consumer
