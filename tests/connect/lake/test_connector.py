"""The connectors as the worker sees them."""

from __future__ import annotations

from typing import ClassVar

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect.installed import installed
from headrace.connect.lake import connector as module
from headrace.connect.lake.connector import FilesSink, FolderSink, S3Sink
from headrace.connect.plugins import ConnectorContext, Kind, TaskContext
from headrace.connect.validation import validate

CONFIG = {
    "name": "lake",
    "connector.class": "S3Sink",
    "topics": "orders",
    "flush.size": "1",
    "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
    "s3.bucket.name": "lake",
}

CONFLUENT = "io.confluent.connect"
# What all sinks of the walk-through have in common, and the parts that several share.
WALK_THROUGH = {
    "name": "walk",
    "connector.class": f"{CONFLUENT}.s3.S3SinkConnector",
    "tasks.max": "1",
    "s3.region": "us-east-1",
    "s3.bucket.name": "your-s3-bucket",
    "s3.part.size": "5242880",
    "rotate.schedule.interval.ms": "60000",
    "timezone": "UTC",
    "storage.class": f"{CONFLUENT}.s3.storage.S3Storage",
    "schema.compatibility": "NONE",
}
BY_PARTITION = {
    "flush.size": "100",
    "format.class": f"{CONFLUENT}.s3.format.json.JsonFormat",
    "partitioner.class": f"{CONFLUENT}.storage.partitioner.DefaultPartitioner",
}
GZIPPED = {
    "flush.size": "300",
    "format.class": f"{CONFLUENT}.s3.format.parquet.ParquetFormat",
    "parquet.codec": "gzip",
}
FROM_REGISTRY = {
    f"{side}.converter{name}": text
    for side in ("key", "value")
    for name, text in {
        "": "io.apicurio.registry.utils.converter.AvroConverter",
        ".apicurio.registry.url": "http://localhost:8080/apis/registry/v2",
        ".apicurio.registry.auto-register": "true",
        ".apicurio.registry.find-latest": "true",
    }.items()
}
IGNORED = {"behavior.on.null.values": "ignore"}
MUSEUM = {
    **FROM_REGISTRY,
    **IGNORED,
    "topics.regex": "moma.public.(.*)",
    "format.class": f"{CONFLUENT}.s3.format.avro.AvroFormat",
    "schema.generator.class": f"{CONFLUENT}.storage.hive.schema.DefaultSchemaGenerator",
    "partitioner.class": f"{CONFLUENT}.storage.partitioner.DefaultPartitioner",
}
SINKS = {
    "00": {
        **BY_PARTITION,
        "topics.regex": "pagila.public.(.*)",
        "table.name.format": "${topic}",
    },
    "01": {**BY_PARTITION, "topics": "pagila.public.alt.address"},
    "02": {
        **GZIPPED,
        "topics": "pagila.query",
        "flush.size": "100",
        "partitioner.class": f"{CONFLUENT}.storage.partitioner.FieldPartitioner",
        "partition.field.name": "country",
        "transforms": "RenameField, insertStaticField1",
        "transforms.RenameField.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
        "transforms.RenameField.renames": "district:state_province",
        "transforms.insertStaticField1.type": "org.apache.kafka.connect.transforms.InsertField$Value",
        "transforms.insertStaticField1.static.field": "message_source",
        "transforms.insertStaticField1.static.value": "pagila",
    },
    "04": {**GZIPPED, **IGNORED, "topics": "pagila.public.actor"},
    "05": {
        **GZIPPED,
        **IGNORED,
        **FROM_REGISTRY,
        "topics.regex": "pagila.public.(.*)",
        "table.name.format": "${topic}",
    },
    "moma": {**MUSEUM, "flush.size": "300"},
    "hudi": {**MUSEUM, "flush.size": "10000"},
}


@pytest.mark.parametrize("number", SINKS)
def test_the_walk_through_s_configurations_are_valid(number):
    assert validate(installed(), S3Sink, {**WALK_THROUGH, **SINKS[number]}).errors == []


@pytest.mark.parametrize(
    "name", ["io.confluent.connect.s3.S3SinkConnector", "S3SinkConnector", "S3Sink"]
)
def test_found_by_any_name(name):
    assert installed().connector(name) is S3Sink
    assert installed().connector("FolderSink") is FolderSink


def test_they_are_sinks():
    assert {S3Sink.kind, FolderSink.kind} == {Kind.SINK}


def test_validation_tells_of_every_option():
    verdict = validate(installed(), S3Sink, CONFIG)
    assert verdict.errors == []
    affix = "s3.schema.partition.affix.type"
    wrong = validate(installed(), S3Sink, {**CONFIG, "flush.size": "0", affix: "INFIX"})
    assert [name for name, value in wrong.values.items() if value.errors] == [
        "flush.size",
        affix,
    ]


def test_dead_letters_must_not_come_back():
    config = {**CONFIG, "errors.deadletterqueue.topic.name": "orders"}
    assert "may not be included" in validate(installed(), S3Sink, config).errors[0]


def test_one_task_whatever_is_allowed():
    context = ConnectorContext("lake", {}, lambda: None, list)
    assert S3Sink().start({**CONFIG, "tasks.max": "8"}, context) == [{**CONFIG, "tasks.max": "8"}]


def test_stores_differ():
    with pytest.raises(NotImplementedError):
        FilesSink.store(None)  # type: ignore[arg-type]


class TestBrokersAway:
    @pytest.fixture
    def run(self, monkeypatch):
        """Runs a task that fails in the given ways, one after another, and is then told to stop."""
        looks, context = [], TaskContext("c", 0, {}, None, None, None)

        class Task:
            faults: ClassVar[list[Exception]] = []

            def __init__(self, *given) -> None:
                pass

            def run(self):
                if Task.faults:
                    raise Task.faults.pop(0)
                context.stopping.set()

        class Topics:
            def __init__(self, *given) -> None:
                pass

            def places(self):
                looks.append(1)
                if len(looks) == 1:
                    raise away(KafkaError._TRANSPORT)

            def close(self):
                pass

        def run(*faults):
            Task.faults[:] = faults
            S3Sink().run_task({**CONFIG, "retry.backoff.ms": "0"}, context)
            return len(looks)

        monkeypatch.setattr(module, "SinkTask", Task)
        monkeypatch.setattr(module, "SinkTopics", Topics)
        return run

    def test_the_task_begins_anew_when_they_answer(self, run):
        assert run(away(KafkaError._NOENT)) == 2

    def test_what_does_not_pass_fails_it(self, run):
        with pytest.raises(KafkaException):
            run(away(KafkaError.TOPIC_AUTHORIZATION_FAILED))
        with pytest.raises(ValueError, match="no"):
            run(ValueError("no"))


def away(code):
    return KafkaException(KafkaError(code, "away"))
