"""The bench for transforms."""

import pytest

from headrace.connect.data import schema as cs
from headrace.testing.connect import Bench


@pytest.mark.spark
def test_a_transform_on_the_bench(spark):
    result = Bench(spark).apply(
        "InsertHeader",
        {"header": "h", "value.literal": "1"},
        ["a"],
        cs.string(),
        keys=["k"],
        topic=["topic"],
    )
    assert (result.keys, result.values, result.errors) == (["k"], ["a"], [None])
    assert result.headers == [[("h", b"1")]]
    assert result.column("topic") == ["topic"]
    assert result.value_schema == cs.string()
    assert result.key_schema is None
