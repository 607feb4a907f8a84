from __future__ import annotations

import io
import json

import pyarrow.parquet as pq
import pytest

from benchmarks.connect import plain_sink
from benchmarks.connect.sink import fill
from headrace.services.s3 import BUCKET

pytestmark = pytest.mark.services


def test_every_record_is_in_one_object(kafka_broker, s3_endpoint, capsys):
    servers = kafka_broker.bootstrap_servers
    topic = fill(servers, 25)
    given = [servers, topic, "25", "10", s3_endpoint.endpoint, BUCKET]
    assert plain_sink.main(given) == 0
    report = json.loads(capsys.readouterr().out)
    client = s3_endpoint.client()
    found = client.list_objects_v2(Bucket=BUCKET, Prefix=f"plain/{topic}/")["Contents"]
    assert len(found) == report["objects"]
    bodies = (client.get_object(Bucket=BUCKET, Key=item["Key"])["Body"].read() for item in found)
    ids = [row["id"] for body in bodies for row in pq.read_table(io.BytesIO(body)).to_pylist()]
    assert sorted(ids) == list(range(25))
    assert report["seconds"] > 0
