"""Committed offsets of sinks' consumer groups, as the API shows and changes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from headrace.connect.answers import Refusal
from headrace.connect.group_client import GroupClient, Positions
from headrace.connect.offsets import UnknownPlace
from headrace.connect.topics import admin_client

# Somebody waits for the answer; Kafka's own worker has them wait for 90 s.
_PATIENCE_SECONDS = 20.0


class KafkaGroups:
    def __init__(self, client: Mapping[str, str]) -> None:
        self.client = dict(client)

    def read(self, group: str) -> Positions:
        with self._of(group) as one:
            return one.all()

    def replace(self, group: str, positions: Positions) -> None:
        """Kafka's client for Python cannot delete single offsets: the group goes, and comes back with the others."""
        from confluent_kafka import KafkaError, KafkaException

        try:
            with self._of(group) as one:
                if one.all().keys() - positions.keys():
                    self._delete(group)
                if positions:
                    one.commit(positions)
        except KafkaException as error:
            busy = (KafkaError.NON_EMPTY_GROUP, KafkaError.UNKNOWN_MEMBER_ID)
            if error.args[0].code() in busy:
                raise Refusal(500, busy_group(group)) from None
            if error.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART:
                raise UnknownPlace(group) from None
            raise

    @contextmanager
    def _of(self, group: str) -> Iterator[GroupClient]:
        one = GroupClient(self.client, group, _PATIENCE_SECONDS)
        try:
            yield one
        finally:
            one.close()

    def _delete(self, group: str) -> None:
        """By the admin client, since nothing else can. Its deletion takes a late answer well, and the coordinator has just
        answered a consumer."""
        # Kept, since the answer never comes once the client is garbage.
        admin = admin_client(self.client)
        answers = admin.delete_consumer_groups([group], request_timeout=_PATIENCE_SECONDS)
        answers[group].result()


def busy_group(group: str) -> str:
    return (
        f"Failed to change the offsets of consumer group {group}: it still has members. The connector's tasks "
        "have not stopped completely yet, or another consumer uses the group"
    )
