"""Kafka's FileStream connectors: the lines of a file into a topic, and the records of topics into a file.

For trying a worker out, as Kafka's are. Text goes through Python; with transforms, other converters or tolerated errors it
takes the way of all records (`file_records`).
"""

from __future__ import annotations

import json
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import IO, Any, ClassVar

import headrace
from headrace.connect.chosen_topics import ChosenTopics, Subscription
from headrace.connect.clients import converters, for_librdkafka, kafka_options
from headrace.connect.configdef import ConfigDef, ConfigKey, Importance, Type, non_empty
from headrace.connect.converters.headers import SIMPLE
from headrace.connect.file_records import FileRecords, Outgoing
from headrace.connect.jdbc.topics import Topics
from headrace.connect.outages import passes
from headrace.connect.plugins import Connector, ConnectorContext, Kind, Offset, TaskContext

logger = logging.getLogger("headrace.connect")

JSON = "org.apache.kafka.connect.json.JsonConverter"
TEXT = "org.apache.kafka.connect.storage.StringConverter"

_ENCODING = "value.converter.converter.encoding"

# How soon lines that are added to the file are noticed.
_POLL_SECONDS = 0.5

# One read of a file; lines longer than this are put together.
_BLOCK_BYTES = 1 << 20

# For what is on its way when a task is told to stop: some of the time that it is given to end.
_LAST_SECONDS = 3.0

# Kafka's own worker waits as long as Java can count, and so do we.
_PRODUCER = {"enable.idempotence": True, "delivery.timeout.ms": 2**31 - 1}

_FILE = ConfigKey("file", Type.STRING, None, Importance.HIGH, "The file; of a sink, none is standard output.")  # fmt: skip


class FileStreamSource(Connector):
    class_name: ClassVar[str] = "org.apache.kafka.connect.file.FileStreamSourceConnector"
    kind: ClassVar[Kind] = Kind.SOURCE
    version: ClassVar[str | None] = headrace.__version__
    task_class: ClassVar[str | None] = "org.apache.kafka.connect.file.FileStreamSourceTask"

    @classmethod
    def config(cls) -> ConfigDef:
        return ConfigDef(
            [
                _FILE,
                ConfigKey(
                    "topic",
                    Type.STRING,
                    importance=Importance.HIGH,
                    documentation="The topic to write to.",
                    validator=non_empty,
                ),
                ConfigKey(
                    "batch.size",
                    Type.INT,
                    2000,
                    Importance.LOW,
                    "Most lines that are written before their offset is.",
                ),
            ]
        )

    @classmethod
    def validate(cls, config: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
        return {} if config.get("file") else {"file": ["a worker has no standard input to read"]}

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        return [config]

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        write = writing(config, context)
        created = Topics(config, context.worker)
        partition = {"filename": config["file"]}
        position = int((context.read_offset(partition) or {"position": 0})["position"])
        options = kafka_options(context.worker, config, "producer")
        with sending(options, context.stopping) as send:
            while not context.stopping.is_set():
                lines, end = read_lines(
                    Path(config["file"]), position, int(config.get("batch.size", "2000"))
                )
                if lines:
                    records = write(lines)
                    context.used_topics(created.ensure(record.topic for record in records))
                    if context.stopping.is_set():
                        # Brokers may have been away meanwhile, and another task be at work.
                        return
                    send(records)
                    context.write_offsets([(partition, {"position": end})])
                    position = end
                else:
                    context.stopping.wait(_POLL_SECONDS)

    def alter_offsets(
        self, config: Mapping[str, str], changes: Sequence[tuple[Offset, Offset | None]]
    ) -> bool:
        for partition, offset in changes:
            if partition is None:
                raise ValueError("Partition objects cannot be null")
            if "filename" not in partition:
                raise ValueError("Partition objects should contain the key 'filename'")
            if offset is not None:
                _require_position(offset.get("position"))
        return True


class FileStreamSink(Connector):
    class_name: ClassVar[str] = "org.apache.kafka.connect.file.FileStreamSinkConnector"
    kind: ClassVar[Kind] = Kind.SINK
    version: ClassVar[str | None] = headrace.__version__
    task_class: ClassVar[str | None] = "org.apache.kafka.connect.file.FileStreamSinkTask"

    @classmethod
    def config(cls) -> ConfigDef:
        return ConfigDef([_FILE])

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        return [config] * int(config.get("tasks.max", "1"))

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        show = showing(config, context)
        with reading(config, context) as consumer, opened(config.get("file")) as file:
            subscription = Subscription(consumer, ChosenTopics.of(config))
            behind = False
            while not context.stopping.is_set():
                subscription.refresh()
                messages = consumer.consume(500, _POLL_SECONDS)
                records = [message for message in messages if message.error() is None]
                context.used_topics({record.topic() for record in records})
                if records:
                    file.writelines(f"{line}\n" for line in show(records))
                    file.flush()
                if records or behind:
                    behind = not committed(consumer)

    def alter_offsets(
        self, config: Mapping[str, str], changes: Sequence[tuple[Offset, Offset | None]]
    ) -> bool:
        # There are none but those of its group.
        return True


def _require_position(position: Any) -> None:
    of_it = "The value for the 'position' key in the offset"
    if not isinstance(position, int):
        raise ValueError(f"{of_it} is expected to be a Long value")
    if position < 0:
        raise ValueError(f"{of_it} should be a non-negative value")


def is_plain(config: Mapping[str, str], chosen: Mapping[str, str]) -> bool:
    """Whether text is all that is moved, in the usual encoding, and nothing is done to it."""
    asked = ("transforms", "predicates", "errors.deadletterqueue.topic.name")
    usual = config.get("errors.tolerance", "none").strip() == "none"
    plain = chosen["value.converter"] in (TEXT, JSON) and chosen["header.converter"] == SIMPLE
    plain = plain and _ENCODING not in chosen
    return plain and usual and not any(config.get(name, "").strip() for name in asked)


def writing(
    config: Mapping[str, str], context: TaskContext
) -> Callable[[Sequence[str]], list[Outgoing]]:
    """What turns a source's lines into records."""
    chosen, topic = converters(context.worker, config), config["topic"]
    if not is_plain(config, chosen):
        records = FileRecords(config, context, sink=False)
        return lambda lines: records.written(topic, lines)
    encode = encoder(chosen)
    return lambda lines: [Outgoing(topic, value=encode(line)) for line in lines]


def showing(
    config: Mapping[str, str], context: TaskContext
) -> Callable[[Sequence[Any]], Sequence[str]]:
    """What turns a sink's messages into lines; those that are no plain text take the way of all records."""
    chosen = converters(context.worker, config)
    records = cache(lambda: FileRecords(config, context, sink=True))
    if not is_plain(config, chosen):
        return records().lines
    decode, any_key = decoder(chosen), chosen["key.converter"] == TEXT

    def show(messages: Sequence[Any]) -> Sequence[str]:
        keyed = not any_key and any(message.key() is not None for message in messages)
        texts = [] if keyed else [decode(message.value()) for message in messages]
        plain = [text for text in texts if text is not None]
        return plain if len(plain) == len(messages) else records().lines(messages)

    return show


def read_lines(file: Path, position: int, most: int) -> tuple[list[str], int]:
    """Whole lines from a position on, and the position after them; none while the file or its next line is not there."""
    if not file.is_file():
        return [], position
    with file.open("rb") as stream:
        stream.seek(position)
        block = stream.read(_BLOCK_BYTES)
        while b"\n" not in block and (more := stream.read(_BLOCK_BYTES)):
            block += more
    whole = block[: block.rfind(b"\n") + 1].splitlines(keepends=True)[:most]
    end = position + sum(map(len, whole))
    return [line.rstrip(b"\r\n").decode(errors="replace") for line in whole], end


def encoder(chosen: Mapping[str, str]) -> Callable[[str], bytes]:
    """Text as the value's converter writes it."""
    if chosen["value.converter"] == TEXT:
        return str.encode
    if _with_schemas(chosen):
        schema = {"type": "string", "optional": False}
        return lambda text: _compact({"schema": schema, "payload": text})
    return _compact


def decoder(chosen: Mapping[str, str]) -> Callable[[bytes | None], str | None]:
    """The text of a value; None where it is none, or cannot be read."""
    if chosen["value.converter"] == TEXT:
        return lambda value: "null" if value is None else value.decode(errors="replace")
    schemas = [{"type": "string"}, {"type": "string", "optional": False}, {"type": "string", "optional": True}]  # fmt: skip
    with_schemas = _with_schemas(chosen)

    def decode(value: bytes | None) -> str | None:
        try:
            content = None if value is None else json.loads(value)
        except ValueError:
            return None
        if with_schemas:
            told = content if isinstance(content, dict) and len(content) == 2 else {}
            content = told.get("payload") if told.get("schema") in schemas else None
        return content if isinstance(content, str) else None

    return decode


def _with_schemas(chosen: Mapping[str, str]) -> bool:
    return chosen.get("value.converter.schemas.enable", "true").strip().lower() == "true"


def _compact(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


@contextmanager
def sending(
    options: Mapping[str, str], stopping: threading.Event
) -> Iterator[Callable[[Sequence[Outgoing]], None]]:
    """Writes records, all of them acknowledged on return, however long brokers are away; a task that is told to stop takes
    back what they do not have yet, since the next one sends it again."""
    from confluent_kafka import KafkaException, Producer

    producer = Producer({**_PRODUCER, **for_librdkafka(options)})

    def send(records: Sequence[Outgoing]) -> None:
        failures: list[Any] = []
        for record in records:
            producer.produce(
                **record.options(),
                on_delivery=lambda error, _: failures.append(error) if error else None,
            )
            producer.poll(0)
        while producer.flush(_POLL_SECONDS):
            if stopping.is_set() and producer.flush(_LAST_SECONDS):
                producer.purge()
        if failures:
            raise KafkaException(failures[0])

    yield send


def committed(consumer: Any) -> bool:
    """Whether nothing is left to be told to the group. Where brokers are away, the next commit tells it; where the group
    went on without this member, its records are read again."""
    from confluent_kafka import KafkaError, KafkaException

    moved = (
        KafkaError._NO_OFFSET,
        KafkaError._ASSIGNMENT_LOST,
        KafkaError.ILLEGAL_GENERATION,
        KafkaError.REBALANCE_IN_PROGRESS,
        KafkaError.UNKNOWN_MEMBER_ID,
    )
    try:
        consumer.commit(asynchronous=False)
    except KafkaException as error:
        is_gone = error.args[0].code() in moved
        if not (is_gone or passes(error)):
            raise
        logger.warning("offsets are not committed: %s", error)
        return is_gone
    return True


@contextmanager
def reading(config: Mapping[str, str], context: TaskContext) -> Iterator[Any]:
    """A consumer in a sink's group, whose offsets are committed by hand."""
    from confluent_kafka import Consumer

    options = for_librdkafka(kafka_options(context.worker, config, "consumer"))
    consumer = Consumer(
        {
            "group.id": context.group,
            "auto.offset.reset": "earliest",
            **options,
            "enable.auto.commit": False,
        }
    )
    try:
        yield consumer
    finally:
        consumer.close()


@contextmanager
def opened(file: str | None) -> Iterator[IO[str]]:
    if not file:
        yield sys.stdout
        return
    with open(file, "a", encoding="utf-8") as stream:
        yield stream
