from __future__ import annotations

import pytest

from headrace.connect.jdbc.columns import (
    SourceColumn,
    TableId,
    auto_increment,
    has_fractions,
    primary_key,
)


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (TableId(None, "public", "address"), "public.address"),
        (TableId("shop", None, "orders"), "shop.orders"),
        (TableId("db", "dbo", "orders"), "db.dbo.orders"),
        (TableId("", "", "orders"), "orders"),
    ],
)
def test_full_name_has_the_parts_that_there_are(table, name):
    assert table.full_name == str(table) == name


@pytest.mark.parametrize(
    ("type", "scale", "found"),
    [("int8", 0, False), ("numeric", 0, False), ("numeric", 2, True), ("float8", 0, True)],
)
def test_numbers_with_fractions(type, scale, found):
    assert has_fractions(SourceColumn("n", type, precision=9, scale=scale)) is found


def test_primary_key_is_in_its_own_order():
    columns = [
        SourceColumn("b", "int4", key_position=2),
        SourceColumn("c", "int4"),
        SourceColumn("a", "int4", key_position=1),
    ]
    assert [column.name for column in primary_key(columns)] == ["a", "b"]
    assert primary_key([SourceColumn("c", "int4")]) == []


def test_only_a_single_counted_column_is_found():
    counted = SourceColumn("id", "int8", auto_increment=True)
    plain = SourceColumn("name", "text")
    assert auto_increment([plain, counted]) == counted
    assert auto_increment([plain]) is None
    assert auto_increment([counted, counted]) is None


def test_a_message_calls_a_type_as_it_was_declared():
    assert SourceColumn("a", "int4").label == "int4"
    assert SourceColumn("a", "text", array=True).label == "text[]"
    assert SourceColumn("a", "int4", declared="year").label == "year"
