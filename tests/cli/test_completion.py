from __future__ import annotations

import pytest
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from headrace.cli.completion import SqlCompleter, suggestions
from headrace.runtime.environment import TableEnvironment


@pytest.fixture
def catalog():
    environment = TableEnvironment()
    environment.execute_sql(
        "CREATE TABLE pageviews (user_id BIGINT, user_region STRING) WITH ('connector' = 'datagen')"
    )
    environment.execute_sql("CREATE VIEW regions AS SELECT user_region FROM pageviews")
    return environment.catalog


@pytest.fixture
def offered(catalog):
    def offer(before: str) -> list[str]:
        return [item.text for item in suggestions(before, catalog)]

    return offer


def test_a_statement_begins_with_a_keyword_or_a_command(offered):
    assert offered("SEL") == ["SELECT"]
    assert "QUIT" in offered("qu")
    assert "QUIT" not in offered("SELECT qu")


def test_tables_views_and_columns_by_their_beginning(offered):
    assert "pageviews" in offered("SELECT * FROM pa")
    assert "regions" in offered("SELECT * FROM re")
    assert offered("SELECT user_") == ["user_id", "user_region"]
    assert offered("SELECT pageviews.user_r") == ["user_region"]


def test_functions_and_types(offered):
    assert "COUNT" in offered("SELECT cou")
    assert "BIGINT" in offered("CREATE TABLE t (a big")


def test_a_column_says_its_type_and_table(catalog):
    (item,) = suggestions("SELECT user_i", catalog)
    assert (item.about, item.replaces) == ("BIGINT of pageviews", len("user_i"))


def test_connectors_and_formats_are_values(offered):
    assert offered("CREATE TABLE t (a INT) WITH ('connector' = 'up") == ["upsert-kafka"]
    assert "avro" in offered("… WITH ('connector' = 'kafka', 'format' = '")
    assert "json" in offered("… WITH ('connector' = 'upsert-kafka', 'key.format' = 'j")


def test_options_are_those_of_the_connector(offered):
    kafka = offered("… WITH ('connector' = 'kafka', 'scan.")
    assert "scan.startup.mode" in kafka
    assert offered("… WITH ('connector' = 'print', 'scan.") == []
    assert "rows-per-second" in offered("… WITH ('connector' = 'datagen', 'rows")


def test_options_of_a_named_format_are_offered(offered):
    named = offered("… WITH ('connector' = 'kafka', 'format' = 'json', 'json.")
    assert "json.ignore-parse-errors" in named


def test_an_option_is_offered_once(offered):
    assert "topic" in offered("… WITH ('connector' = 'kafka', 't")
    assert "topic" not in offered("… WITH ('connector' = 'kafka', 'topic' = 'a', 't")


def test_choices_of_an_option(offered):
    modes = offered("… WITH ('connector' = 'kafka', 'scan.startup.mode' = 'e")
    assert modes == ["earliest-offset"]


def test_without_a_connector_the_connector_is_offered(offered):
    assert offered("CREATE TABLE t (a INT) WITH ('") == ["connector"]


@pytest.mark.parametrize("word", ["SET", "RESET", "set"])
def test_settings_after_set(word, offered):
    assert "table.exec.state.ttl" in offered(f"{word} 'table.")


def test_other_texts_are_the_user_s(offered):
    assert offered("SELECT * FROM pageviews WHERE user_region = 'S") == []


def test_only_the_statement_being_typed_counts(offered):
    assert "QUIT" in offered("SELECT ';'; qu")
    assert offered("CREATE TABLE t (a INT) WITH ('connector' = 'print'); SELECT 'to") == []


def test_nothing_is_offered_out_of_nothing(offered):
    assert offered("SELECT ") == []


def test_the_editor_replaces_what_was_typed(catalog):
    completer = SqlCompleter(catalog)
    (found,) = completer.get_completions(Document("SELECT user_i"), CompleteEvent())
    assert (found.text, found.start_position) == ("user_id", -6)
    assert found.display_meta_text == "BIGINT of pageviews"
