from __future__ import annotations

import re
from typing import Any

import pytest

from benchmarks import formats
from benchmarks.formats import (
    FEW,
    FORMATS,
    ORDER,
    decoders,
    encoders,
    needs_of,
    rates,
    records,
    rows,
    table,
    task_seconds,
    use_of,
)

PLAIN = ("json", "csv", "avro")


@pytest.fixture
def given(spark: Any) -> Any:
    yield rows(spark, 50)
    spark.catalog.clearCache()


@pytest.mark.spark
def test_records_look_like_those_of_a_topic(given: Any):
    first = records(given, use_of("json", {})).orderBy("value").first()
    assert bytes(first.value) == b'{"order_id":0,"customer_id":0,"amount":0,"status":"CREATED"}'
    assert (first.key, first.topic, first.partition, first.offset) == (None, "orders", 0, 0)


@pytest.mark.parametrize("format", PLAIN)
@pytest.mark.spark
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


@pytest.mark.spark
def test_every_contender_is_run_and_rated(spark: Any):
    figures = rates(spark, "protobuf", 50, 1)
    assert set(figures) == {"decode", "2 of 4 columns", "encode"}
    assert all(rate > 0 for rate in figures.values())
    assert not spark.sparkContext._jsc.getPersistentRDDs()


@pytest.mark.spark
def test_what_is_encoded_is_not_taken_from_memory(spark: Any, monkeypatch: pytest.MonkeyPatch):
    plans: list[str] = []

    def planned(session: Any, frame: Any) -> float:
        plans.append(frame._jdf.queryExecution().executedPlan().toString())
        return 1.0

    monkeypatch.setattr(formats, "task_seconds", planned)
    rates(spark, "csv", 10, 1)
    assert len(plans) == 5
    # The table in memory that each reads: the rows for the encoders, the records for the decoders.
    scanned = [re.findall(r"InMemoryTableScan \[(\w+)#", plan)[0] for plan in plans]
    assert [column == "value" for column in scanned] == [False] * 2 + [True] * 3


@pytest.mark.spark
def test_the_time_is_that_of_one_pass_alone(spark: Any):
    heavy = spark.range(200_000).selectExpr("sha2(cast(id AS string), 512)")
    light = spark.range(10)
    first, second = task_seconds(spark, heavy), task_seconds(spark, light)
    assert first > second > 0


def test_formats_without_needs_have_no_options():
    with needs_of("csv") as options:
        assert options == {}


def test_every_format_names_the_columns_of_the_record():
    assert {"order_id", "status"} == set(FEW) < set(ORDER)
    with pytest.raises(SystemExit):
        formats.main(["--formats", "yaml"])


def test_rates_are_shown_as_a_table():
    lines = table(
        {"json": {"decode": 3_400_000, "Spark": 790_000, "encode": 12}, "raw": {}}
    ).splitlines()
    assert lines[2:] == ["| `json` | 3,400,000 |  | 790,000 | 12 |  |", "| `raw` |  |  |  |  |  |"]
    assert len({line.count("|") for line in lines}) == 1


class Session:
    stopped = False

    def stop(self) -> None:
        self.stopped = True


def test_the_command_prints_the_table_and_stops_spark(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    session, asked = Session(), []

    def rated(spark: Any, format: str, count: int, passes: int) -> dict[str, int]:
        asked.append((spark, format, count, passes))
        return {"decode": 12}

    monkeypatch.setattr(formats, "spark_session", lambda settings: session)
    monkeypatch.setattr(formats, "rates", rated)
    assert formats.main(["--records", "7"]) == 0
    assert asked == [(session, name, 7, formats.PASSES) for name in FORMATS]
    assert session.stopped
    assert "| `json` | 12 |" in capsys.readouterr().out


def test_spark_is_stopped_when_a_pass_fails(monkeypatch: pytest.MonkeyPatch):
    session = Session()

    def failing(*_: object) -> dict[str, int]:
        raise RuntimeError("broken pass")

    monkeypatch.setattr(formats, "spark_session", lambda settings: session)
    monkeypatch.setattr(formats, "rates", failing)
    with pytest.raises(RuntimeError, match="broken pass"):
        formats.main([])
    assert session.stopped
