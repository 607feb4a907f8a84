"""How long a change takes from the record to the consumer of the answer, and how long a job takes to begin.

    python -m benchmarks.latency [--jobs stateful,stateless,real-time] [--rate 1000] [--seconds 30] [--starts 3]

A job is started as a user does (`headrace run`), fed at a steady rate, and its sink is read by a consumer that waits.
Probes among the records have keys of their own: a probe's latency is the time from its record's timestamp to the moment
its row is consumed. Beginning takes as long as the first row out is behind the command; the figure is the median of some starts.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from confluent_kafka import Consumer, Producer, TopicPartition

from benchmarks import topics
from benchmarks.record import RESULTS, keep
from headrace.errors import EnvironmentFault, HeadraceError
from headrace.services.kafka import KafkaService

JOBS = ("stateful", "stateless", "real-time")

LATENCIES = RESULTS / "latency.json"

# One record in this many is a probe: enough for percentiles, too few to change the load.
PROBE_EVERY = 20

# The JIT compiler is busy with a new job for about this long; figures are of a job that runs.
WARM_UP_SECONDS = 60.0

# A job that has not answered for so long never will.
_PATIENCE_SECONDS = 120.0

_SOURCE = """CREATE TABLE views (user_id BIGINT, user_region STRING) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = '{servers}', 'format' = 'json', 'scan.startup.mode' = 'earliest-offset');"""
_COUNTS = """CREATE TABLE answer (user_region STRING, pv BIGINT, uv BIGINT, PRIMARY KEY (user_region) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{sink}', 'properties.bootstrap.servers' = '{servers}',
  'key.format' = 'json', 'value.format' = 'json');
INSERT INTO answer SELECT user_region, COUNT(*), COUNT(DISTINCT user_id) FROM views GROUP BY user_region;"""
_COPY = """CREATE TABLE answer (user_region STRING, user_id BIGINT) WITH ('connector' = 'kafka', 'topic' = '{sink}',
  'properties.bootstrap.servers' = '{servers}', 'key.format' = 'json', 'key.fields' = 'user_region', 'value.format' = 'json');
INSERT INTO answer SELECT user_region, user_id FROM views WHERE user_id >= 0;"""
_REAL_TIME = "SET 'headrace.execution.mode' = 'real-time';\n"


@dataclass(frozen=True, slots=True)
class Latency:
    job: str
    samples: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    start_up_s: float


def script(job: str, servers: str, source: str, sink: str) -> str:
    names = {"servers": servers, "source": source, "sink": sink}
    query = _COUNTS if job == "stateful" else _COPY
    setting = _REAL_TIME if job == "real-time" else ""
    return setting + (_SOURCE + "\n" + query).format(**names)


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of all are not above (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


class Feed(threading.Thread):
    """Writes records at a steady rate until it is stopped; notes when each probe was written."""

    def __init__(self, servers: str, topic: str, rate: int) -> None:
        super().__init__(daemon=True)
        self.sent: dict[str, float] = {}
        self._producer = Producer({"bootstrap.servers": servers, "linger.ms": 0, "log_level": 4})
        self._topic = topic
        self._rate = rate
        self._stopped = threading.Event()

    def run(self) -> None:
        began, number = time.time(), 0
        while not self._stopped.is_set():
            due = int((time.time() - began) * self._rate)
            while number < due:
                self._send(number)
                number += 1
            self._producer.poll(0.001)
        self._producer.flush(_PATIENCE_SECONDS)

    def _send(self, number: int) -> None:
        region = f"region-{number % 50}"
        if number % PROBE_EVERY == 0:
            region = f"probe-{number}"
            self.sent[region] = time.time()
        value = json.dumps({"user_id": number * 7919 % 100_000, "user_region": region})
        self._producer.produce(self._topic, value, partition=number % topics.PARTITIONS)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


class Watch(threading.Thread):
    """Consumes the sink; notes when each key was first seen."""

    def __init__(self, servers: str, topic: str) -> None:
        super().__init__(daemon=True)
        self.seen: dict[str, float] = {}
        self._consumer = Consumer(
            {
                "bootstrap.servers": servers,
                "group.id": "latency",
                "enable.auto.commit": False,
                "fetch.wait.max.ms": 1,
                "log_level": 4,
            }
        )
        self._consumer.assign([TopicPartition(topic, n, 0) for n in range(topics.PARTITIONS)])
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.is_set():
            message = self._consumer.poll(0.05)
            if message is not None and message.error() is None:
                self.seen.setdefault(json.loads(message.key() or "{}")["user_region"], time.time())
        self._consumer.close()

    def await_all(self, keys: Iterable[str], process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _PATIENCE_SECONDS
        while not all(key in self.seen for key in keys):
            if process.poll() is not None or time.monotonic() > deadline:
                raise EnvironmentFault("the job does not answer", condition="BENCHMARK_FAILED")
            time.sleep(0.05)

    def stop(self) -> None:
        self._stopped.set()
        self.join()


@dataclass(frozen=True, slots=True)
class Running:
    process: subprocess.Popen[bytes]
    start_up_s: float


@contextmanager
def running(text: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    file = folder / "job.sql"
    file.write_text(text, encoding="utf-8")
    environment = {**os.environ, "HEADRACE_HOME": str(folder / "home")}
    command = [sys.executable, "-m", "headrace.cli.main", "run", str(file)]
    with (folder / "job.log").open("wb") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


@contextmanager
def begun(job: str, servers: str, folder: Path) -> Iterator[tuple[Watch, str, Running]]:
    """A job that has given its first row, who reads its answers, the topic that it reads, and how it is."""
    folder.mkdir()
    source, sink = f"views-{folder.name}", f"answer-{folder.name}"
    topics.fill(servers, source, [(None, '{"user_id": 1, "user_region": "first"}')])
    topics.create(servers, sink)
    watch = Watch(servers, sink)
    watch.start()
    at = time.time()
    try:
        with running(script(job, servers, source, sink), folder) as process:
            watch.await_all(["first"], process)
            yield watch, source, Running(process, watch.seen["first"] - at)
    finally:
        watch.stop()


def start_up(job: str, servers: str, folder: Path) -> float:
    with begun(job, servers, folder) as (_, _, run):
        return run.start_up_s


def measure(
    job: str, servers: str, folder: Path, *, rate: int, seconds: float, starts: int
) -> Latency:
    took_up = [start_up(job, servers, folder / f"{job}-{n}") for n in range(1, starts)]
    with begun(job, servers, folder / job) as (watch, source, run):
        feed = Feed(servers, source, rate)
        feed.start()
        time.sleep(WARM_UP_SECONDS)
        warm = time.time()
        time.sleep(seconds)
        feed.stop()
        watch.await_all(feed.sent, run.process)
    took = [(watch.seen[probe] - at) * 1000 for probe, at in feed.sent.items() if at > warm]
    return Latency(
        job,
        len(took),
        round(percentile(took, 0.5), 1),
        round(percentile(took, 0.99), 1),
        round(max(took), 1),
        round(statistics.median([*took_up, run.start_up_s]), 1),
    )


def table(figures: Sequence[Latency]) -> str:
    lines = [
        "| job | probes | p50 ms | p99 ms | max ms | first output after s |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {f.job} | {f.samples:,} | {f.p50_ms:.0f} | {f.p99_ms:.0f} | {f.max_ms:.0f} | {f.start_up_s:.1f} |"
        for f in figures
    ]
    return "\n".join(lines)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.latency", description=__doc__.splitlines()[0])
    parser.add_argument("--jobs", default=",".join(JOBS), help="default: %(default)s")
    parser.add_argument("--rate", type=int, default=1000, help="records a second (default: 1000)")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long (default: 30)")
    parser.add_argument("--starts", type=int, default=3, help="of each job (default: 3)")
    parser.add_argument("--results", type=Path, default=LATENCIES, help="file for the figures")
    given = parser.parse_args(arguments)
    given.jobs = given.jobs.split(",")
    if unknown := [name for name in given.jobs if name not in JOBS]:
        parser.error(f"unknown job '{unknown[0]}'; there are {', '.join(JOBS)}")
    return given


def measured(given: argparse.Namespace) -> Iterator[Latency]:
    with (
        tempfile.TemporaryDirectory(prefix="headrace-latency-") as folder,
        KafkaService(Path(folder) / "kafka") as broker,
    ):
        for job in given.jobs:
            yield measure(
                job,
                broker.bootstrap_servers,
                Path(folder),
                rate=given.rate,
                seconds=given.seconds,
                starts=given.starts,
            )


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(arguments)
    try:
        figures = list(measured(given))
    except HeadraceError as error:
        sys.stderr.write(f"{error.render()}\n")
        return error.exit_code
    keep(map(asdict, figures), ("job",), given.results)
    print(table(figures))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
