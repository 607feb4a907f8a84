from __future__ import annotations

import pytest

from benchmarks.queries import QUERIES, SINK, Query, query_named
from headrace.runtime.environment import TableEnvironment

SERVERS = "127.0.0.1:9092"


def statements_of(query: Query) -> list[str]:
    topics = {name: f"{name}-topic" for name in (*query.inputs, SINK)}
    return query.statements(SERVERS, topics)


@pytest.fixture(params=QUERIES.values(), ids=list(QUERIES))
def query(request: pytest.FixtureRequest) -> Query:
    return request.param


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


def test_the_copies_differ_by_their_guarantee_alone():
    plain, once = (statements_of(query_named(name)) for name in ("copy", "copy-once"))
    assert "exactly-once" not in "".join(plain)
    assert "'sink.transactional-id-prefix' = 'sink-topic'" in once[1]
    assert once[2] == plain[2].replace("copy_orders", "once_orders")
