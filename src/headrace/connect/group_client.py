"""A consumer that never joins a group: what the group has committed, and where partitions begin and end.

The admin client knows all of it too, and is not asked: when the coordinator answers too late, as after an outage, its
`list_consumer_group_offsets` and `alter_consumer_group_offsets` end the whole process.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from headrace.connect.outages import PATIENCE_SECONDS, unreachable

Result = TypeVar("Result")

Place = tuple[str, int]
Positions = dict[Place, int]

# A coordinator takes some hundred milliseconds to come up.
_PAUSE_SECONDS = 0.1

# For so long a commit waits for a coordinator within the client; it is tried again as long as patience lasts.
_COMMIT_MS = 3000


class GroupClient:
    """One group as an outsider sees it. `client` are options of a consumer."""

    def __init__(
        self, client: Mapping[str, str], group: str, patience: float = PATIENCE_SECONDS
    ) -> None:
        self.client = dict(client)
        self.group = group
        self.patience = patience
        self.consumer: Any = None

    def close(self) -> None:
        consumer, self.consumer = self.consumer, None
        if consumer is not None:
            consumer.close()

    def topics(self) -> Mapping[str, Any]:
        """The cluster's topics by name."""
        found: Mapping[str, Any] = self._ask(lambda c: c.list_topics(timeout=self.patience)).topics
        return found

    def committed(self, places: Sequence[Place]) -> Positions:
        """What the group has of these partitions."""
        from confluent_kafka import TopicPartition

        if not places:
            return {}
        wanted = [TopicPartition(*place) for place in places]
        found = self._ask(lambda c: c.committed(wanted, timeout=self.patience))
        _raise_first(found)
        # A negative offset is none.
        return {(at.topic, at.partition): at.offset for at in found if at.offset >= 0}

    def all(self) -> Positions:
        """What the group has of all partitions there are: offsets of deleted topics are deleted with them."""
        known = self.topics().items()
        return self.committed([(name, n) for name, topic in known for n in topic.partitions])

    def commit(self, positions: Positions) -> None:
        """These offsets beside those that the group has already."""
        from confluent_kafka import TopicPartition

        places = [TopicPartition(*place, offset) for place, offset in positions.items()]
        found = self._ask(lambda c: c.commit(offsets=places, asynchronous=False))
        _raise_first(found)

    def ends(self, places: Sequence[Place]) -> Positions:
        """Where records end that consumers with these options may see."""
        from confluent_kafka import OFFSET_END

        return self._offsets(places, OFFSET_END)

    def begins(self, places: Sequence[Place]) -> Positions:
        from confluent_kafka import OFFSET_BEGINNING

        return self._offsets(places, OFFSET_BEGINNING)

    def _offsets(self, places: Sequence[Place], which: int) -> Positions:
        """Kafka's protocol takes both ends for times, which are asked for in one request for all partitions."""
        from confluent_kafka import TopicPartition

        if not places:
            return {}
        wanted = [TopicPartition(*place, which) for place in places]
        found = self._ask(lambda c: self._asked(c, wanted))
        _raise_first(found)
        return {(at.topic, at.partition): at.offset for at in found}

    def _asked(self, consumer: Any, wanted: Sequence[Any]) -> Sequence[Any]:
        from confluent_kafka import KafkaError, KafkaException

        try:
            found: Sequence[Any] = consumer.offsets_for_times(wanted, timeout=self.patience)
            return found
        except KafkaException as error:
            # The partitions are known: it is their leaders that are not.
            if error.args[0].code() == KafkaError._UNKNOWN_PARTITION:
                raise unreachable(self.client, "partitions have no leader") from None
            raise

    def _ask(self, question: Callable[[Any], Result]) -> Result:
        """What a consumer is told. One that failed is not kept."""
        from confluent_kafka import Consumer

        if self.consumer is None:
            # The newer protocol of groups, which a sink may ask for, has no such timeout.
            options = {
                "enable.auto.commit": False,
                "group.protocol": "classic",
                "session.timeout.ms": _COMMIT_MS,
            }
            self.consumer = Consumer({**self.client, **options, "group.id": self.group})
        try:
            return patiently(lambda: question(self.consumer), self.patience)
        except BaseException:
            self.close()
            raise


def _raise_first(places: Sequence[Any]) -> None:
    """The first fault of a partition."""
    from confluent_kafka import KafkaException

    for at in places:
        if at.error is not None:
            raise KafkaException(at.error)


def patiently(ask: Callable[[], Result], seconds: float = PATIENCE_SECONDS) -> Result:
    """An answer, asked for again while the group's coordinator is on its way to another broker or reads its log."""
    from confluent_kafka import KafkaError, KafkaException

    moving = (
        KafkaError._WAIT_COORD,
        KafkaError.COORDINATOR_LOAD_IN_PROGRESS,
        KafkaError.COORDINATOR_NOT_AVAILABLE,
        KafkaError.NOT_COORDINATOR,
    )
    deadline = time.monotonic() + seconds
    while True:
        try:
            return ask()
        except KafkaException as error:
            if error.args[0].code() not in moving or time.monotonic() > deadline:
                raise
            time.sleep(_PAUSE_SECONDS)
