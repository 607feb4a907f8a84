import subprocess
import sys
from datetime import timedelta

import pytest

from headrace.catalog.connector import PacedSink
from headrace.changelog import ChangelogMode
from headrace.connectors.kafka.connector import KafkaConnector, UpsertKafkaConnector
from headrace.errors import InvalidSchema


def test_modes(kafka_table, upsert_table):
    kafka, upsert = KafkaConnector(), UpsertKafkaConnector()
    assert kafka.scan_mode(kafka_table()) == ChangelogMode.append()
    assert kafka.sink_mode(kafka_table()) == ChangelogMode.append()
    assert upsert.scan_mode(upsert_table()) == ChangelogMode.upsert()
    assert upsert.sink_mode(upsert_table()) == ChangelogMode.upsert()


def test_both_read_and_write():
    for connector in (KafkaConnector(), UpsertKafkaConnector()):
        assert connector.is_source
        assert connector.is_sink
        assert "timestamp" in connector.metadata({})


def test_boundedness(kafka_table, upsert_table):
    latest = {"scan.bounded.mode": "latest-offset"}
    assert not KafkaConnector().is_bounded(kafka_table())
    assert KafkaConnector().is_bounded(kafka_table(latest))
    assert not UpsertKafkaConnector().is_bounded(upsert_table())
    assert UpsertKafkaConnector().is_bounded(upsert_table(latest))


def test_options_differ_and_include_the_formats():
    def names(connector, given):
        return {option.name for option in connector.options(given)}

    assert "key.fields" in names(KafkaConnector(), {})
    assert "key.fields" not in names(UpsertKafkaConnector(), {})
    given = {"value.format": "json", "key.format": "json"}
    both = {"value.json.ignore-parse-errors", "key.json.ignore-parse-errors"}
    assert both <= names(UpsertKafkaConnector(), given)


def test_validation_goes_by_use(kafka_table):
    connector = KafkaConnector()
    two = kafka_table({"topic": "a;b"})
    connector.validate(two)
    connector.validate_source(two)
    with pytest.raises(InvalidSchema, match="a sink of several topics"):
        connector.validate_sink(two)


def test_a_topic_can_be_written_where_there_are_several():
    for options, writable in (
        ({"topic": "a"}, False),
        ({"topic": "a;"}, False),
        ({"topic": "a;b"}, True),
        ({"topic-pattern": "a"}, True),
    ):
        assert KafkaConnector().metadata(options)["topic"].writable is writable


def test_a_buffer_paces_the_sink(kafka_table, upsert_table):
    connector = UpsertKafkaConnector()
    assert connector.write_interval(upsert_table()) == timedelta()
    options = {"sink.buffer-flush.max-rows": "1", "sink.buffer-flush.interval": "1500"}
    assert connector.write_interval(upsert_table(options)) == timedelta(seconds=1.5)
    assert not isinstance(KafkaConnector(), PacedSink)


def test_declarations_need_no_spark():
    code = "import sys, headrace.connectors.registry; sys.exit('pyspark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
