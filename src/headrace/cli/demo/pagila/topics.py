"""Reads the demo's topics: their end offsets and their records."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from headrace.cli.demo.pagila.database import Row, Rows

# The broker is on this machine; longer means that it does not answer at all.
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
                "log_level": 0,
            }
        )

    def ends(self, topics: Iterable[str]) -> dict[str, int]:
        """The number of records of each topic; 0 if it does not exist yet."""
        from confluent_kafka import TopicPartition

        known = self._consumer.list_topics(timeout=ANSWER_SECONDS).topics
        return {
            topic: self._consumer.get_watermark_offsets(TopicPartition(topic, 0), ANSWER_SECONDS)[1]
            if topic in known
            else 0
            for topic in topics
        }

    def read(self, topics: Iterable[str]) -> dict[str, list[Message]]:
        """All records of each topic, up to the end offsets of this moment."""
        from confluent_kafka import TopicPartition

        ends = self.ends(topics)
        messages: dict[str, list[Message]] = {topic: [] for topic in ends}
        left = {topic: end for topic, end in ends.items() if end}
        self._consumer.assign([TopicPartition(topic, 0, 0) for topic in left])
        # One at a time: a call for many waits for as many. Up to known ends, since the broker reports an end only after
        # the half second that a fetch waits for more; offsets have no gaps in topics that are neither compacted nor
        # written in transactions.
        while left and (record := self._consumer.poll(ANSWER_SECONDS)) is not None:
            topic = str(record.topic())
            # An error is one of the connection, which the client opens again.
            if record.error() is None and topic in left:
                messages[topic].append(Message(payload(record.key()), payload(record.value())))
                if len(messages[topic]) >= left[topic]:
                    del left[topic]
        self._consumer.unassign()
        return messages

    def close(self) -> None:
        self._consumer.close()


def payload(data: bytes | None) -> Any:
    """The content of a key or value. Connectors put a schema beside it, SQL jobs do not."""
    decoded = None if data is None else json.loads(data)
    return decoded["payload"] if isinstance(decoded, dict) and "payload" in decoded else decoded


def latest(messages: Iterable[Message], key: str) -> Rows:
    """The last row of each key in a topic of a query-based source, which never reports a delete."""
    return {message.value[key]: message.value for message in messages if message.value is not None}


def replayed(messages: Iterable[Message], key: str) -> tuple[Rows, set[int]]:
    """Applies the events of a change log; returns the table and the keys that were deleted from it."""
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
