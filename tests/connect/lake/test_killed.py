"""A worker is killed while it writes, with files that are cut by the clock: each record is in one file.

Once in every run; `--kills` (make soak) makes it more.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import uuid
from collections import Counter
from pathlib import Path

import pytest

from headrace.services.guard import own
from headrace.services.kafka import KafkaService
from headrace.testing.jobs import kill
from headrace.testing.lake import Lake, S3Lake
from headrace.testing.topics import create_topic, eventually, produce

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

RECORDS = 4000
KILLS = 1

# Both sinks in one process, as they are in a worker.
WORKER = """
import json, sys, threading
from headrace.connect.lake.connector import FolderSink, S3Sink
from headrace.connect.plugins import TaskContext

def run(connector, name, config, worker):
    context = TaskContext(name, 0, worker, lambda _: None, lambda _: None, lambda _: None)
    connector().run_task(config, context)

jobs = json.load(open(sys.argv[1]))
threads = [
    threading.Thread(target=run, args=({"s3": S3Sink, "folder": FolderSink}[kind], *rest))
    for kind, *rest in jobs
]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def numbers(lake: Lake) -> Counter[int]:
    return Counter(
        json.loads(line)["n"] for content in lake.files().values() for line in content.splitlines()
    )


def start(file: Path) -> subprocess.Popen[bytes]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(file)], start_new_session=True, **quiet
    )
    own(process)
    return process


def test_every_record_is_in_one_file(kafka_broker: KafkaService, s3_endpoint, tmp_path, request):
    kills = request.config.getoption("--kills") or KILLS
    servers, topic = kafka_broker.bootstrap_servers, f"k-{uuid.uuid4().hex[:8]}"
    create_topic(servers, topic, partitions=2)
    lakes = {"folder": Lake(servers, tmp_path), "s3": S3Lake(servers, tmp_path, s3_endpoint)}
    options = {
        "topics": topic,
        "flush_size": "130",
        "rotate_schedule_interval_ms": "500",
        "timezone": "UTC",
    }
    jobs = [
        (kind, lake.name, lake.config(**options), dict(lake.context().worker))
        for kind, lake in lakes.items()
    ]
    file = tmp_path / "jobs.json"
    file.write_text(json.dumps(jobs))

    produced = threading.Event()

    def write_slowly() -> None:
        for n in range(0, RECORDS, 20):
            produce(servers, topic, [(str(i), {"n": i}) for i in range(n, n + 20)])
        produced.set()

    writer = threading.Thread(target=write_slowly)
    writer.start()
    process = start(file)
    try:
        for part in range(1, kills + 1):
            wanted = part * RECORDS // (kills + 2)
            eventually(
                lambda: min(numbers(lake).total() for lake in lakes.values()),
                lambda seen, w=wanted: seen >= w,
            )
            kill(process)
            process = start(file)
        produced.wait()
        eventually(
            lambda: min(len(numbers(lake)) for lake in lakes.values()), lambda seen: seen == RECORDS
        )
    finally:
        kill(process)
        writer.join()
    for lake in lakes.values():
        assert numbers(lake) == Counter(range(RECORDS))
