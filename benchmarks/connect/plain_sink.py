"""What one would write without a connector: one process that reads a topic and writes Parquet to S3 with pyarrow.

    python -m benchmarks.connect.plain_sink SERVERS TOPIC ROWS FLUSH ENDPOINT BUCKET

It prints the seconds from the first poll to the last object, and those of the CPU, as JSON.
"""

from __future__ import annotations

import io
import json
import sys
import time
import uuid
from collections.abc import Sequence
from typing import Any

import boto3
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
from confluent_kafka import Consumer

from headrace.services.s3 import ACCESS_KEY, REGION, SECRET_KEY

# More in one call made it no faster.
_MESSAGES = 10_000


def copy(servers: str, topic: str, rows: int, flush: int, client: Any, bucket: str) -> int:
    """How many objects it wrote."""
    consumer = Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": f"plain-{uuid.uuid4()}",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
        }
    )
    consumer.subscribe([topic])
    held: dict[int, list[Any]] = {}
    seen = objects = 0
    while seen < rows:
        for message in consumer.consume(_MESSAGES, 1.0):
            partition = message.partition() or 0
            records = held.setdefault(partition, [])
            records.append(json.loads(message.value() or b"")["payload"])
            seen += 1
            if len(records) == flush:
                _write(
                    client,
                    bucket,
                    f"plain/{topic}/{partition}/{message.offset():010}.parquet",
                    records,
                )
                held[partition] = []
                objects += 1
    for partition, records in held.items():
        if records:
            _write(client, bucket, f"plain/{topic}/{partition}/rest.parquet", records)
            objects += 1
    consumer.commit(asynchronous=False)
    consumer.close()
    return objects


def _write(client: Any, bucket: str, name: str, records: list[Any]) -> None:
    buffer = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(records), buffer, compression="snappy")
    client.put_object(Bucket=bucket, Key=name, Body=buffer.getvalue())


def main(arguments: Sequence[str] | None = None) -> int:
    servers, topic, rows, flush, endpoint, bucket = arguments or sys.argv[1:]
    client = boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
    )
    began, cpu = time.monotonic(), time.process_time()
    objects = copy(servers, topic, int(rows), int(flush), client, bucket)
    seconds = {"seconds": time.monotonic() - began, "cpu": time.process_time() - cpu}
    print(json.dumps({"objects": objects, **seconds}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
