"""Which worker of a group leads: the one that Kafka's group coordinator gives the config topic's only partition."""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from headrace.connect.topics import admin_client

logger = logging.getLogger("headrace.connect")

# A poll returns at once when the group changes; this bounds how long leaving takes.
_POLL_SECONDS = 0.1

# A worker that dies is replaced this soon; Connect's own session.timeout.ms.
SESSION_SECONDS = 10.0

# One question to the coordinator; a request that forwards waits for it.
_DESCRIBE_SECONDS = 10.0


class Leadership(Protocol):
    """Membership in the group of workers."""

    def join(
        self, gained: Callable[[], None], lost: Callable[[], None], works: Callable[[], bool]
    ) -> None:
        """Become a member; the callbacks come from another thread, `gained` and `lost` in turn. Where a member has the office
        and for a time does not work, it loses and gains it once more."""

    def leader_url(self) -> str | None:
        """Where the leading worker listens, None while there is none."""

    def leave(self) -> None: ...


class GroupLeadership:
    """Membership by a consumer whose client id is the worker's URL, so that the coordinator's list is the directory."""

    def __init__(self, client: Mapping[str, str], group: str, topic: str, url: str) -> None:
        self.client = dict(client)
        self.group = group
        self.topic = topic
        self.url = url
        self.leaving = threading.Event()
        self.thread: threading.Thread | None = None
        self.leads = False
        self.idle_since: float | None = None

    def join(
        self, gained: Callable[[], None], lost: Callable[[], None], works: Callable[[], bool]
    ) -> None:
        from confluent_kafka import Consumer

        self.gained, self.lost, self.works = gained, lost, works
        self.consumer = Consumer(
            {
                **self.client,
                "group.id": self.group,
                "client.id": self.url,
                "enable.auto.commit": False,
                "session.timeout.ms": int(SESSION_SECONDS * 1000),
                # Membership is a heartbeat, whatever the callbacks take.
                "max.poll.interval.ms": 86_400_000,
            }
        )
        self.consumer.subscribe([self.topic], on_assign=self._assigned, on_revoke=self._revoked)
        self.thread = threading.Thread(target=self._follow, name="connect-group", daemon=True)
        self.thread.start()

    def leader_url(self) -> str | None:
        if self.leads:
            return self.url
        from confluent_kafka import KafkaException

        try:
            # Not describe_consumer_groups: it asks a coordinator, as those calls do that end the process when it answers late.
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)
                admin = admin_client(self.client)
                groups = admin.list_groups(self.group, timeout=_DESCRIBE_SECONDS)
        except KafkaException as error:
            # While the coordinator starts or moves, nobody can say who leads.
            logger.info("the group's leader is not known: %s", error)
            return None
        members = [member for group in groups for member in group.members]
        found: str | None = next(
            (member.client_id for member in members if _has_topics(member.assignment)), None
        )
        return found

    def leave(self) -> None:
        self.leaving.set()
        if self.thread is not None:
            self.thread.join()

    def _follow(self) -> None:
        while not self.leaving.is_set():
            message = self.consumer.poll(_POLL_SECONDS)
            if message is not None and message.error() is None and self.leads:
                # Read by the log; here the partition only stands for the office.
                self.consumer.pause(self.consumer.assignment())
            if self._is_idle(time.monotonic()):
                self.lost()
                self.gained()
        self.consumer.close()

    def _is_idle(self, now: float) -> bool:
        """Whether this member could not take the office it has, or was taken for a former leader, for as long as another
        would have needed to be elected: then there is none, and it was the brokers that failed it."""
        if not self.leads or self.works():
            self.idle_since = None
            return False
        if self.idle_since is None:
            self.idle_since = now
        if now - self.idle_since < SESSION_SECONDS:
            return False
        self.idle_since = None
        return True

    def _assigned(self, consumer: Any, partitions: list[Any]) -> None:
        consumer.assign(partitions)
        if partitions:
            consumer.pause(partitions)
            self.leads = True
            self.gained()

    def _revoked(self, consumer: Any, partitions: list[Any]) -> None:
        consumer.unassign()
        if self.leads:
            self.leads = False
            self.lost()


def _has_topics(assignment: bytes | None) -> bool:
    """Kafka's form of an assignment: two bytes of version, four with the number of topics, then these."""
    return int.from_bytes((assignment or b"")[2:6], "big") > 0
