from __future__ import annotations

import json
import threading
import uuid

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect import file_stream
from headrace.connect.converters.headers import SIMPLE
from headrace.connect.file_records import Outgoing
from headrace.connect.file_stream import (
    JSON,
    TEXT,
    FileStreamSink,
    FileStreamSource,
    committed,
    decoder,
    encoder,
    is_plain,
    read_lines,
    sending,
)
from headrace.connect.plugins import ConnectorContext, Plugins, TaskContext
from headrace.connect.validation import validate
from headrace.services.ports import free_port
from headrace.testing.connect import KAFKA
from headrace.testing.topics import eventually, produce, read_topic


class TestLines:
    @pytest.fixture
    def file(self, tmp_path):
        return tmp_path / "lines.txt"

    def test_whole_lines_only(self, file):
        file.write_bytes(b"one\ntwo\r\nthr")
        assert read_lines(file, 0, 10) == (["one", "two"], 9)
        assert read_lines(file, 9, 10) == ([], 9)
        file.write_bytes(b"one\ntwo\r\nthree\n")
        assert read_lines(file, 9, 10) == (["three"], 15)

    def test_at_most_so_many(self, file):
        file.write_text("a\nb\nc\n")
        assert read_lines(file, 0, 2) == (["a", "b"], 4)

    def test_no_file_has_no_lines(self, file):
        assert read_lines(file, 0, 2) == ([], 0)

    def test_positions_are_bytes(self, file):
        file.write_text("é\nb\n", encoding="utf-8")
        assert read_lines(file, 0, 1) == (["é"], 3)

    def test_a_line_longer_than_a_block(self, file, monkeypatch):
        monkeypatch.setattr("headrace.connect.file_stream._BLOCK_BYTES", 2)
        file.write_text("abcdefg\nh\n")
        assert read_lines(file, 0, 1) == (["abcdefg"], 8)


class TestConverters:
    def test_text(self):
        chosen = {"value.converter": TEXT}
        assert encoder(chosen)("é") == "é".encode()
        assert decoder(chosen)(b"x") == "x"
        assert decoder(chosen)(None) == "null"

    def test_json_with_schemas(self):
        chosen = {"value.converter": JSON}
        encoded = encoder(chosen)("a")
        assert encoded == b'{"schema":{"type":"string","optional":false},"payload":"a"}'
        assert decoder(chosen)(encoded) == "a"

    def test_json_without(self):
        chosen = {"value.converter": JSON, "value.converter.schemas.enable": "false"}
        assert encoder(chosen)("a") == b'"a"'
        assert decoder(chosen)(b'"a"') == "a"

    @pytest.mark.parametrize("schemas", ["true", "false"])
    @pytest.mark.parametrize("value", [None, b"{", b"1", b'{"payload": 1}', b'"a', b"[]", b"\xff"])
    def test_what_is_no_text_is_left_to_others(self, schemas, value):
        chosen = {"value.converter": JSON, "value.converter.schemas.enable": schemas}
        assert decoder(chosen)(value) is None

    def test_texts_of_a_name_are_left_to_others(self):
        named = {"schema": {"type": "string", "name": "Id"}, "payload": "a"}
        assert decoder({"value.converter": JSON})(json.dumps(named).encode()) is None


def errors(connector, **config: str) -> dict[str, list[str]]:
    base = {"name": "c", "connector.class": connector.class_name}
    values = validate(Plugins([connector]), connector, {**base, **config}).values
    return {name: value.errors for name, value in values.items() if value.errors}


def test_options():
    assert errors(FileStreamSource, file="/x", topic="t") == {}
    assert set(errors(FileStreamSource)) == {"topic", "file"}
    assert set(errors(FileStreamSource, file="/x", topic="")) == {"topic"}
    assert errors(FileStreamSink, topics="t") == {}


@pytest.mark.parametrize(
    ("config", "plain"),
    [
        ({}, True),
        ({"transforms": " ", "errors.tolerance": "none"}, True),
        ({"transforms": "a"}, False),
        ({"errors.tolerance": "all"}, False),
        ({"errors.deadletterqueue.topic.name": "dead"}, False),
    ],
)
def test_what_goes_the_short_way(config, plain):
    assert is_plain(config, {"value.converter": TEXT, "header.converter": SIMPLE}) is plain
    assert is_plain(config, {"value.converter": JSON, "header.converter": SIMPLE}) is plain
    latin = {"value.converter.converter.encoding": "ISO-8859-1"}
    assert not is_plain(config, {"value.converter": TEXT, "header.converter": SIMPLE, **latin})
    other = {"value.converter": "org.apache.kafka.connect.converters.ByteArrayConverter"}
    assert not is_plain(config, other)


def test_a_source_has_one_task():
    config = {"file": "/x", "topic": "t", "tasks.max": "4"}
    context = ConnectorContext("c", {}, lambda: None, list)
    assert FileStreamSource().start(config, context) == [config]
    assert len(FileStreamSink().start(config, context)) == 4


class TestOffsets:
    PARTITION = {"filename": "in.txt"}  # noqa: RUF012

    @pytest.mark.parametrize("offset", [None, {"position": 0}, {"position": 12}])
    def test_positions_are_taken(self, offset):
        assert FileStreamSource().alter_offsets({}, [(self.PARTITION, offset)]) is True

    @pytest.mark.parametrize(
        ("partition", "offset", "message"),
        [
            (None, None, "Partition objects cannot be null"),
            ({"file": "x"}, None, "should contain the key 'filename'"),
            (PARTITION, {"position": "1"}, "is expected to be a Long value"),
            (PARTITION, {}, "is expected to be a Long value"),
            (PARTITION, {"position": -1}, "should be a non-negative value"),
        ],
    )
    def test_others_are_refused(self, partition, offset, message):
        with pytest.raises(ValueError, match=message):
            FileStreamSource().alter_offsets({}, [(partition, offset)])

    def test_a_sink_has_none_beside_its_group(self):
        assert FileStreamSink().alter_offsets({}, []) is True


class TestBrokersAway:
    def test_what_they_do_not_have_is_taken_back_when_the_task_stops(self, monkeypatch):
        monkeypatch.setattr(file_stream, "_POLL_SECONDS", 0.01)
        monkeypatch.setattr(file_stream, "_LAST_SECONDS", 0.01)
        stopping = threading.Event()
        stopping.set()
        nowhere = {"bootstrap.servers": f"127.0.0.1:{free_port()}"}
        with sending(nowhere, stopping) as send, pytest.raises(KafkaException) as caught:
            send([Outgoing("t", value=b"1")])
        assert caught.value.args[0].code() == KafkaError._PURGE_QUEUE

    def test_they_are_waited_for_until_then(self, monkeypatch):
        monkeypatch.setattr(file_stream, "_POLL_SECONDS", 0.01)
        looks = []

        class Slow:
            def __init__(self, options) -> None:
                assert options["delivery.timeout.ms"] == 2**31 - 1

            def produce(self, topic, value, on_delivery, **more):
                self.done = on_delivery

            def poll(self, seconds):
                pass

            def flush(self, seconds):
                looks.append(seconds)
                if len(looks) == 3:
                    self.done(None, None)
                    return 0
                return 1

        monkeypatch.setattr("confluent_kafka.Producer", Slow)
        with sending({}, threading.Event()) as send:
            send([Outgoing("t", value=b"1")])
        assert len(looks) == 3

    @pytest.mark.parametrize(
        ("code", "done"),
        [
            (None, True),
            (KafkaError._TRANSPORT, False),
            (KafkaError._WAIT_COORD, False),
            (KafkaError.ILLEGAL_GENERATION, True),
            (KafkaError._NO_OFFSET, True),
        ],
    )
    def test_commits_that_fail_are_made_up_for(self, code, done):
        assert committed(Committing(code)) is done

    def test_what_is_forbidden_fails(self):
        with pytest.raises(KafkaException):
            committed(Committing(KafkaError.GROUP_AUTHORIZATION_FAILED))


class Committing:
    """A consumer whose commits fail."""

    def __init__(self, code) -> None:
        self.code = code

    def commit(self, asynchronous):
        if self.code is not None:
            raise KafkaException(KafkaError(self.code))


class Task:
    """A task in a thread, with offsets in memory."""

    def __init__(self, connector, config: dict[str, str], servers: str, name: str) -> None:
        self.offsets: list[tuple[dict, dict]] = []
        self.topics: set[str] = set()
        worker = {"bootstrap.servers": servers, "value.converter": TEXT}
        self.context = TaskContext(
            name, 0, worker, self.read, self.offsets.extend, self.topics.update
        )
        self.thread = threading.Thread(target=connector.run_task, args=(config, self.context))
        self.thread.start()

    def read(self, partition):
        return {json.dumps(p): o for p, o in self.offsets}.get(json.dumps(partition))

    def stop(self) -> None:
        self.context.stopping.set()
        self.thread.join(60)
        assert not self.thread.is_alive()


def setting(servers: str, topic: str, name: str) -> str:
    from confluent_kafka.admin import AdminClient, ConfigResource

    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    admin = AdminClient({"bootstrap.servers": servers})
    asked = admin.describe_configs([resource])
    return asked[resource].result(30)[name].value


@pytest.mark.services
def test_from_a_file_through_a_topic_to_a_file(kafka_broker, tmp_path):
    servers, topic = kafka_broker.bootstrap_servers, f"lines-{uuid.uuid4().hex[:8]}"
    source_file, sink_file = tmp_path / "in.txt", tmp_path / "out.txt"
    source_file.write_text("one\ntwo\n")
    config = {
        "file": str(source_file),
        "topic": topic,
        "topic.creation.default.partitions": "1",
        "topic.creation.default.replication.factor": "1",
        "topic.creation.default.retention.ms": "123456",
    }
    source = Task(FileStreamSource(), config, servers, topic)
    sink = None
    try:
        eventually(
            lambda: source.offsets,
            lambda seen: seen[-1:] == [({"filename": str(source_file)}, {"position": 8})],
        )
        with source_file.open("a") as stream:
            stream.write("three\n")
        eventually(lambda: len(read_topic(servers, topic)), lambda count: count == 3)
        produce(servers, topic, [(None, "four")])
        sink_config = {"topics.regex": f"{topic}", "file": str(sink_file)}
        sink = Task(FileStreamSink(), sink_config, servers, topic)
        eventually(
            lambda: sink_file.read_text().split() if sink_file.exists() else [],
            lambda lines: lines == ["one", "two", "three", "four"],
        )
        assert source.topics == sink.topics == {topic}
        assert setting(servers, topic, "retention.ms") == "123456"
    finally:
        source.stop()
        if sink is not None:
            sink.stop()


@pytest.mark.spark
@pytest.mark.services
def test_with_transforms_and_dead_letters(kafka_broker, spark, tmp_path):
    servers, topic = kafka_broker.bootstrap_servers, f"lines-{uuid.uuid4().hex[:8]}"
    source_file, sink_file = tmp_path / "in.txt", tmp_path / "out.txt"
    source_file.write_text("1\ntwo\n3\n")
    steps = {
        "transforms": "cast, wrap, route",
        "transforms.cast.type": f"{KAFKA}Cast$Value",
        "transforms.cast.spec": "int32",
        "transforms.wrap.type": f"{KAFKA}HoistField$Value",
        "transforms.wrap.field": "n",
        "transforms.route.type": f"{KAFKA}RegexRouter",
        "transforms.route.regex": ".*",
        "transforms.route.replacement": f"{topic}-numbers",
        "errors.tolerance": "all",
        "value.converter": JSON,
        "value.converter.schemas.enable": "false",
    }
    config = {"file": str(source_file), "topic": topic, **steps}
    source = Task(FileStreamSource(), config, servers, topic)
    try:
        eventually(lambda: len(source.offsets), bool, 60)
    finally:
        source.stop()
    assert source.topics == {f"{topic}-numbers"}
    assert [record.value for record in read_topic(servers, f"{topic}-numbers")] == [
        b'{"n":1}',
        b'{"n":3}',
    ]
    produce(servers, f"{topic}-numbers", [("k", "{"), (None, {"n": 4})])
    sink_config = {
        **{name: text for name, text in steps.items() if ".route" not in name},
        "transforms": "cast",
        "transforms.cast.spec": "n:string",
        "topics": f"{topic}-numbers",
        "file": str(sink_file),
        "key.converter": TEXT,
        "errors.deadletterqueue.topic.name": f"{topic}-dead",
        "errors.deadletterqueue.topic.replication.factor": "1",
        "errors.deadletterqueue.context.headers.enable": "true",
    }
    sink = Task(FileStreamSink(), sink_config, servers, topic)
    try:
        eventually(
            lambda: sink_file.read_text().split() if sink_file.exists() else [],
            lambda lines: lines == ["{n=1}", "{n=3}", "{n=4}"],
            60,
        )
    finally:
        sink.stop()
    (letter,) = read_topic(servers, f"{topic}-dead")
    assert (letter.key, letter.value) == (b"k", b"{")
    headers = dict(letter.headers)
    assert headers["__connect.errors.stage"] == b"VALUE_CONVERTER"
    assert headers["__connect.errors.offset"] == b"2"
