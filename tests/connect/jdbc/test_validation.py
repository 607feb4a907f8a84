from __future__ import annotations

import pytest

from headrace.connect.jdbc.validation import faults

BASE = {"connection.url": "jdbc:postgresql:x", "topic.prefix": "p", "mode": "bulk"}


def found(**options: str) -> dict[str, list[str]]:
    return faults(BASE | {name.replace("_", "."): text for name, text in options.items()})


def test_a_plain_configuration_has_none():
    assert found() == {}


@pytest.mark.parametrize(
    "pair",
    [
        ("table.whitelist", "table.blacklist"),
        ("table.whitelist", "table.include.list"),
        ("query", "table.whitelist"),
        ("query", "query.masked"),
    ],
)
def test_options_that_exclude_each_other_are_both_told(pair):
    wrong = faults(BASE | dict.fromkeys(pair, "SELECT 1"))
    assert set(pair) <= set(wrong)
    assert pair[1] in wrong[pair[0]][0]


def test_exclude_needs_include():
    assert list(found(table_exclude_list="a")) == ["table.exclude.list"]
    assert found(table_exclude_list="a", table_include_list="b") == {}


@pytest.mark.parametrize("text", ["SELECT 1", " select 1", "WITH a AS (SELECT 1) SELECT * FROM a"])
def test_queries_that_read(text):
    assert found(query=text) == {}


@pytest.mark.parametrize("text", ["DELETE FROM t", "SELECTED", "UPDATE t SET a = 1"])
def test_queries_that_do_not(text):
    assert found(query=text) == {"query": ["Only SELECT queries are supported"]}


def test_a_query_needs_a_topic():
    assert list(found(query="SELECT 1", topic_prefix="")) == ["topic.prefix"]


@pytest.mark.parametrize("mode", ["timestamp", "timestamp+incrementing"])
def test_modes_by_time_need_a_column(mode):
    assert "timestamp.column.name" in found(mode=mode)
    assert found(mode=mode, timestamp_column_name="at") == {}
    mapped = found(
        mode=mode, timestamp_columns_mapping=".*:[at]", incrementing_column_mapping=".*:id"
    )
    assert mapped == {}


def test_a_query_by_number_names_its_column():
    wrong = found(mode="incrementing", query="SELECT 1")
    assert list(wrong) == ["incrementing.column.name"]
    assert found(mode="incrementing", query="SELECT 1", incrementing_column_name="id") == {}
    assert found(mode="incrementing") == {}


def test_mappings_exclude_the_plain_options_and_bulk():
    both = found(mode="timestamp", timestamp_columns_mapping="t:[a]", timestamp_column_name="a")
    assert set(both) == {"timestamp.columns.mapping", "timestamp.column.name"}
    assert list(found(incrementing_column_mapping="t:a")) == ["incrementing.column.mapping"]


def test_two_names_of_one_option_agree():
    assert found(timestamp_initial="1", timestamp_initial_ms="1") == {}
    assert list(found(timestamp_initial="1", timestamp_initial_ms="2")) == ["timestamp.initial.ms"]


def test_deletes_need_keys():
    assert list(found(headrace_delete_detection="key-compare")) == ["headrace.delete.detection"]
    assert found(headrace_delete_detection="key-compare", transforms="k") == {}
    wrong = found(headrace_delete_detection="key-compare", transforms="k", query="SELECT 1")
    assert list(wrong) == ["headrace.delete.detection.keys"]
