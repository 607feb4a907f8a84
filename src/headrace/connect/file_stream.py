"""Kafka's FileStream connectors: the lines of a file into a topic, and the records of topics into a file.

For trying a worker out, as Kafka's are; they move text through Python.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, ClassVar

import headrace
from headrace.connect.clients import converters, for_librdkafka, kafka_options
from headrace.connect.configdef import ConfigDef, ConfigKey, Importance, Type, non_empty
from headrace.connect.plugins import Connector, ConnectorContext, Kind, Offset, TaskContext
from headrace.errors import InvalidOption

JSON = "org.apache.kafka.connect.json.JsonConverter"
TEXT = "org.apache.kafka.connect.storage.StringConverter"

# How soon lines that are added to the file are noticed.
_POLL_SECONDS = 0.5

# One read of a file; lines longer than this are put together.
_BLOCK_BYTES = 1 << 20

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
        missing = {} if config.get("file") else {"file": ["a worker has no standard input to read"]}
        return {**missing, **unserved(config)}

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        encoder(converters(context.worker, config))
        return [config]

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        encode = encoder(converters(context.worker, config))
        partition = {"filename": config["file"]}
        position = int((context.read_offset(partition) or {"position": 0})["position"])
        with sending(kafka_options(context.worker, config, "producer"), config["topic"]) as send:
            while not context.stopping.is_set():
                lines, end = read_lines(
                    Path(config["file"]), position, int(config.get("batch.size", "2000"))
                )
                if lines:
                    send([encode(line) for line in lines])
                    context.used_topic(config["topic"])
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

    @classmethod
    def validate(cls, config: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
        return unserved(config)

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        decoder(converters(context.worker, config))
        return [config] * int(config.get("tasks.max", "1"))

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        decode = decoder(converters(context.worker, config))
        with reading(config, context) as consumer, opened(config.get("file")) as file:
            while not context.stopping.is_set():
                messages = consumer.consume(500, _POLL_SECONDS)
                records = [message for message in messages if message.error() is None]
                for record in records:
                    context.used_topic(record.topic())
                    file.write(f"{decode(record.value())}\n")
                if records:
                    file.flush()
                    consumer.commit(asynchronous=False)

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


def unserved(config: Mapping[str, str]) -> dict[str, list[str]]:
    """Common options that these connectors do nothing for, so that nobody relies on them."""
    idle = {
        "transforms": "",
        "errors.tolerance": "none",
        "errors.retry.timeout": "0",
        "errors.deadletterqueue.topic.name": "",
    }
    return {
        name: [f"FileStream connectors do not support {name}"]
        for name, usual in idle.items()
        if config.get(name, usual).strip() not in ("", usual)
    }


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


def decoder(chosen: Mapping[str, str]) -> Callable[[bytes | None], str]:
    """The text of a value; what is not text is shown as JSON."""
    if chosen["value.converter"] == TEXT:
        return lambda value: "null" if value is None else value.decode(errors="replace")
    with_schemas = _with_schemas(chosen)

    def decode(value: bytes | None) -> str:
        content = None if value is None else json.loads(value)
        if with_schemas and isinstance(content, dict):
            content = content["payload"]
        return content if isinstance(content, str) else json.dumps(content)

    return decode


def _with_schemas(chosen: Mapping[str, str]) -> bool:
    if chosen["value.converter"] != JSON:
        raise InvalidOption(
            "FileStream connectors move text, with converters of text",
            found=f"value.converter = '{chosen['value.converter']}'",
            expected=f"{TEXT}, {JSON}",
        )
    return chosen.get("value.converter.schemas.enable", "true").strip().lower() == "true"


def _compact(content: Any) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


@contextmanager
def sending(options: Mapping[str, str], topic: str) -> Iterator[Callable[[Sequence[bytes]], None]]:
    """Writes values, all of them acknowledged on return."""
    from confluent_kafka import KafkaException, Producer

    producer = Producer({"enable.idempotence": True, **for_librdkafka(options)})

    def send(values: Sequence[bytes]) -> None:
        failures: list[Any] = []
        for value in values:
            producer.produce(
                topic, value, on_delivery=lambda error, _: failures.append(error) if error else None
            )
            producer.poll(0)
        producer.flush()
        if failures:
            raise KafkaException(failures[0])

    yield send


@contextmanager
def reading(config: Mapping[str, str], context: TaskContext) -> Iterator[Any]:
    """A consumer of a sink's topics in its group, whose offsets are committed by hand."""
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
    regex = config.get("topics.regex", "").strip()
    named = [topic.strip() for topic in config.get("topics", "").split(",") if topic.strip()]
    # librdkafka takes a name that begins with ^ for a pattern; Java's must match whole names.
    consumer.subscribe([f"^({regex})$"] if regex else named)
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
