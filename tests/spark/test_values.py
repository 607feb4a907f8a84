from __future__ import annotations

import pytest

from headrace.changelog import WEIGHT
from headrace.plan.expressions import Literal
from headrace.plan.literals import null_literal
from headrace.plan.nodes import Field, Values
from headrace.spark.values import spread, values_frame
from headrace.testing.spark import ScriptedQuery, ScriptedStream
from headrace.types import BIGINT, INT, STRING

pytestmark = pytest.mark.spark

TWO_ROWS = Values(
    ((Literal(INT, 1), Literal(STRING, "x")), (null_literal(INT), Literal(STRING, "it's"))),
    (Field("a", INT), Field("a b", STRING)),
)
NO_COLUMNS = Values(((),), ())


def test_without_a_stream_they_are_a_table(spark):
    frame = values_frame(spark, TWO_ROWS, streaming=False)
    assert not frame.isStreaming
    assert frame.columns == ["a", "a b", WEIGHT]
    assert [tuple(row) for row in frame.collect()] == [(1, "x", 1), (None, "it's", 1)]


def test_a_row_of_no_columns_is_one_row(spark):
    frame = values_frame(spark, NO_COLUMNS, streaming=False)
    assert [tuple(row) for row in frame.collect()] == [(1,)]


def test_columns_have_their_types(spark):
    frame = values_frame(
        spark, Values(((null_literal(BIGINT),),), (Field("n", BIGINT),)), streaming=False
    )
    assert [field.dataType.simpleString() for field in frame.schema] == ["bigint", "bigint"]


@pytest.mark.parametrize(
    ("node", "rows"), [(TWO_ROWS, [(1, "x", 1), (None, "it's", 1)]), (NO_COLUMNS, [(1,)])]
)
def test_beside_a_stream_they_come_once(spark, tmp_path, node, rows):
    frame = values_frame(spark, node, streaming=True)
    assert frame.isStreaming
    with ScriptedQuery(frame, tmp_path / "checkpoint") as query:
        assert query.step() == rows
        assert query.step() == []
    with ScriptedQuery(frame, tmp_path / "checkpoint") as query:
        assert query.step() == []


def test_they_can_be_united_with_a_stream(spark, tmp_path):
    stream = ScriptedStream(spark, f"n int, {WEIGHT} bigint")
    node = Values(((Literal(INT, 7),),), (Field("n", INT),))
    both = stream.frame.union(values_frame(spark, node, streaming=True))
    with ScriptedQuery(both, tmp_path / "checkpoint") as query:
        stream.add([(1, 1)])
        assert sorted(query.step()) == [(1, 1), (7, 1)]
        stream.add([(2, 1)])
        assert query.step() == [(2, 1)]


def test_rows_are_spread_with_their_weight(spark):
    frame = spark.sql(f"SELECT 5 AS x, -2L AS {WEIGHT}")
    ref = Field("x", INT).ref()
    rows = ((ref, Literal(INT, 0)), (null_literal(INT), Literal(INT, 1)))
    made = spread(frame, ("x", "set"), rows)
    assert [tuple(row) for row in made.collect()] == [(5, 0, -2), (None, 1, -2)]
