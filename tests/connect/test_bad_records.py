"""Records that cannot be moved, and what Kafka's own worker of 4.1.1 was seen to do with them."""

from __future__ import annotations

import logging
import threading
import uuid

import pytest
from confluent_kafka import Producer

from headrace.connect.errors import ToleranceExceeded
from headrace.connect.file_stream import JSON, TEXT, FileStreamSink, FileStreamSource
from headrace.connect.group_client import GroupClient
from headrace.connect.groups import KafkaGroups
from headrace.connect.plugins import TaskContext
from headrace.connect.traces import trace_of
from headrace.testing.connect import KAFKA
from headrace.testing.topics import create_topic, eventually, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

DATA = "org.apache.kafka.connect.errors.DataException"
SERIALIZATION = "Caused by: org.apache.kafka.common.errors.SerializationException: "
INTEGER = "org.apache.kafka.connect.converters.IntegerConverter"
CAST = {
    "transforms": "cast",
    "transforms.cast.type": f"{KAFKA}Cast$Value",
    "transforms.cast.spec": "n:int32",
}
UNREAD = "Converting byte[] to Kafka Connect data failed due to serialization error: "
BARE = (
    'JsonConverter with schemas.enable requires "schema" and "payload" fields and may not contain additional fields. '
    "If you are trying to deserialize plain JSON data, set schemas.enable=false in your converter configuration."
)


class Sink:
    """A FileStream sink in a thread, over a topic of its own."""

    def __init__(self, servers: str, folder, records, **options: str) -> None:
        self.servers, self.name = servers, f"bad-{uuid.uuid4().hex[:8]}"
        self.file, self.fault = folder / "out.txt", None
        create_topic(servers, self.name)
        producer = Producer({"bootstrap.servers": servers})
        for key, value, headers in records:
            producer.produce(self.name, value, key, headers=headers, timestamp=1000)
        producer.flush()
        self.config = {
            "connector.class": FileStreamSink.class_name,
            "topics": self.name,
            "file": str(self.file),
            "key.converter": TEXT,
            "value.converter": JSON,
            "value.converter.schemas.enable": "false",
            **{name.replace("_", "."): text for name, text in options.items()},
        }
        worker = {"bootstrap.servers": servers}
        self.context = TaskContext(
            self.name, 0, worker, lambda _: None, lambda _: None, lambda _: None
        )
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            FileStreamSink().run_task(self.config, self.context)
        except Exception as fault:
            self.fault = fault

    def until(self, offset: int) -> Sink:
        """Runs until the group is there."""
        self.thread.start()
        try:
            eventually(self.offset, lambda at: at == offset or self.fault is not None)
        finally:
            self.context.stopping.set()
            self.thread.join(60)
        return self

    def failed(self) -> Exception:
        self.thread.start()
        self.thread.join(120)
        assert self.fault is not None
        return self.fault

    def offset(self) -> int | None:
        groups = KafkaGroups({"bootstrap.servers": self.servers})
        return groups.read(f"connect-{self.name}").get((self.name, 0))


@pytest.fixture
def sink(kafka_broker, spark, tmp_path):
    def make(records, **options):
        return Sink(kafka_broker.address, tmp_path, records, **options)

    return make


def dead(sink: Sink) -> list:
    return read_topic(sink.servers, sink.config["errors.deadletterqueue.topic.name"])


def lettered(**options: str) -> dict[str, str]:
    return {
        "errors_tolerance": "all",
        "errors_deadletterqueue_topic_name": f"dead-{uuid.uuid4().hex[:8]}",
        "errors_deadletterqueue_topic_replication_factor": "1",
        "errors_deadletterqueue_context_headers_enable": "true",
        **options,
    }


OBSERVED = [
    ({}, (b"k", b"{", []), "VALUE_CONVERTER", JSON, UNREAD, f"{SERIALIZATION}com.fasterxml.jackson.core.io.JsonEOFException: Unexpected end-of-input"),
    ({"key.converter": JSON}, (b"{", b"{", []), "KEY_CONVERTER", JSON, UNREAD, f"{SERIALIZATION}com.fasterxml.jackson.core.io.JsonEOFException: "),
    ({"key.converter": JSON}, (b'{"a":1}', b"1", []), "KEY_CONVERTER", JSON, BARE, None),
    ({"key.converter": INTEGER}, (b"abc", b"1", []), "KEY_CONVERTER", INTEGER, "Failed to deserialize integer: ", f"{SERIALIZATION}Size of data received by IntegerDeserializer is not 4"),
    ({"header.converter": JSON}, (None, b"1", [("h", b'{"a":1}')]), "HEADER_CONVERTER", JSON, BARE, None),
    (CAST, (b"k", b'{"n":"x"}', []), "TRANSFORMATION", f"{KAFKA}Cast$Value", "Value (x) was out of range for requested data type", 'Caused by: java.lang.NumberFormatException: For input string: "x"'),
]  # fmt: skip


@pytest.mark.parametrize(("options", "record", "stage", "at_work", "message", "cause"), OBSERVED)
def test_a_letter_says_what_connect_says(sink, options, record, stage, at_work, message, cause):
    task = sink([record, (None, None, None)], **lettered(**options)).until(2)
    assert task.file.read_text() == "null\n"
    (letter,) = dead(task)
    assert (letter.key, letter.value, letter.timestamp) == (*record[:2], 1000)
    own = len(record[2])
    assert list(letter.headers[:own]) == record[2]
    told = {k.removeprefix("__connect.errors."): v.decode() for k, v in letter.headers[own:]}
    stack = told.pop("exception.stacktrace").splitlines()
    assert told == {
        "topic": task.name,
        "partition": "0",
        "offset": "0",
        "connector.name": task.name,
        "task.id": "0",
        "stage": stage,
        "class.name": at_work,
        "exception.class.name": DATA,
        "exception.message": message,
    }
    assert stack[0] == f"{DATA}: {message}"
    assert [line for line in stack if line.startswith("Caused by: ")][:1] == (
        [] if cause is None else [stack[2]]
    )
    assert cause is None or stack[2].startswith(cause)


def test_letters_come_in_the_order_of_their_offsets(sink):
    good = b'{"schema":{"type":"string"},"payload":"good"}'
    odd = b'{"schema":{"type":"odd"},"payload":1}'
    values = [b"[]", odd, good, b"", b'{"schema":{},"payload":1}', b"{", good]
    options = lettered(**{"value.converter.schemas.enable": "true"})
    task = sink([(None, value, []) for value in values], **options).until(7)
    assert [letter.value for letter in dead(task)] == [b"[]", odd, b"", values[4], b"{"]
    assert task.file.read_text() == "good\ngood\n"


def test_the_task_fails_with_the_letter_sent_and_nothing_committed(sink, caplog):
    options = lettered(
        errors_tolerance="none", errors_log_enable="true", errors_log_include_messages="true"
    )
    task = sink([(b"k", b'{"n":1}', []), (b"kb", b"{", [])], **options)
    with caplog.at_level(logging.ERROR, "headrace.connect"):
        fault = task.failed()
    assert isinstance(fault, ToleranceExceeded)
    first = trace_of(fault).splitlines()[0]
    assert first == (
        "org.apache.kafka.connect.errors.ConnectException: Tolerance exceeded in error handler"
    )
    assert f"\nCaused by: {DATA}: {UNREAD}\n" in trace_of(fault)
    assert (
        f"Error encountered in task {task.name}-0. Executing stage 'VALUE_CONVERTER' with class '{JSON}', where consumed"
        f" record is {{topic='{task.name}', partition=0, offset=1, timestamp=1000, timestampType=CreateTime}}.\n{DATA}: "
    ) in caplog.text
    assert [letter.key for letter in dead(task)] == [b"kb"]
    assert (task.file.read_text(), task.offset()) == ("", None)


def test_values_that_are_no_text_are_shown_as_java_shows_them(sink):
    values = [b'"t"', b'{"a":[1,null,{"b":2.5}]}', b"true", b"null", None]
    task = sink([(b"k", value, []) for value in values]).until(5)
    assert task.file.read_text() == "t\n{a=[1, null, {b=2.5}]}\ntrue\nnull\nnull\n"


def test_keys_are_converted_although_nobody_writes_them(sink):
    options = {"value.converter": TEXT, "key.converter": JSON}
    fault = sink([(b"x y", b"v", [])], **options).failed()
    assert isinstance(fault, ToleranceExceeded)
    assert fault.failure.stage == "KEY_CONVERTER"


def test_a_source_has_no_dead_letters(kafka_broker, spark, tmp_path):
    servers, name = kafka_broker.address, f"source-{uuid.uuid4().hex[:8]}"
    (tmp_path / "in.txt").write_text("1\nx\n3\n")
    config = {
        **lettered(),
        "file": str(tmp_path / "in.txt"),
        "topic": name,
        "transforms": "cast",
        "transforms.cast.type": f"{KAFKA}Cast$Value",
        "transforms.cast.spec": "int32",
        "value.converter": JSON,
        "value.converter.schemas.enable": "false",
    }
    config = {option.replace("_", "."): text for option, text in config.items()}
    written: list = []
    worker = {"bootstrap.servers": servers}
    context = TaskContext(name, 0, worker, lambda _: None, written.extend, lambda _: None)
    thread = threading.Thread(target=FileStreamSource().run_task, args=(config, context))
    thread.start()
    eventually(lambda: len(written), bool)
    context.stopping.set()
    thread.join(60)
    assert [record.value for record in read_topic(servers, name)] == [b"1", b"3"]
    known = GroupClient({"bootstrap.servers": servers}, "none").topics()
    assert config["errors.deadletterqueue.topic.name"] not in known
