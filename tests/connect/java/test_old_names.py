from __future__ import annotations

import pytest

from headrace.connect.java.old_names import modern

CLASS = {"connector.class": "io.debezium.connector.postgresql.PostgresConnector"}
UNWRAP = {
    **CLASS,
    "transforms": "route, unwrap",
    "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
}
MODE = "transforms.unwrap.delete.tombstone.handling.mode"


class TestNames:
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ("database.server.name", "topic.prefix"),
            ("table.whitelist", "table.include.list"),
            ("schema.blacklist", "schema.exclude.list"),
            ("slot.drop_on_stop", "slot.drop.on.stop"),
            ("database.history.kafka.topic", "schema.history.internal.kafka.topic"),
            ("database.history", "schema.history.internal"),
        ],
    )
    def test_an_old_name_stands_for_the_new_one(self, old, new):
        assert modern("c", {**CLASS, old: "x"}) == {**CLASS, old: "x", new: "x"}

    def test_the_new_name_counts_where_both_are_given(self):
        config = {**CLASS, "database.server.name": "old", "topic.prefix": "new"}
        assert modern("c", config) == config

    def test_it_is_told_in_the_log_without_the_value(self, caplog):
        modern("pagila", {**CLASS, "database.server.name": "hidden-value"})
        (record,) = caplog.records
        assert record.levelname == "WARNING"
        assert "pagila" in record.getMessage()
        assert "'database.server.name' is called 'topic.prefix'" in record.getMessage()
        assert "hidden-value" not in record.getMessage()

    def test_modern_configurations_stay_as_they_are(self, caplog):
        config = {**CLASS, "topic.prefix": "p", "table.include.list": "public.actor"}
        assert modern("c", config) == config
        assert not caplog.records

    def test_other_connectors_may_call_their_options_so(self):
        config = {
            "connector.class": "org.example.JdbcConnector",
            "table.whitelist": "a",
            "database.server.name": "b",
        }
        assert modern("c", config) == config


class TestDeletes:
    @pytest.mark.parametrize(
        ("mode", "dropped", "new"),
        [
            ("rewrite", "false", "rewrite-with-tombstone"),
            ("rewrite", None, "rewrite"),
            ("drop", "true", "drop"),
            ("none", "true", "delete-to-tombstone"),
            (None, "false", "tombstone"),
            (None, "true", "drop"),
        ],
    )
    def test_two_options_became_one(self, mode, dropped, new):
        old = {
            "transforms.unwrap.delete.handling.mode": mode,
            "transforms.unwrap.drop.tombstones": dropped,
        }
        given = {name: text for name, text in old.items() if text is not None}
        assert modern("c", {**UNWRAP, **given})[MODE] == new

    def test_nothing_is_added_where_neither_is_given(self):
        assert modern("c", UNWRAP) == UNWRAP

    def test_the_new_option_counts(self):
        config = {**UNWRAP, "transforms.unwrap.drop.tombstones": "true", MODE: "rewrite"}
        assert modern("c", config) == config

    def test_an_unknown_mode_is_left_for_the_connector_to_refuse(self):
        config = {**UNWRAP, "transforms.unwrap.delete.handling.mode": "shred"}
        assert modern("c", config) == config

    def test_other_transformations_keep_their_options(self):
        config = {**UNWRAP, "transforms.route.drop.tombstones": "true"}
        assert modern("c", config) == config
