"""What a sink asks Kafka: which partitions there are, where they begin and end, and how far its group has come."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from headrace.connect.chosen_topics import LOOK_SECONDS, ChosenTopics
from headrace.connect.clients import for_librdkafka, kafka_options
from headrace.connect.groups import KafkaGroups
from headrace.connect.lake.batch import Place
from headrace.connect.plugins import sink_group
from headrace.connect.topics import PATIENCE_SECONDS


class SinkTopics:
    def __init__(self, worker: Mapping[str, str], config: Mapping[str, str], name: str) -> None:
        self.consumer = kafka_options(worker, config, "consumer")
        self.group = self.consumer.get("group.id") or sink_group(name)
        self.groups = KafkaGroups(for_librdkafka(kafka_options(worker, config, "admin")))
        self.chosen = ChosenTopics.of(config)
        self.looked = float("-inf")
        self.known: list[Place] = []

    def places(self) -> Sequence[Place]:
        """Every partition of the sink's topics."""
        if time.monotonic() - self.looked > LOOK_SECONDS:
            found = self.groups.ask(
                lambda admin: admin.list_topics(timeout=PATIENCE_SECONDS)
            ).topics
            self.known = [
                (name, number)
                for name, topic in sorted(found.items())
                if self.chosen.wants(name)
                for number in sorted(topic.partitions)
            ]
            self.looked = time.monotonic()
        return self.known

    def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        """Where records end that consumers with these settings may see."""
        return self._offsets(places, latest=True)

    def begins(self, places: Sequence[Place]) -> dict[Place, int]:
        return self._offsets(places, latest=False)

    def _offsets(self, places: Sequence[Place], *, latest: bool) -> dict[Place, int]:
        from confluent_kafka import IsolationLevel, TopicPartition, admin

        if not places:
            return {}
        specs: Any = getattr(admin, "OffsetSpec")  # noqa: B009
        which = specs.latest() if latest else specs.earliest()
        committed = self.consumer.get("isolation.level", "").strip() == "read_committed"
        level = IsolationLevel.READ_COMMITTED if committed else IsolationLevel.READ_UNCOMMITTED
        wanted = {TopicPartition(*place): which for place in places}

        def question(admin: Any) -> dict[Place, int]:
            answers: Mapping[Any, Any] = admin.list_offsets(
                wanted, isolation_level=level, request_timeout=PATIENCE_SECONDS
            )
            return {
                (at.topic, at.partition): answer.result().offset for at, answer in answers.items()
            }

        return self.groups.ask(question)

    def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        """Where to go on: at the group's offsets, else where `auto.offset.reset` says."""
        committed = self.groups.committed(self.group, places)
        first, end = self.begins(places), self.ends(places)
        latest = self.consumer.get("auto.offset.reset", "earliest").strip() == "latest"
        fresh = end if latest else first
        return {
            place: committed[place]
            if first[place] <= committed.get(place, -1) <= end[place]
            else fresh[place]
            for place in places
        }

    def commit(self, positions: Mapping[Place, int]) -> None:
        self.groups.commit(self.group, dict(positions))
