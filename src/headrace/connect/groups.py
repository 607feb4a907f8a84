"""Committed offsets of consumer groups, through Kafka's admin client."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from headrace.connect.answers import Refusal
from headrace.connect.offsets import Positions, UnknownPlace
from headrace.connect.topics import PATIENCE_SECONDS, admin_client

Result = TypeVar("Result")

# A coordinator takes some hundred milliseconds to come up.
_PAUSE_SECONDS = 0.1


class KafkaGroups:
    def __init__(self, client: Mapping[str, str]) -> None:
        # Kept, since the answer never comes once the client is garbage.
        self.admin = admin_client(client)

    def read(self, group: str) -> Positions:
        from confluent_kafka import ConsumerGroupTopicPartitions

        def ask() -> Any:
            request = [ConsumerGroupTopicPartitions(group)]
            patience = {"request_timeout": PATIENCE_SECONDS}
            return self.admin.list_consumer_group_offsets(request, **patience)[group].result()

        found = patiently(ask).topic_partitions
        # A negative offset is none: the group has only been asked about that partition.
        return {(at.topic, at.partition): at.offset for at in found if at.offset >= 0}

    def replace(self, group: str, positions: Positions) -> None:
        """Kafka's client for Python cannot delete single offsets: the group goes, and comes back with the others."""
        from confluent_kafka import KafkaError, KafkaException

        before = self.read(group)
        try:
            if before.keys() - positions.keys():
                self.admin.delete_consumer_groups([group])[group].result()
            if positions:
                self.commit(group, positions)
        except KafkaException as error:
            busy = (KafkaError.NON_EMPTY_GROUP, KafkaError.UNKNOWN_MEMBER_ID)
            if error.args[0].code() in busy:
                raise Refusal(500, busy_group(group)) from None
            if error.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
                raise UnknownPlace(group) from None
            raise

    def commit(self, group: str, positions: Positions) -> None:
        """These offsets beside those that the group has already."""
        from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException, TopicPartition

        places = [TopicPartition(*place, offset) for place, offset in positions.items()]

        def ask() -> None:
            request = [ConsumerGroupTopicPartitions(group, places)]
            patience = {"request_timeout": PATIENCE_SECONDS}
            answers = self.admin.alter_consumer_group_offsets(request, **patience)
            for at in answers[group].result().topic_partitions:
                if at.error is not None:
                    raise KafkaException(at.error)

        patiently(ask)


def patiently(ask: Callable[[], Result]) -> Result:
    """An answer, asked for again while the group's coordinator is on its way to another broker or reads its log."""
    from confluent_kafka import KafkaError, KafkaException

    moving = (
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.NOT_COORDINATOR,
    )
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            return ask()
        except KafkaException as error:
            if error.args[0].code() not in moving or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)


def busy_group(group: str) -> str:
    return (
        f"Failed to change the offsets of consumer group {group}: it still has members. The connector's tasks "
        "have not stopped completely yet, or another consumer uses the group"
    )
