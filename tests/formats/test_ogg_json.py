"""GoldenGate's messages, row by row of Flink's rules."""

import datetime as dt

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.formats import format_named

FORMAT = format_named("ogg-json")
OPTIONS = parse_options(FORMAT.declared, {}, owner="")
ROW = {"id": t.INT.not_null(), "name": t.STRING, "at": t.timestamp(3)}
A = {"id": 1, "name": "a", "at": "2020-05-13 17:26:27.936"}
B = {"id": 1, "name": None, "at": None}
AT = dt.datetime(2020, 5, 13, 17, 26, 27, 936000)


def message(op, before=None, after=None, **more):
    return {"table": "OGG.TBL_TEST", "op_type": op, "before": before, "after": after, **more}


def test_the_keys_are_flinks():
    assert {name: key.type.sql() for name, key in FORMAT.metadata(OPTIONS).items()} == {
        "table": "STRING",
        "primary-keys": "ARRAY<STRING>",
        "ingestion-timestamp": "TIMESTAMP_LTZ(6)",
        "event-timestamp": "TIMESTAMP_LTZ(6)",
    }
    assert FORMAT.metadata(OPTIONS)["table"].constant


def test_nothing_is_refused_in_a_sink():
    FORMAT.check_writable(OPTIONS)


@pytest.mark.spark
class TestReading:
    def test_every_operation(self, bench, use):
        rows = bench.changes(
            use("ogg-json", ROW), message("I", after=A), message("U", A, B), message("D", B)
        )
        assert rows == [
            (1, "a", AT, 1),
            (1, "a", AT, -1),
            (1, None, None, 1),
            (1, None, None, -1),
        ]

    def test_times_of_the_other_standard(self, bench, use):
        value = use("ogg-json", ROW, {"timestamp-format.standard": "ISO-8601"})
        iso = message("I", after=A | {"at": "2020-05-13T17:26:27.936"})
        assert bench.changes(value, iso) == [(1, "a", AT, 1)]
        assert "cannot read" in bench.failure(value, message("I", after=A)).found

    def test_metadata(self, bench, use):
        told = {
            "op_ts": "2020-05-13 15:40:06.000123",
            "current_ts": "2020-05-13T15:40:07.000000",
            "primary_keys": ["id", "name"],
        }
        rows = bench.changes(
            use("ogg-json", {"id": t.INT}),
            message("U", A, B, **told),
            message("D", B, op_ts=None, current_ts="2020-05-13 15:40:07.123000"),
            metadata=FORMAT.metadata(OPTIONS),
        )
        handled = dt.datetime(2020, 5, 13, 15, 40, 7, 123000)
        known = (
            "OGG.TBL_TEST",
            ["id", "name"],
            dt.datetime(2020, 5, 13, 15, 40, 7),
            dt.datetime(2020, 5, 13, 15, 40, 6, 123),
        )
        assert rows == [
            (1, *known, -1),
            (1, *known, 1),
            (1, "OGG.TBL_TEST", None, handled, None, -1),
        ]

    def test_truncation_is_no_operation_of_rows(self, bench, use):
        error = bench.failure(use("ogg-json", ROW), message("T"))
        assert error.found == "'T' is no operation, expected one of I, U, D"
        assert "field 'op_type'" in error.summary

    def test_without_the_old_row(self, bench, use):
        assert "PRIMARY KEY" in bench.failure(use("ogg-json", ROW), message("U", after=A)).cure
        rows = bench.changes(use("ogg-json", ROW), message("U", after=A), keyed=["id"])
        assert rows == [(1, "a", AT, 1)]
