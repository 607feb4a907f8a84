"""Debezium's messages, row by row of Flink's rules, and by key where PostgreSQL keeps no old rows."""

import datetime as dt
import json

import pytest

from headrace import types as t
from headrace.catalog.options import parse_options
from headrace.errors import InvalidOption
from headrace.formats import format_named

FORMAT = format_named("debezium-json")
ROW = {"id": t.INT.not_null(), "name": t.STRING, "price": t.DOUBLE}
KEY = {"id": t.INT.not_null()}
A = {"id": 1, "name": "a", "price": 1.5}
B = {"id": 1, "name": "b", "price": 1.5}
SOURCE = {
    "version": "1.9", "ts_ms": 1589355606000, "snapshot": "false", "db": "shop", "schema": "public",
    "table": "products", "pos": 154, "row": 0, "gtid": None,
}  # fmt: skip


def options(**given):
    named = {key.replace("_", "-"): text for key, text in given.items()}
    return parse_options(FORMAT.declared, named, owner="")


def message(op, before=None, after=None, **more):
    return {"before": before, "after": after, "op": op, **more}


def keys(*names, **given):
    known = FORMAT.metadata(options(**given))
    return {f"m{i}": known[name] for i, name in enumerate(names)}


def test_the_keys_are_flinks():
    shown = {name: key.type.sql() for name, key in FORMAT.metadata(options()).items()}
    assert shown == {
        "schema": "STRING",
        "ingestion-timestamp": "TIMESTAMP_LTZ(3)",
        "source.timestamp": "TIMESTAMP_LTZ(3)",
        "source.database": "STRING",
        "source.schema": "STRING",
        "source.table": "STRING",
        "source.properties": "MAP<STRING, STRING>",
    }
    assert set(FORMAT.metadata(options(schema_include="true"))) == set(shown)


def test_the_origin_of_a_row_is_the_same_in_all_its_changes():
    constant = {name for name, key in FORMAT.metadata(options()).items() if key.constant}
    assert constant == {"source.database", "source.schema", "source.table"}


def test_schemas_can_be_read_but_not_written():
    FORMAT.check_writable(options())
    with pytest.raises(InvalidOption, match="cannot write schemas"):
        FORMAT.check_writable(options(schema_include="true"))


@pytest.mark.spark
class TestReading:
    def test_every_operation(self, bench, use):
        rows = bench.changes(
            use("debezium-json", ROW),
            message("r", after=A),
            message("c", after=A),
            message("u", A, B),
            message("d", B),
        )
        assert rows == [
            (1, "a", 1.5, 1),
            (1, "a", 1.5, 1),
            (1, "a", 1.5, -1),
            (1, "b", 1.5, 1),
            (1, "b", 1.5, -1),
        ]

    def test_the_order_of_fields_and_unknown_ones_do_not_matter(self, bench, use):
        text = (
            '{"op":"u","ts_ms":3,"after":{"price":2,"other":[{}],"id":1},"source":{"op":"d"},'
            '"transaction":null,"before":{"id":1,"name":null}} trailing'
        )
        assert bench.changes(use("debezium-json", ROW), text) == [
            (1, None, None, -1),
            (1, None, 2.0, 1),
        ]

    def test_only_columns_that_are_asked_for(self, bench, use):
        bad = message("c", after=A | {"price": "much"})
        rows = bench.changes(use("debezium-json", ROW), bad, needed=["name"])
        assert rows == [("a", 1)]

    def test_a_payload_beside_its_schema(self, bench, use):
        wrapped = {"schema": {"type": "struct"}, "payload": message("u", A, B)}
        value = use("debezium-json", ROW, {"schema-include": "true"})
        asked = keys("schema", "source.table", schema_include="true")
        rows = bench.changes(value, wrapped, metadata=asked)
        assert rows == [
            (1, "a", 1.5, '{"type":"struct"}', None, -1),
            (1, "b", 1.5, '{"type":"struct"}', None, 1),
        ]
        assert bench.failure(value, message("c", after=A)).summary.startswith("field 'payload'")

    def test_a_message_that_is_all_payload_has_no_schema(self, bench, use):
        rows = bench.changes(
            use("debezium-json", ROW), message("c", after=A), metadata=keys("schema")
        )
        assert rows == [(1, "a", 1.5, None, 1)]

    def test_metadata_of_the_message_on_all_its_rows(self, bench, use):
        names = ("ingestion-timestamp", "source.timestamp", "source.database", "source.schema",
                 "source.table")  # fmt: skip
        rows = bench.changes(
            use("debezium-json", KEY),
            message("u", A, B, ts_ms=1589355606100, source=SOURCE),
            message("d", B),
            message("d", B, ts_ms=None, source={"collection": "docs", "ts_ms": None}),
            metadata=keys(*names),
        )
        at = dt.datetime(2020, 5, 13, 7, 40, 6)
        told = (at.replace(microsecond=100_000), at, "shop", "public", "products")
        assert rows == [
            (1, *told, -1),
            (1, *told, 1),
            (1, None, None, None, None, None, -1),
            (1, None, None, None, None, "docs", -1),
        ]

    def test_all_properties_of_the_source_beside_one_of_them(self, bench, use):
        (row,) = bench.changes(
            use("debezium-json", KEY),
            message("c", after=A, source=SOURCE),
            metadata=keys("source.properties", "source.table"),
        )
        assert row[1] == {
            name: value if value is None or isinstance(value, str) else str(value)
            for name, value in SOURCE.items()
        }
        assert row[2] == "products"

    @pytest.mark.parametrize(
        ("text", "field", "found"),
        [
            (message("t"), "op", "'t' is no operation, expected one of c, r, u, d"),
            (message("c"), "after", "the row is missing"),
            (message("u", A), "after", "the row is missing"),
            (message("c", after=7), "after", "'7' is not a row"),
            (message("c", after=A | {"id": "x"}), "after.id", "cannot read 'x' as INT"),
            ({"before": None, "after": A}, "op", "the field is missing"),
        ],
    )
    def test_what_is_wrong_is_named(self, bench, use, text, field, found):
        error = bench.failure(use("debezium-json", ROW), text)
        assert (
            error.summary == f"field '{field}' of a record's value cannot be read as debezium-json"
        )
        assert error.found == found
        ignoring = use("debezium-json", ROW, {"ignore-parse-errors": "true"})
        left = [(None, "a", 1.5, 1)] if field == "after.id" else []
        assert bench.changes(ignoring, text) == left

    def test_a_message_that_is_cut_off_anywhere_is_no_change(self, bench, use):
        whole = json.dumps(message("d", before=A))
        cuts = [whole[:end] for end in range(1, len(whole))]
        ignoring = use("debezium-json", ROW, {"ignore-parse-errors": "true"})
        assert bench.changes(ignoring, *cuts) == []
        assert bench.changes(ignoring, *cuts, keyed=["id"]) == []
        for end in (len(whole) - 1, 10):
            assert (
                "end of the record" in bench.failure(use("debezium-json", ROW), whole[:end]).found
            )

    @pytest.mark.parametrize("op", ["u", "d"])
    def test_a_change_without_its_old_row_names_the_cure(self, bench, use, op):
        error = bench.failure(use("debezium-json", ROW), message(op, after=A))
        assert error.summary.startswith("field 'before'")
        assert "lacks the row before it" in error.found
        assert error.cure.startswith("ALTER TABLE … REPLICA IDENTITY FULL in PostgreSQL, or ")
        assert "PRIMARY KEY" in error.cure
        assert len(error.render().splitlines()) <= 5


@pytest.mark.spark
class TestByKey:
    def test_an_update_is_the_new_row(self, bench, use):
        rows = bench.changes(
            use("debezium-json", ROW),
            message("c", after=A),
            message("u", None, B),
            message("u", A, B),
            message("u", {"id": 2}, B),
            keyed=["id"],
        )
        new = (1, "b", 1.5, 1)
        assert rows == [(1, "a", 1.5, 1), new, new, (2, None, None, -1), new]

    def test_a_delete_has_at_least_its_key(self, bench, use):
        placeholders = {"id": 1, "name": "", "price": 0}
        (row,) = bench.changes(use("debezium-json", ROW), message("d", placeholders), keyed=["id"])
        assert (row[0], row[-1]) == (1, -1)

    def test_a_delete_without_a_row_is_that_of_the_records_key(self, bench, use):
        asked = {"key": use("json", KEY), "keyed": ["id"], "metadata": keys("source.table")}
        rows = bench.changes(
            use("debezium-json", ROW),
            ({"id": 5}, message("d", source=SOURCE)),
            ({"id": 6}, message("d", A)),
            (None, message("d", A)),
            **asked,
        )
        assert rows == [(5, None, None, "products", -1), (1, "a", 1.5, None, -1)]

    def test_an_old_row_without_its_key_tells_nothing(self, bench, use):
        value, nameless = use("debezium-json", ROW), {"name": "a", "price": 1.5}
        rows = bench.changes(value, message("u", nameless, B), keyed=["id"])
        assert rows == [(1, "b", 1.5, 1)]
        asked = {"key": use("json", KEY), "keyed": ["id"]}
        rows = bench.changes(value, ({"id": 5}, message("d", nameless)), **asked)
        assert rows == [(5, None, None, -1)]
        error = bench.failure(value, message("d", nameless), keyed=["id"])
        assert "lacks the row before it" in error.found

    def test_columns_of_the_key_alone_come_from_the_record(self, bench, use):
        rows = bench.changes(
            use("debezium-json", {"name": t.STRING}),
            ({"id": 5}, message("u", {"name": "a"}, {"name": "b"})),
            ({"id": 5}, message("d", {"name": "b"})),
            key=use("json", KEY),
            keyed=["id"],
            needed=["id", "name"],
        )
        assert rows == [(5, "b", 1), (5, None, -1)]

    def test_a_delete_without_row_and_key_names_the_cure(self, bench, use):
        value = use("debezium-json", ROW)
        error = bench.failure(value, message("d"), keyed=["id"])
        assert "'key.format' with the primary key's columns as 'key.fields'" in error.cure
        ignoring = use("debezium-json", ROW, {"ignore-parse-errors": "true"})
        assert bench.changes(ignoring, message("d"), keyed=["id"]) == []

    def test_a_key_that_lacks_a_column_is_not_enough(self, bench, use):
        with pytest.raises(Exception, match=r"cure: ALTER TABLE"):
            bench.changes(
                use("debezium-json", ROW),
                ({"id": 5}, message("d")),
                key=use("json", KEY),
                keyed=["id", "name"],
            )
