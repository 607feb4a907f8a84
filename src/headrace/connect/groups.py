"""Committed offsets of consumer groups, through Kafka's admin client."""

from __future__ import annotations

from collections.abc import Mapping

from headrace.connect.answers import Refusal
from headrace.connect.offsets import Positions
from headrace.connect.topics import PATIENCE_SECONDS, admin_client


class KafkaGroups:
    def __init__(self, client: Mapping[str, str]) -> None:
        # Kept, since the answer never comes once the client is garbage.
        self.admin = admin_client(client)

    def read(self, group: str) -> Positions:
        from confluent_kafka import ConsumerGroupTopicPartitions

        request = [ConsumerGroupTopicPartitions(group)]
        answer = self.admin.list_consumer_group_offsets(request, request_timeout=PATIENCE_SECONDS)[
            group
        ]
        found = answer.result().topic_partitions
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
                self._commit(group, positions)
        except KafkaException as error:
            busy = (KafkaError.NON_EMPTY_GROUP, KafkaError.UNKNOWN_MEMBER_ID)
            if error.args[0].code() in busy:
                raise Refusal(500, busy_group(group)) from None
            raise

    def _commit(self, group: str, positions: Positions) -> None:
        from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException, TopicPartition

        places = [TopicPartition(*place, offset) for place, offset in positions.items()]
        request = [ConsumerGroupTopicPartitions(group, places)]
        answers = self.admin.alter_consumer_group_offsets(request, request_timeout=PATIENCE_SECONDS)
        for at in answers[group].result().topic_partitions:
            if at.error is not None:
                raise KafkaException(at.error)


def busy_group(group: str) -> str:
    return (
        f"Failed to change the offsets of consumer group {group}: it still has members. The connector's tasks "
        "have not stopped completely yet, or another consumer uses the group"
    )
