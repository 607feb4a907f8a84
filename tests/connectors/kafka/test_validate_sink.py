import pytest

from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.validate_sink import validate_sink
from headrace.errors import InvalidOption, InvalidSchema
from headrace.types import BIGINT

KEYED = {"key.format": "json", "key.fields": "id"}
EXACTLY = {"sink.delivery-guarantee": "exactly-once"}


def refused(table):
    with pytest.raises(InvalidOption) as caught:
        validate_sink(table)
    return caught.value


@pytest.mark.parametrize(
    "options",
    [
        {},
        KEYED,
        {"sink.partitioner": "fixed"},
        {"sink.partitioner": "round-robin"},
        {"sink.parallelism": "2", "sink.topic.partitions": "3"},
        {"sink.delivery-guarantee": "none"},
        {"sink.topic.cleanup-policy": "compact"},
    ],
)
def test_sinks_that_work(kafka_table, options):
    validate_sink(kafka_table(options))


def test_upsert_sinks_that_work(upsert_table):
    validate_sink(upsert_table())
    off = {"sink.buffer-flush.max-rows": "0", "sink.buffer-flush.interval": "0 s"}
    validate_sink(upsert_table(off))


@pytest.mark.parametrize("topics", [{"topic": "a;b"}, {"topic": None, "topic-pattern": "a.*"}])
def test_a_sink_writes_one_topic(kafka_table, upsert_table, topics):
    for make in (kafka_table, upsert_table):
        assert refused(make(topics)).condition == "UNSUPPORTED_OPTION"


def test_round_robin_works_without_a_key_only(kafka_table):
    error = refused(kafka_table(KEYED | {"sink.partitioner": "round-robin"}))
    assert error.condition == "CONFLICTING_OPTIONS"
    assert error.cure == "'sink.partitioner' = 'default'"


def test_an_empty_partitioner_is_refused(kafka_table):
    assert "must not be empty" in refused(kafka_table({"sink.partitioner": " "})).summary


def test_a_partitioner_class_is_not_supported_yet(kafka_table):
    error = refused(kafka_table({"sink.partitioner": "com.example.Mine"}))
    assert error.condition == "UNSUPPORTED_OPTION"
    assert "not supported yet" in error.summary


def test_exactly_once_needs_its_prefix_and_is_then_refused(kafka_table, upsert_table):
    for make in (kafka_table, upsert_table):
        error = refused(make(EXACTLY))
        assert error.condition == "MISSING_OPTION"
        assert "sink.transactional-id-prefix" in error.summary
        error = refused(make(EXACTLY | {"sink.transactional-id-prefix": "p"}))
        assert error.condition == "UNSUPPORTED_OPTION"
        assert error.cure == "'sink.delivery-guarantee' = 'at-least-once'"


@pytest.mark.parametrize(
    ("given", "value", "other"),
    [
        ("sink.buffer-flush.max-rows", "10", "sink.buffer-flush.interval"),
        ("sink.buffer-flush.interval", "1s", "sink.buffer-flush.max-rows"),
    ],
)
def test_buffer_flush_options_come_in_pairs(upsert_table, given, value, other):
    error = refused(upsert_table({given: value}))
    assert error.condition == "CONFLICTING_OPTIONS"
    assert other in error.summary


def test_buffer_flush_is_not_supported_yet(upsert_table):
    both = {"sink.buffer-flush.max-rows": "10", "sink.buffer-flush.interval": "1s"}
    error = refused(upsert_table(both))
    assert error.condition == "UNSUPPORTED_OPTION"
    assert "one record per key" in error.summary


@pytest.mark.parametrize("key", ["sink.parallelism", "sink.topic.partitions"])
def test_counts_are_positive(kafka_table, key):
    error = refused(kafka_table({key: "0"}))
    assert error.found == f"'{key}' = '0'"


def test_metadata_is_checked(kafka_table):
    offset = MetadataColumn(name="o", type=BIGINT, key="offset")
    with pytest.raises(InvalidSchema, match="'offset' of column 'o' cannot be written"):
        validate_sink(kafka_table(metadata=[offset]))


def test_a_registered_schema_needs_a_subject(kafka_table):
    options = {
        "format": None,
        "value.format": "avro-confluent",
        "value.avro-confluent.url": "http://r",
    }
    validate_sink(kafka_table(options))
    error = refused(kafka_table(options | {"value.avro-confluent.subject": ""}))
    assert error.condition == "MISSING_OPTION"
    assert error.cure == "'value.avro-confluent.subject' = '…'"
