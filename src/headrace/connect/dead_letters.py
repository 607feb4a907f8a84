"""Dead letters of a sink: records it could not write, in a topic of their own, as Connect's reporter writes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from headrace.connect.clients import for_librdkafka, kafka_options
from headrace.connect.errors import ErrorPolicy, Failure
from headrace.connect.outages import PATIENCE_SECONDS, passes
from headrace.connect.topics import admin_client
from headrace.errors import EnvironmentFault

PREFIX = "__connect.errors."


class DeadLetters:
    """The topic is created where it is not there, with one partition."""

    def __init__(
        self,
        policy: ErrorPolicy,
        connector: str,
        task: int,
        worker: Mapping[str, str],
        config: Mapping[str, str],
    ) -> None:
        self.topic = policy.dead_letters or ""
        self.policy = policy
        self.connector = connector
        self.task = task
        self.failed: list[Any] = []
        self._create(for_librdkafka(kafka_options(worker, config, "admin")))
        self.producer = _producer(kafka_options(worker, config, "producer"))

    def _create(self, options: Mapping[str, str]) -> None:
        from confluent_kafka import KafkaError, KafkaException
        from confluent_kafka.cimpl import NewTopic

        admin = admin_client(options)
        if self.topic in admin.list_topics(timeout=PATIENCE_SECONDS).topics:
            return
        wanted = NewTopic(self.topic, 1, self.policy.replication)
        try:
            admin.create_topics([wanted])[self.topic].result()
        except KafkaException as error:
            if passes(error):
                raise
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise EnvironmentFault(
                    f"Could not initialize dead letter queue with topic={self.topic}",
                    found=str(error.args[0].str()),
                    cure="errors.deadletterqueue.topic.replication.factor must not exceed the number of brokers",
                ) from None

    def send(self, failure: Failure) -> None:
        headers = list(failure.headers)
        if self.policy.context_headers:
            headers += context_headers(failure, self.connector, self.task)
        place = {} if failure.timestamp_ms is None else {"timestamp": failure.timestamp_ms}
        while True:
            try:
                self.producer.produce(
                    self.topic,
                    failure.value,
                    failure.key,
                    headers=headers,
                    on_delivery=self._note,
                    **place,
                )
                self.producer.poll(0)
                return
            except BufferError:
                self.producer.poll(0.1)

    def _note(self, error: Any, message: object) -> None:
        if error is not None:
            self.failed.append(error)

    def flush(self) -> None:
        """The records behind a letter count as done afterwards, so that a letter that is not kept fails the task, unless it
        was brokers that are waited for."""
        from confluent_kafka import KafkaException

        self.producer.flush()
        if self.failed:
            first, self.failed = self.failed[0], []
            if passes(KafkaException(first)):
                raise KafkaException(first)
            raise EnvironmentFault(
                f"Could not produce message to dead letter queue. topic={self.topic}",
                found=str(first),
            )


def _producer(options: Mapping[str, str]) -> Any:
    from confluent_kafka import Producer

    return Producer({"enable.idempotence": True, **for_librdkafka(options)})


def context_headers(failure: Failure, connector: str, task: int) -> list[tuple[str, bytes | None]]:
    """In Connect's order, all of them text."""
    facts = {
        "topic": failure.topic,
        "partition": failure.partition,
        "offset": failure.offset,
        "connector.name": connector,
        "task.id": task,
        "stage": failure.stage,
        "class.name": failure.executing_class,
        "exception.class.name": failure.kind,
        "exception.message": failure.message,
        "exception.stacktrace": failure.trace(),
    }
    return [
        (f"{PREFIX}{name}", None if fact is None else str(fact).encode())
        for name, fact in facts.items()
    ]
