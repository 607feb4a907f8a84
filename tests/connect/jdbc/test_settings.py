from __future__ import annotations

import pytest

from headrace.connect.jdbc.settings import FETCHED_ROWS, HELD_ROWS, SourceSettings
from headrace.errors import InvalidOption


def settings(**options: str) -> SourceSettings:
    given = {"connection.url": "jdbc:postgresql:x", "topic.prefix": "p.", "mode": "bulk"}
    return SourceSettings(given | {n.replace("_", "."): text for n, text in options.items()})


def test_modes():
    assert settings().is_bulk
    assert (settings(mode="timestamp").by_time, settings(mode="timestamp").by_number) == (
        True,
        False,
    )
    both = settings(mode="timestamp+incrementing")
    assert (both.by_time, both.by_number, both.is_bulk) == (True, True, False)


def test_the_driver_is_given_its_own_settings_alone():
    given = settings(connection_user="u", connection_attempts="1", connection_ssl="true")
    assert given.login == {"user": "u", "ssl": "true"}


def test_topics_of_tables_and_of_a_query():
    assert settings().topic("t") == "p.t"
    assert settings(query="SELECT 1").topic("t") == "p."
    assert settings(query_masked="SELECT 1").query == "SELECT 1"


@pytest.mark.parametrize(
    "text",
    ["SELECT 1", "SELECT 1;", "SELECT 1 ;\n; ", "SELECT 1; -- end", "SELECT 1 /* a */ ; /* ; */"],
)
def test_a_query_may_end_as_a_statement_does(text):
    assert settings(query=text).query == "SELECT 1"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT 1 -- no; end",
        "SELECT '; -- text'",
        'SELECT 1 AS "; -- name"',
        "SELECT $$; -- text$$",
        "SELECT `; /* name */`",
        "SELECT 'it\\'s; -- text'",
        "SELECT 1; SELECT 2",
        "SELECT 1 /* a; b */",
    ],
)
def test_nothing_else_of_a_query_is_cut_off(text):
    assert settings(query=text).query == text


def test_without_a_prefix_a_topic_is_called_as_its_table():
    given = SourceSettings({"connection.url": "jdbc:postgresql:x", "mode": "bulk"})
    assert given.topic("t") == "t"


@pytest.mark.parametrize(
    ("options", "initial"),
    [
        ({}, 0),
        ({"timestamp_initial": "-1"}, None),
        ({"timestamp_initial": "5"}, 5),
        ({"timestamp_initial_ms": "7"}, 7),
    ],
)
def test_where_time_begins(options, initial):
    assert settings(**options).initial_timestamp == initial


def test_either_name_turns_quoting_off():
    assert settings().quoting
    assert not settings(quote_sql_identifiers="never").quoting
    assert not settings(sql_quote_identifiers="false").quoting


def test_rows_that_are_held():
    assert settings().held_rows == HELD_ROWS
    assert settings(max_buffer_size="5").held_rows == 5


def test_rows_of_a_round_trip():
    assert settings().fetch_size == FETCHED_ROWS
    assert settings(batch_max_rows="1000").fetch_size == 1000


def test_isolation_by_the_numbers_of_jdbc():
    assert settings().isolation == -1
    assert settings(transaction_isolation_mode="SERIALIZABLE").isolation == 8


class TestMapping:
    def mapped(self, **options: str) -> SourceSettings:
        return settings(
            mode="timestamp+incrementing",
            timestamp_columns_mapping="public.a:[x|y],public.b.*:[z]",
            incrementing_column_mapping="public.a:id,public.b.*:number",
            **options,
        )

    def test_each_table_has_its_columns(self):
        assert self.mapped().timestamp_columns("public.a") == ["x", "y"]
        assert self.mapped().timestamp_columns("public.bc") == ["z"]
        assert self.mapped().incrementing_column("public.a") == "id"

    def test_a_table_without_an_entry_is_refused(self):
        with pytest.raises(InvalidOption) as fault:
            self.mapped().timestamp_columns("public.c")
        assert fault.value.where == "public.c"

    def test_without_a_mapping_all_tables_have_the_same(self):
        given = settings(mode="timestamp", timestamp_column_name="a, b")
        assert given.timestamp_columns("x") == ["a", "b"]
        assert given.incrementing_column("x") is None

    def test_in_other_modes_times_do_not_matter(self):
        assert settings(timestamp_column_name="a").timestamp_columns("x") == []
