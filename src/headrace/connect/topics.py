"""The worker's three topics, as Kafka Connect lays them out: a compacted log each, read whole and followed."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from headrace.connect.group_client import GroupClient
from headrace.connect.librdkafka.refusals import last_reason, refusal
from headrace.connect.outages import PATIENCE_SECONDS, unreachable
from headrace.errors import EnvironmentFault
from headrace.services.extras import require_packages

logger = logging.getLogger("headrace.connect")

# Between two looks at what a client was refused for, while it waits for brokers.
_LOOK_SECONDS = 1.0

# A poll returns as soon as there is a record; this bounds how long stopping takes.
_POLL_SECONDS = 0.1

# A transaction ends in steps of this length, between which it can be given up.
_STEP_SECONDS = 1.0


class Store(StrEnum):
    """What a topic keeps."""

    CONFIG = "config"
    OFFSET = "offset"
    STATUS = "status"


@dataclass(frozen=True, slots=True)
class Entry:
    """A record of a store. Keys are text; values are JSON objects, None deletes the key."""

    store: Store
    key: str
    value: Mapping[str, Any] | None


Apply = Callable[[Entry], None]


class Fenced(Exception):
    """Another worker leads now: what was to be written is not."""


class Log(Protocol):
    """The stores as one log: what is written is applied, here and by every other worker, in order."""

    def start(self, apply: Apply) -> None:
        """Apply everything that is there, then follow."""

    def lead(self) -> None:
        """Fence whoever led before, and have applied all that they wrote."""

    def write(self, entries: Sequence[Entry]) -> None:
        """All of them, in order, applied here on return. Configs of one call are written whole or not at all."""

    def resign(self) -> None:
        """Give up what is not written yet, and write no more until this worker leads again."""

    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class TopicSettings:
    """One topic: its name and, where it must be created, its shape."""

    name: str
    partitions: int
    replication: int = 1
    settings: Mapping[str, str] = field(default_factory=dict)


class KafkaLog:
    """The log in Kafka. Configs go through a transactional producer, so that a former leader cannot write any more."""

    def __init__(
        self,
        client: Mapping[str, str],
        topics: Mapping[Store, TopicSettings],
        transactional_id: str,
    ) -> None:
        require_packages("connect", "confluent_kafka", extra="connect")
        self.client = dict(client)
        self.topics = dict(topics)
        self.transactional_id = transactional_id
        self.stores = {topic.name: store for store, topic in topics.items()}
        self.positions: dict[tuple[str, int], int] = {}
        self.moved = threading.Condition()
        # One transaction at a time; requests and the runner both write configs.
        self.writing = threading.Lock()
        self.stopping = threading.Event()
        # From when this worker led until it leads again: who still waits gives up.
        self.resigned = threading.Event()
        self.failure: BaseException | None = None
        self.leader: Any = None
        self.producer: Any = None
        self.thread: threading.Thread | None = None

    def start(self, apply: Apply) -> None:
        from confluent_kafka import Consumer, TopicPartition

        partitions = self._ensure_topics()
        self.producer = keyed_producer(self.client)
        self.consumer = Consumer(
            {
                **self.client,
                "group.id": f"{self.transactional_id}-reader",
                "enable.auto.commit": False,
                "enable.partition.eof": True,
                "isolation.level": "read_committed",
            }
        )
        self.consumer.assign([TopicPartition(name, number, 0) for name, number in partitions])
        self.partitions = partitions
        self.thread = threading.Thread(
            target=self._follow, args=(apply,), name="connect-log", daemon=True
        )
        self.thread.start()
        self.read_to_end()

    def lead(self) -> None:
        from confluent_kafka import Producer

        self.resigned.clear()
        leader = Producer({**self.client, "transactional.id": self.transactional_id})
        self._in_steps(leader.init_transactions)
        self.read_to_end()
        self.leader = leader

    def write(self, entries: Sequence[Entry]) -> None:
        from confluent_kafka import KafkaException

        if self.resigned.is_set():
            raise Fenced("this worker does not lead any more")
        try:
            self._write(entries)
        except (KafkaException, EnvironmentFault) as error:
            if self.resigned.is_set():
                raise Fenced("this worker does not lead any more") from error
            raise

    def _write(self, entries: Sequence[Entry]) -> None:
        configs = [entry for entry in entries if entry.store is Store.CONFIG]
        others = [entry for entry in entries if entry.store is not Store.CONFIG]
        # One after the other: what lies in several topics is read in no order.
        if configs:
            self._wait_for(self._in_transaction(configs))
        if others:
            self._wait_for(self._send_others(others))

    def _wait_for(self, ends: Sequence[tuple[str, int, int]]) -> None:
        self._wait(lambda: all(self._passed(end) for end in ends))

    def resign(self) -> None:
        """Records that wait in the clients are dropped: written when brokers are back, they would come after what the next
        leader writes."""
        self.resigned.set()
        leader, self.leader = self.leader, None
        for client in (leader, self.producer):
            if client is not None:
                client.purge()
        with self.moved:
            self.moved.notify_all()

    def read_to_end(self) -> None:
        """Return when everything that was in the topics at the call is applied."""
        self._wait_for(self._ends())

    def stop(self) -> None:
        self.stopping.set()
        self.leader = None
        if self.thread is not None:
            self.thread.join(PATIENCE_SECONDS)
            self.consumer.close()

    def _ensure_topics(self) -> list[tuple[str, int]]:
        admin = admin_client(self.client)
        found = ensure_topics(admin, list(self.topics.values()), self.client)
        for store, topic in self.topics.items():
            _require_shape(store, topic.name, sum(name == topic.name for name, _ in found))
        require_compaction(admin, list(self.stores))
        return found

    def _ends(self) -> list[tuple[str, int, int]]:
        """The last record of every partition. Asked by a consumer of its own: the other does not answer while it polls."""
        from confluent_kafka import KafkaException

        options = {**self.client, "isolation.level": "read_uncommitted"}
        client = GroupClient(options, f"{self.transactional_id}-reader")
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                return [(*place, end - 1) for place, end in client.ends(self.partitions).items()]
            except (KafkaException, EnvironmentFault):
                # Partitions of a topic that was just created have no leader for a moment.
                if time.monotonic() > deadline:
                    raise
                self.stopping.wait(_POLL_SECONDS)
            finally:
                client.close()

    def _follow(self, apply: Apply) -> None:
        try:
            while not self.stopping.is_set():
                for message in self.consumer.consume(500, _POLL_SECONDS):
                    self._take(message, apply)
        except BaseException as error:
            with self.moved:
                self.failure = error
                self.moved.notify_all()

    def _take(self, message: Any, apply: Apply) -> None:
        from confluent_kafka import KafkaError

        error = message.error()
        if error is None:
            self._apply(message, apply)
            reached = message.offset() + 1
        elif error.code() == KafkaError._PARTITION_EOF:
            reached = message.offset()
        else:
            return
        with self.moved:
            self.positions[message.topic(), message.partition()] = reached
            self.moved.notify_all()

    def _apply(self, message: Any, apply: Apply) -> None:
        """Records that cannot be understood are passed by: whoever wrote them, the others must still be served."""
        try:
            value = message.value()
            content = None if value is None else json.loads(value)
            apply(Entry(self.stores[message.topic()], message.key().decode(), content))
        except Exception:
            place = f"{message.topic()}-{message.partition()} at {message.offset()}"
            logger.exception("a record of the worker's topics is not understood: %s", place)

    def _in_transaction(self, entries: Sequence[Entry]) -> list[tuple[str, int, int]]:
        from confluent_kafka import KafkaException

        with self.writing:
            leader = self.leader
            if leader is None:
                raise Fenced("this worker does not lead")
            try:
                leader.begin_transaction()
                ends = self._send(leader, entries)
                self._in_steps(leader.commit_transaction)
            except (KafkaException, EnvironmentFault) as error:
                self._abort(leader, error)
                raise
            return ends

    def _abort(self, leader: Any, error: Exception) -> None:
        """Leave nothing half written. What cannot be aborted is a former leader's, and ended by the next."""
        from confluent_kafka import KafkaException

        fault = error.args[0]
        try:
            if isinstance(error, KafkaException) and (fault.fatal() or self.resigned.is_set()):
                raise error
            self._in_steps(leader.abort_transaction)
        except KafkaException:
            self.leader = None
            raise Fenced(str(error)) from error

    def _in_steps(self, step: Callable[[float], object]) -> None:
        """Begins or ends a transaction. What is late goes on where it was when it is called again."""
        from confluent_kafka import KafkaException

        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            try:
                step(_STEP_SECONDS)
                return
            except KafkaException as error:
                given_up = self.resigned.is_set() or self.stopping.is_set()
                if given_up or not _is_late(error) or time.monotonic() > deadline:
                    raise

    def _send_others(self, entries: Sequence[Entry]) -> list[tuple[str, int, int]]:
        from confluent_kafka import KafkaError, KafkaException

        try:
            return self._send(self.producer, entries)
        except KafkaException as error:
            if error.args[0].fatal() or error.args[0].code() == KafkaError._FATAL:
                # It will never write again.
                self.producer = keyed_producer(self.client)
            raise

    def _send(self, producer: Any, entries: Sequence[Entry]) -> list[tuple[str, int, int]]:
        named = [(self.topics[entry.store].name, entry) for entry in entries]
        return send(producer, named, self.client)

    def _passed(self, end: tuple[str, int, int]) -> bool:
        name, number, offset = end
        return self.positions.get((name, number), 0) > offset

    def _wait(self, until: Callable[[], bool]) -> None:
        with self.moved:
            done = self.moved.wait_for(
                lambda: self.failure is not None or self.resigned.is_set() or until(),
                PATIENCE_SECONDS,
            )
        if self.failure is not None:
            raise self.failure
        if self.resigned.is_set():
            raise Fenced("this worker does not lead any more")
        if not done:
            raise unreachable(self.client, "the worker's topics could not be read to their ends")


def send(
    producer: Any, entries: Sequence[tuple[str, Entry]], client: Mapping[str, str]
) -> list[tuple[str, int, int]]:
    """Writes entries to the topics beside them; where each of them came to lie."""
    from confluent_kafka import KafkaException

    ends: list[tuple[str, int, int]] = []
    failures: list[Any] = []

    def delivered(error: Any, message: Any) -> None:
        if error is not None:
            failures.append(error)
        else:
            ends.append((message.topic(), message.partition(), message.offset()))

    for topic, entry in entries:
        value = None if entry.value is None else json.dumps(entry.value).encode()
        producer.produce(topic, value, entry.key.encode(), on_delivery=delivered)
    left = _flushed(producer)
    if failures:
        raise KafkaException(failures[0])
    if left:
        raise unreachable(client, f"{left} records of the worker were not written in time")
    return ends


def _flushed(producer: Any) -> int:
    """How many records are left. Fenced while a record's callback is due, the client raises the one within the other."""
    from confluent_kafka import KafkaException

    try:
        left: int = producer.flush(PATIENCE_SECONDS)
    except SystemError as error:
        if isinstance(error.__cause__, KafkaException):
            raise error.__cause__ from None
        raise
    return left


def keyed_producer(client: Mapping[str, Any]) -> Any:
    from confluent_kafka import Producer

    # Kafka Connect's choice of a partition: all records of a key are to lie in one.
    return Producer({**client, "enable.idempotence": True, "partitioner": "murmur2_random"})


def admin_client(client: Mapping[str, Any]) -> Any:
    from confluent_kafka.admin import AdminClient

    return AdminClient(dict(client))


def cluster_id(client: Mapping[str, Any], seconds: float = 30.0) -> str:
    """The id of the cluster, which is asked first: brokers that do not answer, or let nobody in, are told as such."""
    from confluent_kafka import KafkaException

    heard: list[Any] = []
    # What it would print besides is heard, and told once.
    admin = admin_client({**client, "error_cb": heard.append, "log_level": 0})
    deadline = time.monotonic() + seconds
    while True:
        try:
            found: str = admin.list_topics(timeout=_LOOK_SECONDS).cluster_id
        except KafkaException as error:
            admin.poll(0)
            fault = refusal(client, heard)
            if fault is None and time.monotonic() < deadline:
                continue
            text = f"no broker answers: {error.args[0].str()}"
            raise fault or unreachable(client, text, last_reason(heard)) from None
        return found


def _is_late(error: Any) -> bool:
    from confluent_kafka import KafkaError

    fault = error.args[0]
    return bool(fault.retriable() and fault.code() == KafkaError._TIMED_OUT)


def _admin_types() -> Mapping[str, Any]:
    """Types that the module offers without declaring them as its own."""
    from confluent_kafka import admin

    return vars(admin)


def ensure_topics(
    admin: Any, topics: Sequence[TopicSettings], client: Mapping[str, str]
) -> list[tuple[str, int]]:
    """The partitions of topics, which are created where they are missing."""
    names = [topic.name for topic in topics]
    known = admin.list_topics(timeout=PATIENCE_SECONDS).topics
    missing = [topic for topic in topics if topic.name not in known]
    if missing:
        _create(admin, missing)
    known = _appeared(admin, names, client)
    return [(name, number) for name in names for number in known[name].partitions]


def _appeared(admin: Any, names: Sequence[str], client: Mapping[str, str]) -> Mapping[str, Any]:
    """The topics, once the broker that answers knows all of them."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        known: Mapping[str, Any] = admin.list_topics(timeout=PATIENCE_SECONDS).topics
        if all(name in known and known[name].partitions for name in names):
            return known
        if time.monotonic() > deadline:
            raise unreachable(client, "the worker's topics did not appear")
        time.sleep(_POLL_SECONDS)


def _create(admin: Any, topics: Sequence[TopicSettings]) -> None:
    from confluent_kafka import KafkaError, KafkaException
    from confluent_kafka.cimpl import NewTopic

    wanted = [
        NewTopic(
            topic.name,
            topic.partitions,
            topic.replication,
            config={"cleanup.policy": "compact", **topic.settings},
        )
        for topic in topics
    ]
    for name, created in admin.create_topics(wanted).items():
        try:
            created.result()
        except KafkaException as error:
            # Two workers that start together both see them missing.
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise _not_created(name, error.args[0]) from None


def _not_created(name: str, error: Any) -> EnvironmentFault:
    from confluent_kafka import KafkaError

    copies = error.code() == KafkaError.INVALID_REPLICATION_FACTOR
    return EnvironmentFault(
        f"topic '{name}', in which a worker keeps what it must not forget, cannot be created",
        condition="CONNECT_TOPIC",
        found=error.str(),
        cure="set {config,offset,status}.storage.replication.factor to no more than there are brokers; -1 takes their default"
        if copies
        else "create it with cleanup.policy = compact, or let the worker's login do so",
    )


def _require_shape(store: Store, name: str, partitions: int) -> None:
    if store is Store.CONFIG and partitions != 1:
        raise EnvironmentFault(
            f"topic '{name}' cannot hold connector configs, whose order counts",
            condition="CONNECT_TOPIC",
            found=f"{partitions} partitions",
            expected="1 partition",
            cure="name another config.storage.topic, or create it anew with one partition",
        )


def require_compaction(admin: Any, names: Sequence[str]) -> None:
    """Elsewhere connectors would be forgotten when their records are old."""
    from confluent_kafka import KafkaException

    kinds = _admin_types()
    topic = kinds["ResourceType"].TOPIC
    resources = [kinds["ConfigResource"](topic, name) for name in names]
    for resource, answer in admin.describe_configs(resources).items():
        try:
            policy = answer.result()["cleanup.policy"].value
        except KafkaException as error:
            # Who may use a topic need not be allowed to look at its settings.
            logger.warning("the settings of topic '%s' are not known: %s", resource.name, error)
            continue
        if policy != "compact":
            raise EnvironmentFault(
                f"topic '{resource.name}' would forget what a worker keeps in it",
                condition="CONNECT_TOPIC",
                found=f"cleanup.policy = {policy}",
                expected="cleanup.policy = compact",
                cure="change the topic's cleanup.policy, or name another topic in the worker's settings",
            )
