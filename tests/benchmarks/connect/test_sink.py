from __future__ import annotations

import json

import pytest

from benchmarks.connect import sink
from benchmarks.connect.sink import Cost
from headrace.testing.lake import S3Lake
from headrace.testing.topics import read_topic


@pytest.mark.services
def test_records_carry_their_schema_and_are_spread_over_the_partitions(kafka_broker):
    servers = kafka_broker.bootstrap_servers
    records = read_topic(servers, sink.fill(servers, 20))
    assert {record.partition for record in records} == {0, 1}
    assert {json.dumps(record.json_value()["schema"]) for record in records} == {
        json.dumps(sink.SCHEMA)
    }
    assert sorted(record.json_value()["payload"]["id"] for record in records) == list(range(20))


@pytest.mark.spark
@pytest.mark.services
def test_the_sink_runs_until_every_record_is_in_a_file(kafka_broker, s3_endpoint, spark, tmp_path):
    servers = kafka_broker.bootstrap_servers
    topic, lake = sink.fill(servers, 20), S3Lake(servers, tmp_path, s3_endpoint)
    sink.headrace(lake, topic, 20, 4)
    files = lake.files()
    assert all(name.endswith(".parquet") for name in files)
    assert sum(rows_of(content) for content in files.values()) == 20


def rows_of(content: bytes) -> int:
    from io import BytesIO

    import pyarrow.parquet as pq

    return int(pq.read_metadata(BytesIO(content)).num_rows)


def test_a_line_for_every_way_with_its_rate_and_its_cpu_time(monkeypatch, capsys):
    asked = []

    def measure(rows: int, flush: int) -> dict[str, Cost]:
        asked.append((rows, flush))
        return {"one": Cost(2.0, 3.0)}

    monkeypatch.setattr(sink, "measure", measure)
    assert sink.main(["--rows", "500000", "--flush", "7"]) == 0
    assert asked == [(500_000, 7)]
    assert capsys.readouterr().out.split() == (
        ["one", "250,000", "rows/s", "6.00", "CPU", "s", "per", "million"]
    )
