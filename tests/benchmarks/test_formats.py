from __future__ import annotations

from typing import Any

import pytest

from benchmarks import formats
from benchmarks.formats import (
    FEW,
    ORDER,
    contenders,
    rates,
    records,
    table,
    task_seconds,
    with_headrace,
    with_spark,
)


@pytest.fixture
def frame(spark: Any) -> Any:
    yield records(spark, 50)
    spark.catalog.clearCache()


@pytest.mark.spark
def test_records_look_like_those_of_a_topic(frame: Any):
    first = frame.orderBy("value").first()
    assert bytes(first.value) == (b'{"order_id":0,"customer_id":0,"amount":0,"status":"CREATED"}')
    assert (first.key, first.topic, first.partition, first.offset) == (None, "orders", 0, 0)
    assert frame.count() == 50


@pytest.mark.parametrize("needed", [tuple(ORDER), FEW])
@pytest.mark.spark
def test_contenders_do_the_same_work(frame: Any, needed: tuple[str, ...]):
    ours = with_headrace(frame, needed).drop("__weight").collect()
    assert ours == with_spark(frame, needed).collect()
    assert len(ours) == 50
    assert ours[0].status == "CREATED"


@pytest.mark.spark
def test_every_contender_is_run_and_rated(spark: Any):
    figures = rates(spark, 50, 1)
    spark.catalog.clearCache()
    assert list(figures) == list(contenders())
    assert all(rate > 0 for rate in figures.values())


@pytest.mark.spark
def test_the_time_is_that_of_one_pass_alone(spark: Any):
    heavy = spark.range(200_000).selectExpr("sha2(cast(id AS string), 512)")
    light = spark.range(10)
    first, second = task_seconds(spark, heavy), task_seconds(spark, light)
    assert first > second > 0


def test_rates_are_shown_as_a_table_that_lines_up():
    lines = table({"json, 4 columns": 3_400_000, "no decoding": 40_123_456}).splitlines()
    assert lines[2:] == [
        "| json, 4 columns           |          3,400,000 |",
        "| no decoding               |         40,123,456 |",
    ]
    assert len({len(line) for line in lines}) == 1
    assert lines[0].startswith("| decoding ")


class Session:
    stopped = False

    def stop(self) -> None:
        self.stopped = True


def test_the_command_prints_the_table_and_stops_spark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    session, asked = Session(), []

    def rated(spark: Any, count: int, passes: int) -> dict[str, int]:
        asked.append((spark, count, passes))
        return {"json, 4 columns": 12}

    monkeypatch.setattr(formats, "spark_session", lambda settings: session)
    monkeypatch.setattr(formats, "rates", rated)
    assert formats.main(["--records", "7"]) == 0
    assert asked == [(session, 7, formats.PASSES)]
    assert session.stopped
    assert "| json, 4 columns           |                 12 |" in capsys.readouterr().out


def test_spark_is_stopped_when_a_pass_fails(monkeypatch: pytest.MonkeyPatch):
    session = Session()

    def failing(*_: object) -> dict[str, int]:
        raise RuntimeError("broken pass")

    monkeypatch.setattr(formats, "spark_session", lambda settings: session)
    monkeypatch.setattr(formats, "rates", failing)
    with pytest.raises(RuntimeError, match="broken pass"):
        formats.main([])
    assert session.stopped
