from __future__ import annotations

import io

import pytest
from rich.console import Console

from headrace.cli.demo.pageviews import QUERY, READ_BACK, TABLES, Verdict
from headrace.cli.demo.views import RegionCount
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_script, parse_statement

A, B = RegionCount("a", 3, 2), RegionCount("b", 9, 4)


def rendered(verdict: Verdict) -> str:
    stream = io.StringIO()
    Console(file=stream, width=120).print(verdict.text())
    return stream.getvalue()


@pytest.fixture
def environment():
    made = TableEnvironment()
    for statement in parse_script(TABLES % {"servers": "127.0.0.1:9092"}):
        made.define(statement)
    return made


def test_the_query_counts_with_an_operator_and_writes_by_key(environment):
    (plan,) = environment.plans(parse_statement(QUERY))
    operators = [type(item.node).__name__ for item in plan.root.walk()]
    assert "Aggregate" in operators
    assert plan.root.traits.key == ("user_region",)
    assert not plan.is_bounded


def test_the_topic_is_read_back_to_its_end(environment):
    (plan,) = environment.plans(parse_statement(READ_BACK))
    assert plan.is_bounded
    assert plan.sink.names == ("user_region", "pv", "uv")


def test_equal_tables_are_equal():
    verdict = Verdict([A, B], [A, B])
    assert verdict.equal
    text = rendered(verdict)
    assert "equal: the topic contains the query's exact answer over all 12 page views" in text
    assert "differs" not in text
    assert text.index("b ") < text.index("a ")


@pytest.mark.parametrize(
    ("rows", "expected"),
    [([A], [A, B]), ([A, B], [A]), ([A, RegionCount("b", 9, 5)], [A, B]), ([], [A])],
)
def test_any_difference_is_told_where_it_is(rows, expected):
    verdict = Verdict(rows, expected)
    assert not verdict.equal
    text = rendered(verdict)
    assert "different: " in text
    assert text.count("differs") == 1
