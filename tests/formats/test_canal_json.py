"""Canal's messages, row by row of Flink's rules: the rows of a statement, all values as text."""

import datetime as dt

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.formats import format_named

FORMAT = format_named("canal-json")
OPTIONS = parse_options(FORMAT.declared, {}, owner="")
ROW = {"id": t.INT.not_null(), "name": t.STRING, "weight": t.FLOAT}
A = {"id": "101", "name": "scooter", "weight": "3.5"}
B = {"id": "102", "name": "battery", "weight": "8"}
SCOOTER, BATTERY = (101, "scooter", 3.5), (102, "battery", 8.0)


def message(type, *data, old=None, **more):
    told = {"data": list(data) or None, "database": "inventory", "es": 1598944132000}
    later = {"old": old, "pkNames": ["id"], "table": "products", "ts": 1598944146308, "type": type}
    return told | later | {"sqlType": {"id": 4, "name": 12}} | more


def test_the_keys_are_flinks():
    assert {name: key.type.sql() for name, key in FORMAT.metadata(OPTIONS).items()} == {
        "database": "STRING",
        "table": "STRING",
        "sql-type": "MAP<STRING, INT>",
        "pk-names": "ARRAY<STRING>",
        "ingestion-timestamp": "TIMESTAMP_LTZ(3)",
        "event-timestamp": "TIMESTAMP_LTZ(3)",
    }


def test_the_filters_are_told_as_they_are_given():
    given = parse_options(FORMAT.declared, {"table.include": "p.*"}, owner="")
    assert (FORMAT.spec(given)["table.include"], FORMAT.spec(given)["database.include"]) == (
        "p.*",
        None,
    )


@pytest.mark.spark
class TestReading:
    def test_every_operation_on_several_rows(self, bench, use):
        rows = bench.changes(
            use("canal-json", ROW),
            message("INSERT", A, B),
            message("UPDATE", A, B, old=[{"weight": "1"}, {"name": None}]),
            message("DELETE", B, A),
        )
        assert rows == [
            (*SCOOTER, 1),
            (*BATTERY, 1),
            (101, "scooter", 1.0, -1),
            (*SCOOTER, 1),
            (102, None, 8.0, -1),
            (*BATTERY, 1),
            (*BATTERY, -1),
            (*SCOOTER, -1),
        ]

    def test_definitions_of_tables_are_passed_by(self, bench, use):
        assert bench.changes(use("canal-json", ROW), message("CREATE", isDdl=True)) == []

    def test_metadata(self, bench, use):
        rows = bench.changes(
            use("canal-json", {"id": t.INT}),
            message("INSERT", A),
            metadata=FORMAT.metadata(OPTIONS),
        )
        ingested = dt.datetime(2020, 9, 1, 7, 9, 6, 308000)
        event = dt.datetime(2020, 9, 1, 7, 8, 52)
        types = {"id": 4, "name": 12}
        assert rows == [(101, "inventory", "products", types, ["id"], ingested, event, 1)]

    def test_filters_match_whole_names_before_rows_are_read(self, bench, use):
        other = message("INSERT", A | {"id": "no number"}, table="orders")
        elsewhere = message("INSERT", A, database="inventory2")
        nameless = message("CREATE", table=None, database=None)
        value = use(
            "canal-json", ROW, {"database.include": "inv.*y", "table.include": "prod(ucts)?"}
        )
        assert bench.changes(value, other, elsewhere, nameless, message("INSERT", A)) == [
            (*SCOOTER, 1)
        ]
        by_table = use("canal-json", ROW, {"table.include": "product"})
        assert bench.changes(by_table, message("INSERT", A)) == []

    def test_a_filter_needs_its_field(self, bench, use):
        value = use("canal-json", ROW, {"table.include": ".*"})
        without = {"data": [A], "type": "INSERT"}
        error = bench.failure(value, without)
        assert (error.summary.split("'")[1], error.found) == ("table", "the field is missing")
        assert bench.changes(use("canal-json", ROW), without) == [(*SCOOTER, 1)]

    @pytest.mark.parametrize(
        ("bad", "field", "found"),
        [
            (message("ALTER"), "type", "'ALTER' is no operation"),
            (message("INSERT"), "data", "the rows are missing"),
            (message("DELETE"), "data", "the rows are missing"),
            (message("INSERT", None, A), "data", "the row is missing"),
            (message("UPDATE", A), "old", "the row is missing"),
            (message("UPDATE", A, B, old=[{}]), "old", "the row is missing"),
            ({"data": A, "type": "INSERT"}, "data", '\'{"id": "101"'),
        ],
    )
    def test_what_is_wrong_is_named_and_gives_no_row_at_all(self, bench, use, bad, field, found):
        error = bench.failure(use("canal-json", ROW), bad)
        assert error.summary.startswith(f"field '{field}'")
        assert error.found.startswith(found)
        assert bench.changes(use("canal-json", ROW, {"ignore-parse-errors": "true"}), bad) == []

    def test_by_key_rows_go_before_others_take_their_keys(self, bench, use):
        moved = message("UPDATE", A | {"id": "2"}, A | {"id": "3"}, old=[{"id": "1"}, {"id": "2"}])
        rows = bench.changes(use("canal-json", ROW), moved, keyed=["id"])
        assert [(row[0], row[-1]) for row in rows] == [(1, -1), (2, -1), (2, 1), (3, 1)]
