"""What a sink asks Kafka: which partitions there are, where they begin and end, and how far its group has come."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from headrace.connect.chosen_topics import LOOK_SECONDS, ChosenTopics
from headrace.connect.clients import for_librdkafka, kafka_options, only_connecting
from headrace.connect.group_client import GroupClient
from headrace.connect.lake.batch import Place
from headrace.connect.outages import TASK_PATIENCE_SECONDS
from headrace.connect.plugins import sink_group

_ISOLATION = "isolation.level"


class SinkTopics:
    def __init__(self, worker: Mapping[str, str], config: Mapping[str, str], name: str) -> None:
        self.consumer = kafka_options(worker, config, "consumer")
        self.group = self.consumer.get("group.id") or sink_group(name)
        # Kafka's default, which is not that of Python's clients.
        level = self.consumer.get(_ISOLATION, "").strip() or "read_uncommitted"
        options = {**for_librdkafka(only_connecting(self.consumer)), _ISOLATION: level}
        self.client = GroupClient(options, self.group, TASK_PATIENCE_SECONDS)
        self.chosen = ChosenTopics.of(config)
        self.looked = float("-inf")
        self.known: list[Place] = []

    def places(self) -> Sequence[Place]:
        """Every partition of the sink's topics."""
        if time.monotonic() - self.looked > LOOK_SECONDS:
            self.known = [
                (name, number)
                for name, topic in sorted(self.client.topics().items())
                if self.chosen.wants(name)
                for number in sorted(topic.partitions)
            ]
            self.looked = time.monotonic()
        return self.known

    def ends(self, places: Sequence[Place]) -> dict[Place, int]:
        """Where records end that consumers with these settings may see."""
        return self.client.ends(places)

    def begins(self, places: Sequence[Place]) -> dict[Place, int]:
        return self.client.begins(places)

    def starts(self, places: Sequence[Place]) -> dict[Place, int]:
        """Where to go on: at the group's offsets, else where `auto.offset.reset` says."""
        committed = self.client.committed(places)
        first, end = self.begins(places), self.ends(places)
        latest = self.consumer.get("auto.offset.reset", "earliest").strip() == "latest"
        fresh = end if latest else first
        return {
            place: committed[place]
            if first[place] <= committed.get(place, -1) <= end[place]
            else fresh[place]
            for place in places
        }

    def committed(self, places: Sequence[Place]) -> dict[Place, int]:
        return self.client.committed(places)

    def commit(self, positions: Mapping[Place, int]) -> None:
        self.client.commit(dict(positions))

    def close(self) -> None:
        self.client.close()
