from __future__ import annotations

import pytest

from headrace.connect.installed import installed
from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.connector import (
    AivenJdbcSource,
    JdbcSource,
    _wanted,
    split,
    warn_of_unknown,
)
from headrace.connect.jdbc.task import tables_of, tables_option
from headrace.connect.plugins import Kind

NAMES = [TableId(None, "s", name) for name in "abcde"]


class TestPlugin:
    @pytest.mark.parametrize(
        ("name", "plugin"),
        [
            ("io.confluent.connect.jdbc.JdbcSourceConnector", JdbcSource),
            ("io.aiven.connect.jdbc.JdbcSourceConnector", AivenJdbcSource),
        ],
    )
    def test_both_classes_are_offered(self, name, plugin):
        assert installed().connector(name) is plugin
        assert plugin.kind is Kind.SOURCE

    def test_faults_of_topics_and_options_come_together(self):
        wrong = JdbcSource.validate(
            {"mode": "timestamp", "topic.creation.default.partitions": "1", "topic.prefix": "p"}
        )
        assert set(wrong) == {
            "timestamp.column.name",
            "topic.creation.default.replication.factor",
        }


WALK_THROUGH = {
    "connector.class": "io.confluent.connect.jdbc.JdbcSourceConnector",
    "connection.url": "jdbc:postgresql://localhost:5432/pagila",
    "connection.user": "your-username",
    "connection.password": "your-password",
    "poll.interval.ms": "5000",
    "mode": "timestamp",
    "timestamp.column.name": "last_update",
}
KEY = {
    "transforms": "createKey,extractInt,InsertTopic",
    "transforms.createKey.type": "org.apache.kafka.connect.transforms.ValueToKey",
    "transforms.createKey.fields": "address_id",
    "transforms.extractInt.type": "org.apache.kafka.connect.transforms.ExtractField$Key",
    "transforms.extractInt.field": "address_id",
    "transforms.InsertTopic.type": "org.apache.kafka.connect.transforms.InsertField$Value",
    "transforms.InsertTopic.topic.field": "message_topic",
}


@pytest.mark.parametrize(
    "more",
    [
        {
            "topic.prefix": "pagila.public.",
            "catalog.pattern": "public",
            "table.whitelist": "address,city,country",
        },
        {
            "topic.prefix": "pagila.public.alt.",
            "catalog.pattern": "public",
            "table.whitelist": "address",
            "numeric.mapping": "best_fit",
            "validate.non.null": "false",
            **KEY,
        },
        {
            "topic.prefix": "pagila.query",
            "incrementing.column.name": "address_id",
            "validate.non.null": "false",
            "query": "SELECT * FROM (SELECT a.address_id FROM address AS a ORDER BY address_id) AS addresses",
            **KEY,
        },
    ],
)
def test_the_walk_through_s_configurations_are_valid(more):
    from headrace.connect.validation import validate

    config = {"name": "walk", **WALK_THROUGH, **more}
    assert validate(installed(), JdbcSource, config).errors == []


class TestTasks:
    @pytest.mark.parametrize(
        ("most", "sizes"), [(1, [5]), (2, [3, 2]), (3, [2, 2, 1]), (5, [1] * 5), (9, [1] * 5)]
    )
    def test_neighbours_stay_together(self, most, sizes):
        parts = split(NAMES, most)
        assert [len(part) for part in parts] == sizes
        assert [table for part in parts for table in part] == NAMES

    def test_no_tables_no_tasks(self):
        assert split([], 3) == []

    def test_tables_travel_in_the_config_of_a_task(self):
        tables = [TableId("c", None, "a,b"), TableId(None, "s", 'x"y')]
        assert tables_of({"tables": tables_option(tables)}) == tables
        assert tables_of({}) == []


class TestUnknown:
    def test_a_misspelled_option_is_told_with_the_nearest(self, caplog):
        warn_of_unknown("j", {"table.whitlist": "a"})
        assert "'table.whitlist'" in caplog.text
        assert "'table.whitelist'" in caplog.text

    def test_common_options_are_known(self, caplog):
        known = {
            "name": "j",
            "tasks.max": "1",
            "transforms": "a",
            "transforms.a.type": "x",
            "value.converter.schemas.enable": "false",
            "errors.tolerance": "all",
            "topic.creation.default.partitions": "1",
            "producer.override.acks": "1",
            "connection.ssl": "true",
            "mode": "bulk",
        }
        warn_of_unknown("j", known)
        assert caplog.text == ""


class TestOffsets:
    PARTITION = {"protocol": "1", "table": "public.t"}  # noqa: RUF012

    def alter(self, partition, offset):
        return JdbcSource().alter_offsets({}, [(partition, offset)])

    def test_connect_keeps_them_for_the_connector(self):
        assert self.alter(self.PARTITION, {"timestamp": 1, "timestamp_nanos": 0}) is False
        assert self.alter({"query": "query"}, {"incrementing": 7}) is False
        assert self.alter(self.PARTITION, None) is False

    @pytest.mark.parametrize(
        ("partition", "offset"),
        [
            ({}, None),
            ({"file": "x"}, None),
            (PARTITION, {"time": 1}),
            (PARTITION, {"timestamp": "yesterday"}),
        ],
    )
    def test_what_is_no_offset_of_this_source(self, partition, offset):
        with pytest.raises(ValueError, match=r"Partition|Offsets|offset"):
            self.alter(partition, offset)


def test_what_was_looked_for_is_told_where_no_table_is_found():
    given = {"table.whitelist": "ordres", "table.poll.interval.ms": "5", "topic.prefix": "x"}
    assert _wanted(given) == " table.whitelist = ordres"
    assert _wanted({}) == ""
