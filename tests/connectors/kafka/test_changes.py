"""How tables of changes are read: what their messages tell, and when only the newest row of a key counts."""

import pytest

from headrace.catalog.connector import ChangeSource, CondensedSource
from headrace.catalog.table import MetadataColumn
from headrace.changelog import ChangelogMode
from headrace.connectors.kafka.changes import (
    all_metadata,
    message_columns,
    reads_by_key,
    row_key,
)
from headrace.connectors.kafka.connector import KafkaConnector
from headrace.connectors.kafka.metadata import METADATA
from headrace.connectors.kafka.settings import settings_of
from headrace.types import BIGINT, STRING, timestamp_ltz

CANAL, DEBEZIUM = {"format": "canal-json"}, {"format": "debezium-json"}
ORIGIN = MetadataColumn(name="origin", type=STRING, key="value.table", virtual=True)
CHANGED = MetadataColumn(
    name="changed", type=timestamp_ltz(3), key="value.event-timestamp", virtual=True
)
OFFSET = MetadataColumn(name="place", type=BIGINT, key="offset", virtual=True)


def test_a_table_has_the_keys_of_records_and_of_its_values_format():
    assert all_metadata({"format": "json"}) == METADATA
    keys = all_metadata({"value.format": "maxwell-json", "key.format": "json"})
    assert set(keys) - set(METADATA) == {
        "value.database",
        "value.table",
        "value.primary-key-columns",
        "value.ingestion-timestamp",
    }


def test_where_the_schema_is_depends_on_whether_messages_include_it():
    assert not all_metadata(DEBEZIUM)["value.schema"].outside
    included = all_metadata(DEBEZIUM | {"debezium-json.schema-include": "true"})
    assert included["value.schema"].outside
    nested = {"value.format": "debezium-json", "value.debezium-json.schema-include": "true"}
    assert all_metadata(nested)["value.schema"].outside


def test_columns_that_a_message_fills(kafka_table):
    table = kafka_table(CANAL, metadata=[OFFSET, ORIGIN, CHANGED])
    assert list(message_columns(table, ["id", "changed", "place"])) == ["changed"]
    assert message_columns(table, ["origin"])["origin"].field == "table"


@pytest.mark.parametrize(
    ("options", "metadata", "expected"),
    [
        (CANAL, [], False),
        (CANAL, [ORIGIN], False),
        (CANAL, [CHANGED], True),
        (CANAL, [OFFSET], True),
        ({"format": "maxwell-json"}, [], False),
        (DEBEZIUM, [], True),
        ({"format": "ogg-json"}, [], True),
    ],
)
def test_with_a_key_it_is_used_where_messages_alone_would_not_do(
    kafka_table, options, metadata, expected
):
    table = kafka_table(options, metadata=metadata, primary_key=["id"])
    assert reads_by_key(table, settings_of(table)) is expected
    mode = ChangelogMode.upsert() if expected else ChangelogMode.retract()
    assert KafkaConnector().scan_mode(table) == mode
    assert KafkaConnector().sink_mode(table) == ChangelogMode.retract()


@pytest.mark.parametrize("options", [CANAL, DEBEZIUM])
def test_without_a_key_messages_are_taken_at_their_word(kafka_table, options):
    table = kafka_table(options, metadata=[OFFSET])
    assert not reads_by_key(table, settings_of(table))
    assert KafkaConnector().scan_mode(table) == ChangelogMode.retract()


def test_a_topic_of_rows_has_no_changes_to_apply(kafka_table):
    table = kafka_table()
    assert not reads_by_key(table, settings_of(table))


def test_rows_of_other_tables_are_other_rows(kafka_table):
    table = kafka_table(CANAL, metadata=[ORIGIN, CHANGED], primary_key=["id"])
    assert row_key(table, ["id", "origin", "changed"]) == ("id", "origin")
    assert row_key(table, ["id", "name"]) == ("id",)


def test_any_table_of_changes_can_be_read_by_key(kafka_table):
    table = kafka_table(CANAL, primary_key=["id"])
    assert isinstance(table.connector, ChangeSource)
    keyed = table.connector.by_key(table)
    assert keyed.connector.scan_mode(keyed) == ChangelogMode.upsert()
    assert keyed.connector.name == "kafka"
    assert isinstance(keyed.connector, CondensedSource)
    assert keyed == table.connector.by_key(table)
    assert table.connector.scan_mode(table) == ChangelogMode.retract()


@pytest.mark.spark
@pytest.mark.services
class TestReading:
    @pytest.fixture
    def rows(self, spark, served, topic, create_topic, produce, run_to_end):
        """The rows of messages, as the planner would read a table by its columns."""

        def read(make, options, values, *columns, keys=None, **more):
            create_topic(topic)
            for value, key in zip(values, keys or [None] * len(values), strict=True):
                produce(topic, {"value": value, "key": key})
            table = make(served | options, **more)
            frame = table.connector.read_newest(spark, table, columns)
            return frame.columns, run_to_end(frame)

        return read

    def test_messages_as_they_are(self, rows, kafka_table):
        values = [
            '{"type":"INSERT","table":"a","es":1000,"data":[{"id":"1","name":"x"}]}',
            '{"type":"UPDATE","table":"a","es":2000,"data":[{"id":"1","name":"y"}],"old":[{"name":"x"}]}',
        ]
        columns, found = rows(
            kafka_table, CANAL, values, "origin", "id", "changed", "name",
            metadata=[ORIGIN, MetadataColumn(name="changed", type=STRING, key="value.event-timestamp")],
        )  # fmt: skip
        assert columns == ["origin", "id", "changed", "name", "__weight"]
        assert found == [
            ("a", 1, "1970-01-01 00:00:01", "x", 1),
            ("a", 1, "1970-01-01 00:00:02", "x", -1),
            ("a", 1, "1970-01-01 00:00:02", "y", 1),
        ]

    def test_by_key_the_newest_row_of_a_batch(self, rows, kafka_table):
        def told(op, table, **more):
            return f'{{"op":"{op}","source":{{"table":"{table}"}},{str(more)[1:]}'.replace("'", '"')

        values = [
            told("c", "a", after={"id": 1, "name": "x"}),
            told("c", "b", after={"id": 1, "name": "other"}),
            told("u", "a", after={"id": 1, "name": "y"}),
            told("c", "a", after={"id": 2, "name": "z"}),
            told("d", "a").replace(",}", "}"),
        ]
        keys = ['{"id":1}', '{"id":1}', '{"id":1}', '{"id":2}', '{"id":2}']
        origin = MetadataColumn(name="origin", type=STRING, key="value.source.table", virtual=True)
        columns, found = rows(
            kafka_table, DEBEZIUM | {"key.format": "json", "key.fields": "id"}, values,
            "id", "name", "origin", keys=keys, metadata=[origin], primary_key=["id"],
        )  # fmt: skip
        assert columns == ["id", "name", "origin", "__partition", "__offset", "__weight"]
        assert [(*row[:3], *row[4:]) for row in found] == [
            (1, "y", "a", 2, 1),
            (1, "other", "b", 1, 1),
            (2, None, "a", 4, -1),
        ]
