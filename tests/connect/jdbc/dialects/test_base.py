from __future__ import annotations

import pytest

from headrace.connect.jdbc.columns import SourceColumn, TableId
from headrace.connect.jdbc.dialects.base import Dialect

TABLE = TableId("shop", "sales", 'odd"name')


class Plain(Dialect):
    name = "Plain"

    def columns_of(self, database, tables):
        return {TABLE: [SourceColumn("a", "int")]}

    def columns_of_query(self, database, sql):
        return [SourceColumn(sql, "int")]


def test_tables_are_named_with_all_their_parts():
    assert Plain().qualified(TABLE) == '"shop"."sales"."odd""name"'
    assert Plain(quoting=False).qualified(TABLE) == 'shop.sales.odd"name'


def test_a_database_without_quotes_gets_none():
    plain = Plain()
    plain.quotes = " "
    assert plain.quote("name") == "name"


def test_columns_of_a_table_or_of_a_query():
    assert Plain().columns(None, TABLE) == [SourceColumn("a", "int")]
    assert Plain().columns(None, TableId(None, None, "gone")) == []
    assert Plain().columns(None, "SELECT 1") == [SourceColumn("SELECT 1", "int")]


def test_tables_hold_rows_of_their_own():
    assert Plain().derived(None, [TABLE]) == set()


def test_changes_of_columns_are_not_looked_for_unless_a_dialect_can():
    assert Plain().shape(None, [TABLE]) is None


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo"])
def test_the_clock_is_read_in_the_given_zone(zone):
    class Clock:
        def instant(self, sql, zone):
            return sql, zone

    assert Plain().now(Clock(), zone) == ("SELECT CURRENT_TIMESTAMP", zone)
