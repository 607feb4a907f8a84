"""Committed offsets of consumer groups, through Kafka's admin client."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from headrace.connect.answers import Refusal
from headrace.connect.offsets import Positions, UnknownPlace
from headrace.connect.topics import PATIENCE_SECONDS, admin_client

Result = TypeVar("Result")

# A coordinator takes some hundred milliseconds to come up.
_PAUSE_SECONDS = 0.1


class KafkaGroups:
    def __init__(self, client: Mapping[str, str]) -> None:
        self.client = dict(client)
        # Kept, since the answer never comes once the client is garbage.
        self.admin = admin_client(client)

    def ask(self, question: Callable[[Any], Result]) -> Result:
        """What the admin client answers. One that failed is not kept: it may not learn of leaders again when brokers come back,
        and an answer that comes too late ends the whole process (librdkafka's issue 4605)."""
        from confluent_kafka import KafkaException

        try:
            return question(self.admin)
        except KafkaException:
            self.admin = admin_client(self.client)
            raise

    def committed(self, group: str, places: Sequence[tuple[str, int]]) -> Positions:
        """What the group has of these partitions. By a consumer, which waits for a coordinator that comes up: asked the
        admin's way in that moment, the client ends the whole process."""
        from confluent_kafka import Consumer, TopicPartition

        if not places:
            return {}
        consumer = Consumer({**self.client, "group.id": group, "enable.auto.commit": False})
        try:
            wanted = [TopicPartition(*place) for place in places]
            found = consumer.committed(wanted, timeout=PATIENCE_SECONDS)
        finally:
            consumer.close()
        return {(at.topic, at.partition): at.offset for at in found if at.offset >= 0}

    def read(self, group: str) -> Positions:
        from confluent_kafka import ConsumerGroupTopicPartitions

        def question(admin: Any) -> Any:
            request = [ConsumerGroupTopicPartitions(group)]
            patience = {"request_timeout": PATIENCE_SECONDS}
            return admin.list_consumer_group_offsets(request, **patience)[group].result()

        found = patiently(lambda: self.ask(question)).topic_partitions
        # A negative offset is none: the group has only been asked about that partition.
        return {(at.topic, at.partition): at.offset for at in found if at.offset >= 0}

    def replace(self, group: str, positions: Positions) -> None:
        """Kafka's client for Python cannot delete single offsets: the group goes, and comes back with the others."""
        from confluent_kafka import KafkaError, KafkaException

        before = self.read(group)
        try:
            if before.keys() - positions.keys():
                self.ask(lambda admin: admin.delete_consumer_groups([group])[group].result())
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

        def question(admin: Any) -> None:
            request = [ConsumerGroupTopicPartitions(group, places)]
            patience = {"request_timeout": PATIENCE_SECONDS}
            answers = admin.alter_consumer_group_offsets(request, **patience)
            for at in answers[group].result().topic_partitions:
                if at.error is not None:
                    raise KafkaException(at.error)

        patiently(lambda: self.ask(question))


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


def passes(error: BaseException) -> bool:
    """Whether brokers that come back, or learn who leads, may answer the same question."""
    from confluent_kafka import KafkaError, KafkaException

    if not isinstance(error, KafkaException):
        return False
    told = error.args[0]
    return told.retriable() or told.code() in (
        KafkaError._TRANSPORT,
        KafkaError._ALL_BROKERS_DOWN,
        KafkaError._TIMED_OUT,
        KafkaError._RESOLVE,
        KafkaError._DESTROY_BROKER,
        # "No leaders found".
        KafkaError._NOENT,
        KafkaError.BROKER_NOT_AVAILABLE,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.FENCED_LEADER_EPOCH,
        KafkaError.LEADER_NOT_AVAILABLE,
        KafkaError.NETWORK_EXCEPTION,
        KafkaError.NOT_COORDINATOR,
        KafkaError.NOT_LEADER_FOR_PARTITION,
        KafkaError.REQUEST_TIMED_OUT,
        KafkaError.UNKNOWN_LEADER_EPOCH,
    )


def busy_group(group: str) -> str:
    return (
        f"Failed to change the offsets of consumer group {group}: it still has members. The connector's tasks "
        "have not stopped completely yet, or another consumer uses the group"
    )
