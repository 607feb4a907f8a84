"""The topics of a sink: those that `topics` names, or those whose whole names `topics.regex` matches."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from headrace.connect.outages import TASK_PATIENCE_SECONDS, passes
from headrace.connect.regex.translation import matches

# How soon topics and partitions that are new are noticed.
LOOK_SECONDS = 5.0

# Kafka's own, which consumers leave out of a pattern.
_INTERNAL = ("__consumer_offsets", "__transaction_state")


@dataclass(frozen=True, slots=True)
class ChosenTopics:
    named: tuple[str, ...] = ()
    regex: str = ""

    @classmethod
    def of(cls, config: Mapping[str, str]) -> ChosenTopics:
        named = [topic.strip() for topic in config.get("topics", "").split(",")]
        return cls(tuple(filter(None, named)), config.get("topics.regex", "").strip())

    def wants(self, topic: str) -> bool:
        if not self.regex:
            return topic in self.named
        return topic not in _INTERNAL and matches([self.regex], topic)


@dataclass(slots=True)
class Subscription:
    """Keeps a consumer subscribed. A pattern is Java's, and so not left to the consumer, which has one of its own."""

    consumer: Any
    topics: ChosenTopics
    looked: float = float("-inf")
    present: list[str] = field(default_factory=list)

    def refresh(self) -> None:
        """To be called before each read; asks Kafka for topics that are new from time to time."""
        if self.topics.regex and time.monotonic() - self.looked > LOOK_SECONDS:
            self._subscribe(self._found())
            self.looked = time.monotonic()
        elif not self.topics.regex:
            self._subscribe(list(self.topics.named))

    def _found(self) -> list[str]:
        """Those there are, or were when brokers last told."""
        from confluent_kafka import KafkaException

        try:
            found = self.consumer.list_topics(timeout=TASK_PATIENCE_SECONDS).topics
        except KafkaException as error:
            if not passes(error):
                raise
            return self.present
        return sorted(filter(self.topics.wants, found))

    def _subscribe(self, topics: list[str]) -> None:
        if topics and topics != self.present:
            self.consumer.subscribe(topics)
            self.present = topics
