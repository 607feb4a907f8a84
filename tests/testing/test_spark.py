from __future__ import annotations

import pytest

from headrace.spark.values import AT_ONCE, SEQUENCE
from headrace.testing.spark import ScriptedQuery, ScriptedStream

pytestmark = pytest.mark.spark


def test_a_step_gives_what_came_since_the_last_one(spark, tmp_path):
    stream = ScriptedStream(spark, "a int, b string")
    with ScriptedQuery(stream.frame, tmp_path) as query:
        stream.add([(1, "x"), (2, None)])
        assert query.step() == [(1, "x"), (2, None)]
        assert query.step() == []
        stream.add([(3, "y")])
        assert query.step() == [(3, "y")]
        assert query.consumed() == {2}


def test_only_scripted_sources_are_counted_as_consumed(spark, tmp_path):
    """A constant beside the script is a source that ends at its own offset."""
    first, second = (ScriptedStream(spark, "a bigint") for _ in range(2))
    constant = spark.readStream.format(SEQUENCE).options(rowsPerSecond=AT_ONCE, numberOfRows=1)
    frame = first.frame.union(second.frame).union(constant.load().selectExpr("-1L"))
    with ScriptedQuery(frame, tmp_path) as query:
        first.add([(1,)])
        second.add([(3,)])
        assert sorted(query.step()) == [(-1,), (1,), (3,)]
        first.add([(2,)])
        assert query.step() == [(2,)]
        assert query.consumed() == {1, 2}
