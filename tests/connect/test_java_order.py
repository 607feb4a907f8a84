from __future__ import annotations

import pytest

from headrace.connect.java_order import java_hash, java_order, table_of_copy


@pytest.mark.parametrize(
    ("text", "found"),
    [("", 0), ("a", 97), ("ab", 3105), ("é", 233), ("😀", 1772899), ("name", 3373707)],
)
def test_hashes_are_those_of_java(text, found):
    assert java_hash(text) == found


def test_long_texts_wrap_around():
    assert java_hash("converter.type") == java_hash("converter.type") % 2**32


def test_names_come_by_their_place_in_the_table():
    declared = [
        "converter.type",
        "schemas.enable",
        "schemas.cache.size",
        "decimal.format",
        "replace.null.with.default",
    ]
    assert java_order(declared) == [
        "decimal.format",
        "converter.type",
        "schemas.cache.size",
        "replace.null.with.default",
        "schemas.enable",
    ]  # fmt: skip


def test_those_of_one_place_stay_in_their_order():
    assert java_order(["HEAD", "GET", "OPTIONS", "PUT", "PATCH"])[-2:] == ["PUT", "PATCH"]
    assert java_order(["PATCH", "PUT"]) == ["PATCH", "PUT"]


def test_a_name_is_there_once():
    assert java_order(["a", "b", "a"]) == ["a", "b"]


def test_tables_grow():
    names = [chr(letter) for letter in range(ord("a"), ord("z") + 1)]
    assert java_order(reversed(names)) == names


@pytest.mark.parametrize(("size", "table"), [(0, 1), (1, 2), (2, 4), (3, 8), (6, 16), (13, 32)])
def test_copies_are_as_small_as_they_can_be(size, table):
    assert table_of_copy(size) == table


def test_a_small_table_gives_another_order():
    assert java_order(["offsets", "name"], table_of_copy(1)) == ["name", "offsets"]
