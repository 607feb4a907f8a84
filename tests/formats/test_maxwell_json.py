"""Maxwell's messages, row by row of Flink's rules: of an old row only what changed is told."""

import datetime as dt

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.formats import format_named

FORMAT = format_named("maxwell-json")
OPTIONS = parse_options(FORMAT.declared, {}, owner="")
ROW = {"id": t.INT.not_null(), "name": t.STRING, "weight": t.FLOAT}
A = {"id": 102, "name": "car battery", "weight": 8.5}


def message(type, data=None, old=None, **more):
    told = {"database": "test", "table": "product", "type": type, "ts": 1596684883, "data": data}
    return told | ({} if old is None else {"old": old}) | more


def test_the_keys_are_flinks():
    assert {name: key.type.sql() for name, key in FORMAT.metadata(OPTIONS).items()} == {
        "database": "STRING",
        "table": "STRING",
        "primary-key-columns": "ARRAY<STRING>",
        "ingestion-timestamp": "TIMESTAMP_LTZ(3)",
    }


def test_messages_always_hold_the_old_row():
    assert not FORMAT.lacks_old_rows


@pytest.mark.spark
class TestReading:
    def test_every_operation(self, bench, use):
        rows = bench.changes(
            use("maxwell-json", ROW),
            message("insert", A),
            message("update", A | {"weight": 8.1}, {"weight": 8.5}),
            message("delete", A),
        )
        assert rows == [
            (102, "car battery", 8.5, 1),
            (102, "car battery", 8.5, -1),
            (102, "car battery", pytest.approx(8.1), 1),
            (102, "car battery", 8.5, -1),
        ]

    def test_an_old_null_is_a_value_and_a_missing_one_is_the_new(self, bench, use):
        rows = bench.changes(
            use("maxwell-json", ROW),
            message("update", A, {"name": None}),
            message("update", A | {"name": None}, {"name": "x", "weight": 1}),
            message("update", A, {}),
        )
        whole = (102, "car battery", 8.5)
        assert rows == [
            (102, None, 8.5, -1),
            (*whole, 1),
            (102, "x", 1.0, -1),
            (102, None, 8.5, 1),
            (*whole, -1),
            (*whole, 1),
        ]

    def test_the_old_row_may_come_first(self, bench, use):
        text = '{"old":{"weight":2},"type":"update","data":{"id":1,"name":"n","weight":3}}'
        assert bench.changes(use("maxwell-json", ROW), text) == [
            (1, "n", 2.0, -1),
            (1, "n", 3.0, 1),
        ]

    def test_columns_that_nobody_asks_for(self, bench, use):
        changed = message("update", A, {"weight": "heavy"})
        rows = bench.changes(use("maxwell-json", ROW), changed, needed=["name"])
        assert rows == [("car battery", -1), ("car battery", 1)]

    def test_metadata_in_seconds(self, bench, use):
        rows = bench.changes(
            use("maxwell-json", {"id": t.INT}),
            message("insert", A, primary_key_columns=["id"]),
            metadata=FORMAT.metadata(OPTIONS),
        )
        at = dt.datetime(2020, 8, 6, 3, 34, 43)
        assert rows == [(102, "test", "product", ["id"], at, 1)]

    @pytest.mark.parametrize(
        ("bad", "field", "found"),
        [
            (message("bootstrap-insert", A), "type", "'bootstrap-insert' is no operation"),
            (message("insert"), "data", "the row is missing"),
            (message("delete"), "data", "the row is missing"),
            (message("update", A), "old", "the row is missing"),
        ],
    )
    def test_what_is_wrong_is_named(self, bench, use, bad, field, found):
        for asked in ({}, {"keyed": ["id"]}):
            error = bench.failure(use("maxwell-json", ROW), bad, **asked)
            assert error.summary.startswith(f"field '{field}'")
            assert error.found.startswith(found)

    def test_by_key_a_changed_key_takes_the_old_row_away(self, bench, use):
        rows = bench.changes(
            use("maxwell-json", ROW),
            message("update", A, {"weight": 1}),
            message("update", A, {"id": 7}),
            keyed=["id"],
        )
        now = (102, "car battery", 8.5, 1)
        assert rows == [now, (7, "car battery", 8.5, -1), now]
