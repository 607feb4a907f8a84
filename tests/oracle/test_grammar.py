from __future__ import annotations

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings

from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_statement
from tests.oracle.grammar import (
    BASE_TABLES,
    CONSTANTS,
    CONSTRUCTS,
    GROUPS,
    IN_SIGHT,
    INTEGER,
    PLACE,
    TEMPLATES,
    TEXT,
    TRUTH,
    WITH_TAGS,
    Column,
    Source,
    queries,
)
from tests.oracle.harness import Oracle, environment


@pytest.fixture(scope="module")
def env() -> TableEnvironment:
    return environment()


@pytest.fixture(scope="module")
def oracle():
    made = Oracle()
    yield made
    made.close()


def test_templates_name_only_what_can_be_filled_in():
    places = {place for texts in TEMPLATES.values() for t in texts for place in PLACE.findall(t)}
    assert places <= TEMPLATES.keys() | {INTEGER, TEXT, TRUTH}


def test_every_construct_is_in_one_group():
    assert sorted(name for group in GROUPS for name in group) == sorted(CONSTRUCTS)


def test_columns_are_written_by_their_table():
    source = Source("users", (Column("w", INTEGER), Column("s", TEXT)))
    assert [column.text for column in source.named("t")] == ["t.w", "t.s"]
    assert [column.name for column in source.named("t")] == ["w", "s"]


def test_constants_may_stand_beside_tables(env, oracle):
    assert IN_SIGHT[-1] is CONSTANTS
    (plan,) = env.plans(parse_statement(f"SELECT * FROM {CONSTANTS.text} AS c"))
    assert list(plan.sink.names) == [column.name for column in CONSTANTS.columns]
    assert oracle.answer(f"SELECT * FROM {CONSTANTS.text} AS c")[("1", "1")] == 2


def test_arrays_are_left_to_unnest():
    assert {table.text for table in WITH_TAGS} == {"events", "items"}
    assert not any(column.name == "tags" for table in BASE_TABLES for column in table.columns)


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_both_engines_take_every_query(construct, env, oracle):
    @settings(
        max_examples=8,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(queries([construct]))
    def both_take(query):
        (plan,) = env.plans(parse_statement(query.sql))
        assert list(plan.sink.names) == [column.name for column in query.columns]
        assert all(len(row) == len(query.columns) for row in oracle.answer(query.sql))

    both_take()


def test_a_query_of_the_other_engine_alone_is_refused(oracle):
    with pytest.raises(duckdb.Error):
        oracle.answer("SELECT CARDINALITY(tags) + JSON_VALUE(s, 'x') FROM events")
