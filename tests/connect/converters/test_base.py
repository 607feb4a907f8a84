"""Outcomes that converters make."""

import pytest

from headrace.connect.converters.base import failure, outcome


@pytest.mark.spark
def test_outcomes_have_a_value_and_may_have_an_error(connect):
    from pyspark.sql import functions as sf

    frame = connect.spark.range(2)
    rows = frame.select(
        outcome(sf.col("id")).alias("a"),
        outcome(sf.col("id"), failure(sf.col("id") > 0, "no")).alias("b"),
    )
    found = rows.collect()
    assert [(row.a.value, row.a.error) for row in found] == [(0, None), (1, None)]
    assert [row.b.error and row.b.error["message"] for row in found] == [None, "no"]
    assert found[1].b.error["class"] == "org.apache.kafka.connect.errors.DataException"
