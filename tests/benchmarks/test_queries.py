from __future__ import annotations

import pytest

from benchmarks.queries import QUERIES, SINK, Query, query_named
from headrace.errors import UnknownName, UnsupportedSql
from headrace.runtime.environment import TableEnvironment

SERVERS = "127.0.0.1:9092"


def statements_of(query: Query) -> list[str]:
    topics = {name: f"{name}-topic" for name in (*query.inputs, SINK)}
    return query.statements(SERVERS, topics)


@pytest.fixture(params=QUERIES.values(), ids=list(QUERIES))
def query(request: pytest.FixtureRequest) -> Query:
    return request.param


def test_the_insert_comes_last(query: Query):
    *tables, insert = statements_of(query)
    assert all(table.startswith("CREATE TABLE ") for table in tables)
    assert insert.startswith("INSERT INTO sink SELECT ")


def test_every_input_and_the_sink_is_a_table_over_its_topic(query: Query):
    *tables, _ = statements_of(query)
    assert len(tables) == len(query.inputs) + 1
    for name, table in zip((*query.inputs, SINK), tables, strict=True):
        assert table.startswith(f"CREATE TABLE {name} (")
        assert f"'topic' = '{name}-topic'" in table
        assert f"'properties.bootstrap.servers' = '{SERVERS}'" in table


def test_no_placeholder_is_left(query: Query):
    assert not [text for text in statements_of(query) if "{" in text or "}" in text]


def test_inputs_end_and_the_sink_does_not_say_so(query: Query):
    *sources, sink, _ = statements_of(query)
    assert all("'scan.bounded.mode' = 'latest-offset'" in source for source in sources)
    assert "scan.bounded.mode" not in sink


def test_key_and_columns_are_those_of_the_sink(query: Query):
    environment = TableEnvironment()
    for statement in statements_of(query)[:-1]:
        environment.execute_sql(statement)
    rows = [tuple(row) for row in environment.execute_sql("DESCRIBE sink").collect()]
    assert [row[0] for row in rows] == [query.key, *query.columns]


@pytest.mark.parametrize("name", list(QUERIES))
def test_headrace_plans_it_as_a_bounded_job(name: str):
    environment = TableEnvironment()
    *tables, insert = statements_of(query_named(name))
    for table in tables:
        environment.execute_sql(table)
    assert "sink" in environment.explain_sql(insert)


def test_what_headrace_cannot_plan_it_refuses_by_name():
    """The runner shows a query as not supported on the strength of this error."""
    environment = TableEnvironment()
    *tables, insert = statements_of(query_named("q1"))
    for table in tables:
        environment.execute_sql(table)
    with pytest.raises(UnsupportedSql, match="ORDER BY"):
        environment.explain_sql(f"{insert} ORDER BY 1")


def test_an_unknown_query_is_answered_with_the_known_ones():
    with pytest.raises(UnknownName, match="q1") as caught:
        query_named("q11")
    assert caught.value.candidates == ["copy", "copy-once", "q1", "q2", "q3", "q4"]


def test_the_copies_differ_by_their_guarantee_alone():
    plain, once = (statements_of(query_named(name)) for name in ("copy", "copy-once"))
    assert "exactly-once" not in "".join(plain)
    assert "'sink.transactional-id-prefix' = 'sink-topic'" in once[1]
    assert once[2] == plain[2].replace("copy_orders", "once_orders")
