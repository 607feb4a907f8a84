"""The connectors as the worker sees them."""

from __future__ import annotations

import pytest

from headrace.connect.installed import installed
from headrace.connect.lake.connector import FilesSink, FolderSink, S3Sink
from headrace.connect.plugins import ConnectorContext, Kind
from headrace.connect.validation import validate

CONFIG = {
    "name": "lake",
    "connector.class": "S3Sink",
    "topics": "orders",
    "flush.size": "1",
    "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
    "s3.bucket.name": "lake",
}


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
    wrong = validate(installed(), S3Sink, {**CONFIG, "flush.size": "0", affix: "PREFIX"})
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
