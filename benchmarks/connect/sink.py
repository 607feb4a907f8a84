"""Measures the sink to files: JSON with schemas from a topic of two partitions to Parquet.

    python -m benchmarks.connect.sink [--rows 2000000] [--flush 100000]

headrace   to S3 (moto's server) and to a folder, from the first round to the last offset, in a session that has run one
plain      a Python client with confluent-kafka and pyarrow, to S3
spark      Spark's own Kafka source and file sink with from_json, to a folder, since it has no client of S3 by itself
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from benchmarks.record import RESULTS, keep
from headrace.connect import application
from headrace.services.kafka import KafkaService
from headrace.services.s3 import BUCKET, S3Service
from headrace.testing.lake import Lake, S3Lake
from headrace.testing.topics import create_topic, produce

SCHEMA = {
    "type": "struct",
    "optional": False,
    "name": "order",
    "fields": [
        {"type": "int64", "optional": False, "field": "id"},
        {"type": "string", "optional": True, "field": "item"},
        {"type": "double", "optional": True, "field": "price"},
        {"type": "int64", "optional": True, "field": "at", "version": 1, "name": "org.apache.kafka.connect.data.Timestamp"},
    ],
}  # fmt: skip
_PARTITIONS = 2
_SPARK_SCHEMA = "payload struct<id:long,item:string,price:double,at:long>"


def fill(servers: str, rows: int) -> str:
    topic = f"orders-{uuid.uuid4().hex[:6]}"
    create_topic(servers, topic, partitions=_PARTITIONS)
    schema = json.dumps(SCHEMA, separators=(",", ":"))
    texts = (
        f'{{"schema":{schema},"payload":{{"id":{i},"item":"item-{i % 1000}","price":{i / 8},"at":{i}}}}}'
        for i in range(rows)
    )
    produce(servers, topic, ((str(i), text) for i, text in enumerate(texts)))
    return topic


@dataclass(frozen=True, slots=True)
class Cost:
    """What a run took; `cpu` counts this process and its JVM, neither the broker nor the store."""

    wall: float
    cpu: float


def costs(work: Callable[[], None]) -> Cost:
    cpu, wall = cpu_seconds(), time.monotonic()
    work()
    return Cost(time.monotonic() - wall, cpu_seconds() - cpu)


def cpu_seconds() -> float:
    jvm: Any = application.session({})._jvm
    spark = psutil.Process(jvm.java.lang.ProcessHandle.current().pid())
    return sum(sum(process.cpu_times()[:2]) for process in (psutil.Process(), spark))


def headrace(lake: Lake, topic: str, rows: int, flush: int) -> None:
    """Runs until every full file is written."""
    task = lake.task(
        topics=topic,
        flush_size=str(flush),
        format_class="io.confluent.connect.s3.format.parquet.ParquetFormat",
        value_converter_schemas_enable="true",
    )
    task.round()
    while sum(lake.offsets(task).values()) < rows - _PARTITIONS * flush:
        task.round()
    task.schedule_ms = 1
    task.round()


def spark_sink(session: Any, servers: str, topic: str, folder: Path) -> None:
    from pyspark.sql import functions as sf

    source = session.readStream.format("kafka").option("kafka.bootstrap.servers", servers)
    records = source.option("subscribe", topic).option("startingOffsets", "earliest").load()
    parsed = sf.from_json(records.value.cast("string"), _SPARK_SCHEMA)["payload"]
    rows = records.select(parsed.alias("p")).select(
        "p.id", "p.item", "p.price", sf.timestamp_millis("p.at").alias("at")
    )
    writer = rows.writeStream.format("parquet").option("path", str(folder / "spark"))
    checkpoint = str(folder / "spark-checkpoint")
    query = writer.option("checkpointLocation", checkpoint).trigger(availableNow=True).start()
    query.awaitTermination()


def plain(servers: str, topic: str, rows: int, flush: int, endpoint: str) -> Cost:
    module = [sys.executable, "-m", "benchmarks.connect.plain_sink"]
    given = [servers, topic, str(rows), str(flush), endpoint, BUCKET]
    done = subprocess.run([*module, *given], check=True, capture_output=True, text=True)
    taken = json.loads(done.stdout)
    return Cost(float(taken["seconds"]), float(taken["cpu"]))


def measure(rows: int, flush: int) -> dict[str, Cost]:
    """What each way of writing them took."""
    with (
        tempfile.TemporaryDirectory() as home,
        KafkaService(Path(home) / "kafka") as kafka,
        S3Service(Path(home) / "s3") as s3,
    ):
        servers, folder = kafka.bootstrap_servers, Path(home)
        small, topic = fill(servers, 2 * flush), fill(servers, rows)
        headrace(Lake(servers, folder / "warm"), small, 2 * flush, flush)
        headrace(S3Lake(servers, folder / "warm-s3", s3), small, 2 * flush, flush)
        plain(servers, small, 2 * flush, flush, s3.endpoint)
        session = application.session({})
        spark_sink(session, servers, small, folder / "warm")
        s3_lake, folder_lake = S3Lake(servers, folder / "a", s3), Lake(servers, folder / "b")
        taken = {
            "headrace to S3": costs(lambda: headrace(s3_lake, topic, rows, flush)),
            "headrace to a folder": costs(lambda: headrace(folder_lake, topic, rows, flush)),
            "spark to a folder": costs(lambda: spark_sink(session, servers, topic, folder / "c")),
            "plain client to S3": plain(servers, topic, rows, flush, s3.endpoint),
        }
        application.stop()
        return taken


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--flush", type=int, default=100_000)
    given = parser.parse_args(arguments)
    entries = [
        {
            "writer": name,
            "rows": given.rows,
            "rows_per_s": round(given.rows / cost.wall),
            "cpu_s_per_million": round(cost.cpu / given.rows * 1e6, 2),
        }
        for name, cost in measure(given.rows, given.flush).items()
    ]
    keep(entries, ("writer",), RESULTS / "sink.json")
    for entry in entries:
        print(
            "{writer:24}{rows_per_s:12,} rows/s {cpu_s_per_million:8.2f} CPU s per million".format(
                **entry
            )
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
