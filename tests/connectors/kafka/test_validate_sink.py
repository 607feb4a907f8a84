import pytest

from headrace.catalog.table import MetadataColumn
from headrace.connectors.kafka.validate import validate
from headrace.connectors.kafka.validate_sink import validate_sink
from headrace.errors import InvalidOption, InvalidSchema
from headrace.types import BIGINT, STRING

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


WHERE = MetadataColumn(name="where", type=STRING, key="topic")
SEVERAL = [{"topic": "a;b"}, {"topic": None, "topic-pattern": "a.*"}]


@pytest.mark.parametrize("topics", SEVERAL)
def test_rows_choose_among_several_topics(kafka_table, upsert_table, topics):
    for make in (kafka_table, upsert_table):
        validate_sink(make(topics, metadata=[WHERE]))


@pytest.mark.parametrize("topics", SEVERAL)
def test_several_topics_need_a_column_that_chooses(kafka_table, upsert_table, topics):
    (value,) = (text for text in topics.values() if text)
    virtual = MetadataColumn(name="where", type=STRING, key="topic", virtual=True)
    for table in (kafka_table(topics), upsert_table(topics, metadata=[virtual])):
        with pytest.raises(InvalidSchema, match="several topics") as caught:
            validate_sink(table)
        assert f"= '{value}'" in caught.value.found
        assert caught.value.cure == "add the column `topic` STRING METADATA"


def test_the_one_topic_of_a_sink_cannot_be_chosen(kafka_table, upsert_table):
    for make in (kafka_table, upsert_table):
        with pytest.raises(InvalidSchema, match="'topic' of column 'where' cannot be written") as e:
            validate_sink(make(metadata=[WHERE]))
        assert e.value.expected == "headers, header-list, timestamp"
        assert "VIRTUAL" in e.value.cure


def test_round_robin_works_without_a_key_only(kafka_table):
    error = refused(kafka_table(KEYED | {"sink.partitioner": "round-robin"}))
    assert error.condition == "CONFLICTING_OPTIONS"
    assert error.cure == "'sink.partitioner' = 'default'"


@pytest.mark.parametrize(
    ("chosen", "told"), [(" ", "must not be empty"), ("hash of id", "names no partitioner")]
)
def test_a_partitioner_has_a_name(kafka_table, upsert_table, chosen, told):
    for make in (kafka_table, upsert_table):
        error = refused(make({"sink.partitioner": chosen}))
        assert told in error.summary
        assert error.found == f"'sink.partitioner' = '{chosen}'"
        assert error.cure == "'sink.partitioner' = 'default'"


@pytest.mark.parametrize("chosen", ["com.example.Mine", "partitioning:by_region"])
def test_classes_and_functions_can_be_partitioners(kafka_table, upsert_table, chosen):
    for make in (kafka_table, upsert_table):
        validate_sink(make({"sink.partitioner": chosen}))


def test_schemas_of_debezium_are_not_written(kafka_table):
    made = kafka_table({"format": "debezium-json", "debezium-json.schema-include": "true"})
    validate(made)
    with pytest.raises(InvalidOption, match="cannot write schemas"):
        validate_sink(made)


@pytest.mark.parametrize("chosen", ["fixed", "round-robin"])
def test_a_key_keeps_its_partition(upsert_table, chosen):
    error = refused(upsert_table({"sink.partitioner": chosen}))
    assert "records of one key" in error.summary
    assert error.expected == "default, a Java class, module:function"


PREFIX = {"sink.transactional-id-prefix": "p"}


def test_exactly_once_needs_its_prefix(kafka_table, upsert_table):
    for make in (kafka_table, upsert_table):
        error = refused(make(EXACTLY))
        assert error.condition == "MISSING_OPTION"
        assert "'sink.delivery-guarantee' = 'exactly-once' needs" in error.summary
        assert error.cure.startswith("'sink.transactional-id-prefix' = 't'")
        validate_sink(make(EXACTLY | PREFIX))


def test_the_old_name_of_the_guarantee_counts(kafka_table):
    old = {"sink.semantic": "exactly-once"}
    error = refused(kafka_table(old))
    assert (error.condition, error.found) == ("MISSING_OPTION", "'sink.semantic' = 'exactly-once'")
    validate_sink(kafka_table(old | PREFIX))
    validate_sink(kafka_table(EXACTLY | {"sink.semantic": "at-least-once"}))


def test_a_prefix_can_be_too_long(kafka_table):
    error = refused(kafka_table(EXACTLY | {"sink.transactional-id-prefix": "ü" * 32_001}))
    assert "'sink.transactional-id-prefix' is too long" in error.summary
    assert (error.found, error.expected) == ("64002 bytes", "64000 bytes at most")
    validate_sink(kafka_table(EXACTLY | {"sink.transactional-id-prefix": "ü" * 32_000}))


@pytest.mark.parametrize(
    ("key", "value"), [("properties.acks", "1"), ("properties.enable.idempotence", "false")]
)
def test_transactions_need_a_careful_producer(kafka_table, key, value):
    error = refused(kafka_table(EXACTLY | PREFIX | {key: value}))
    assert (error.condition, error.found) == ("CONFLICTING_OPTIONS", f"'{key}' = '{value}'")
    assert error.cure.startswith(f"remove '{key}'")
    validate_sink(kafka_table(EXACTLY | PREFIX | {"properties.acks": "-1"}))


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


def test_buffer_flush_with_both(upsert_table):
    validate_sink(
        upsert_table({"sink.buffer-flush.max-rows": "10", "sink.buffer-flush.interval": "1s"})
    )
    error = refused(upsert_table({"sink.buffer-flush.max-rows": "-1"}))
    assert error.cure == "'sink.buffer-flush.max-rows' = '0'"


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
