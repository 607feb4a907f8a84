"""The topics from outside: how long they are, and what their records say."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from headrace.cli.demo.pagila.database import Row, Rows

# The broker is on this machine and answers at once, or never.
ANSWER_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Message:
    """A record as the JSON converter wrote it, without its schemas. A tombstone has no value."""

    key: Any
    value: Row | None


class TopicReader:
    """Reads topics of one partition, as connectors create them here, from their beginning to their end."""

    def __init__(self, servers: str) -> None:
        from confluent_kafka import Consumer

        self._consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": "headrace-demo",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "log_level": 0,
            }
        )

    def ends(self, topics: Iterable[str]) -> dict[str, int]:
        """The number of records of each topic; none where it does not exist yet."""
        from confluent_kafka import TopicPartition

        known = self._consumer.list_topics(timeout=ANSWER_SECONDS).topics
        return {
            topic: self._consumer.get_watermark_offsets(TopicPartition(topic, 0), ANSWER_SECONDS)[1]
            if topic in known
            else 0
            for topic in topics
        }

    def read(self, topic: str) -> list[Message]:
        from confluent_kafka import TopicPartition

        if not self.ends([topic])[topic]:
            return []
        self._consumer.assign([TopicPartition(topic, 0, 0)])
        messages: list[Message] = []
        # One at a time: a call for many waits for as many, and the end of a partition is one of them.
        while (record := self._consumer.poll(ANSWER_SECONDS)) is not None:
            if record.error() is not None:
                break
            messages.append(Message(payload(record.key()), payload(record.value())))
        return messages

    def close(self) -> None:
        self._consumer.close()


def payload(data: bytes | None) -> Any:
    return None if data is None else json.loads(data)["payload"]


def latest(messages: Iterable[Message], key: str) -> Rows:
    """The last row of each key, as a query-based source tells them."""
    return {message.value[key]: message.value for message in messages if message.value is not None}


def replayed(messages: Iterable[Message], key: str) -> tuple[Rows, set[int]]:
    """The table that the events of a log make, and the keys that were deleted from it."""
    table: Rows = {}
    deleted: set[int] = set()
    for event in (message.value for message in messages if message.value is not None):
        if event["op"] == "d":
            gone = event["before"][key]
            table.pop(gone, None)
            deleted.add(gone)
        else:
            table[event["after"][key]] = event["after"]
    return table, deleted - table.keys()
