from __future__ import annotations

from typing import Any

import pytest

from benchmarks.formats import decoders, encoders, records, rows, use_of

pytestmark = pytest.mark.spark

PLAIN = ("json", "csv", "avro")


@pytest.fixture
def given(spark: Any) -> Any:
    yield rows(spark, 50)
    spark.catalog.clearCache()


@pytest.mark.parametrize("format", PLAIN)
def test_contenders_do_the_same_work(given: Any, format: str):
    use = use_of(format, {})
    read = records(given, use)
    ours, few, sparks = (
        work(read).drop("__weight").collect() for work in decoders(format, use).values()
    )
    assert ours == sparks == given.drop("__weight").collect()
    assert few == [row[:1] + row[3:] for row in ours]
    mine, others = (work(given).collect() for work in encoders(format, use).values())
    assert [as_bytes(row[0]) for row in mine] == [as_bytes(row[0]) for row in others]


def as_bytes(value: Any) -> bytes:
    return value.encode() if isinstance(value, str) else bytes(value)
