from __future__ import annotations

import pytest

from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.filters import TableFilters, like
from headrace.errors import InvalidOption

ADDRESS, CITY = TableId(None, "public", "address"), TableId(None, "public", "city")
OLD_CITY = TableId(None, "archive", "City")
TABLES = [CITY, ADDRESS, OLD_CITY]


def quote(name):
    return f'"{name}"'


def chosen(tables=TABLES, **config):
    filters = TableFilters.of({name.replace("_", "."): text for name, text in config.items()})
    return filters.chosen(tables, quote)


def test_all_tables_in_the_order_of_their_names():
    assert chosen() == [OLD_CITY, ADDRESS, CITY]


@pytest.mark.parametrize("spelling", ["city", "public.city", '"public"."city"', "other, city"])
def test_a_list_may_spell_a_table_in_three_ways(spelling):
    assert chosen(table_whitelist=spelling) == [CITY]
    assert chosen(table_blacklist=spelling) == [OLD_CITY, ADDRESS]


@pytest.mark.parametrize("spelling", ["CITY", "Public.city", "cit", '"city"x'])
def test_names_of_lists_are_exact(spelling):
    assert chosen(table_whitelist=spelling) == []
    assert chosen(table_blacklist=spelling) == [OLD_CITY, ADDRESS, CITY]


def test_a_catalogue_may_be_left_out():
    orders = TableId("shop", "dbo", "orders")
    for spelling in ("shop.dbo.orders", "dbo.orders", '"dbo"."orders"', "orders"):
        assert chosen([orders], table_whitelist=spelling) == [orders]
    assert chosen([orders], table_include_list=r"dbo\..*") == [orders]
    assert chosen([orders], table_include_list=r"shop\.dbo\..*") == [orders]


def test_expressions_match_the_whole_full_name():
    assert chosen(table_include_list=r"public\..*") == [ADDRESS, CITY]
    assert chosen(table_include_list="city") == []
    assert chosen(table_include_list=r"(?i)PUBLIC\.\p{Lower}++") == [ADDRESS, CITY]
    assert chosen(
        table_include_list=r"(?<s>public)\.[a-z&&[^x]]+", table_exclude_list=r"\Qpublic.city\E"
    ) == [ADDRESS]
    assert chosen(table_include_list=r".*\.[cC]ity, public\.a.*") == [OLD_CITY, ADDRESS, CITY]
    assert chosen(table_include_list=r".*", table_exclude_list=r"archive\..*") == [ADDRESS, CITY]


def test_two_tables_of_one_name_are_refused_unless_one_is_chosen():
    same = [TableId(None, "public", "orders"), TableId(None, "archive", "orders"), CITY]
    with pytest.raises(InvalidOption) as refused:
        chosen(same)
    assert refused.value.condition == "TABLES_SHARE_A_TOPIC"
    assert refused.value.found == "archive.orders, public.orders"
    assert chosen(same, table_whitelist="public.orders") == same[:1]


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        (None, "public", True),
        (None, None, True),
        ("", None, True),
        ("", "public", False),
        ("public", "public", True),
        ("pub%", "public", True),
        ("publi_", "public", True),
        ("pub", "public", False),
        ("a.c", "abc", False),
    ],
)
def test_patterns_are_those_of_like(pattern, name, fits):
    assert like(pattern, name) is fits


def test_types_are_tables_unless_named():
    assert TableFilters.of({}).types == ("TABLE",)
    assert TableFilters.of({"table.types": "view, table"}).types == ("VIEW", "TABLE")
