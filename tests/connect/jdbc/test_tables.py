from __future__ import annotations

from threading import Event
from types import SimpleNamespace

import pytest

from headrace.connect.jdbc.columns import SourceColumn, TableId
from headrace.connect.jdbc.dialects.postgres import PostgresDialect
from headrace.connect.jdbc.predicates import Condition
from headrace.connect.jdbc.settings import SourceSettings
from headrace.connect.jdbc.tables import sources
from headrace.errors import InvalidOption, UnknownName

TABLE = TableId(None, "public", "orders")
COLUMNS = [
    SourceColumn("id", "int4", nullable=False, auto_increment=True, key_position=1),
    SourceColumn("Name", "text"),
    SourceColumn("at", "timestamptz", nullable=False),
    SourceColumn("changed", "timestamptz"),
]


class Dialect(PostgresDialect):
    def columns_of(self, database, tables):
        return {TABLE: COLUMNS}

    def derived(self, database, tables):
        return set()

    def columns_of_query(self, database, sql):
        return COLUMNS


def made(**options: str):
    config = {
        "connection.url": "jdbc:postgresql:x",
        "topic.prefix": "p.",
        "mode": "timestamp",
        "timestamp.column.name": "at",
        **{name.replace("_", "."): text for name, text in options.items()},
    }
    link = SimpleNamespace(
        config=config, settings=SourceSettings(config), dialect=Dialect(), stopping=Event()
    )
    (found,) = sources(link, None, [TABLE, TableId(None, "public", "gone")])
    return found


class TestTable:
    def test_what_it_is_called(self):
        source = made()
        assert source.partition == {"protocol": "1", "table": "public.orders"}
        assert source.old_partition == {"table": "orders"}
        assert source.topic == "p.orders"
        assert source.schema.name == "orders"
        assert source.key == ("id",)

    def test_statements(self):
        source = made(mode="timestamp+incrementing")
        assert source.select(Condition("x = ?", (1,))) == (
            'SELECT "id", "Name", "at", "changed", "at", "id" FROM "public"."orders"'
            ' WHERE x = ? ORDER BY "at" ASC, "id" ASC'
        )
        assert source.select(Condition(), ordered=False, positions=False) == (
            'SELECT "id", "Name", "at", "changed" FROM "public"."orders"'
        )
        assert source.select_last(Condition()) == (
            'SELECT "at", "id" FROM "public"."orders" ORDER BY "at" DESC, "id" DESC'
        )

    def test_names_may_go_without_their_schema(self):
        assert made(table_names_qualify="false").origin == '"orders"'

    def test_a_suffix_comes_last(self):
        assert made(query_suffix="FOR SHARE").select(Condition()).endswith("ASC FOR SHARE")

    def test_keys_of_one_s_own(self):
        assert made(headrace_delete_detection_keys="Name,id").key == ("Name", "id")


class TestQuery:
    def test_it_is_a_subquery_without_a_name(self):
        source = made(query="SELECT * FROM a WHERE b ORDER BY c")
        assert source.origin == "(SELECT * FROM a WHERE b ORDER BY c\n) AS query_"
        assert source.partition == {"query": "query"}
        assert source.topic == "p."
        assert source.schema.name is None


class TestPositions:
    def test_the_column_that_the_database_counts(self):
        assert made(mode="incrementing").position.incrementing == '"id"'

    def test_none_that_it_counts(self, monkeypatch):
        monkeypatch.setattr(Dialect, "columns_of", lambda *asked: {TABLE: COLUMNS[1:]})
        with pytest.raises(InvalidOption) as fault:
            made(mode="incrementing")
        assert fault.value.condition == "NO_INCREMENTING_COLUMN"

    def test_a_number_with_fractions_is_no_position(self, monkeypatch):
        price = SourceColumn("price", "numeric", nullable=False, precision=9, scale=2)
        monkeypatch.setattr(Dialect, "columns_of", lambda *asked: {TABLE: [*COLUMNS, price]})
        with pytest.raises(InvalidOption, match="may hold fractions") as fault:
            made(mode="incrementing", incrementing_column_name="price")
        assert fault.value.found == "numeric"

    def test_views_are_told_from_tables(self, monkeypatch):
        assert made().stored
        monkeypatch.setattr(Dialect, "derived", lambda *asked: {TABLE})
        assert not made().stored
        assert not made(query="SELECT 1").stored

    def test_an_unknown_column_is_told_with_the_nearest(self):
        with pytest.raises(UnknownName) as fault:
            made(timestamp_column_name="att")
        assert "'at'" in str(fault.value.cure)

    def test_nulls_are_refused_unless_one_timestamp_has_none(self):
        with pytest.raises(InvalidOption) as fault:
            made(timestamp_column_name="changed")
        assert fault.value.condition == "NULLABLE_POSITION"
        assert (
            made(timestamp_column_name="changed,at").position.timestamp
            == 'COALESCE("changed", "at")'
        )
        assert made(timestamp_column_name="changed", validate_non_null="false").position.timestamps

    def test_a_query_s_columns_are_not_asked_whether_they_may_be_null(self):
        source = made(query="SELECT 1", timestamp_column_name="changed")
        assert source.position.timestamps == ('"changed"',)
