"""Measures the JDBC source, each part in a worker that has run a connector before.

    python -m benchmarks.connect [--parts snapshot,latency,many,mixed] [--rows 5000000] [--tables 200] [--seconds 60]

snapshot   a table into a topic as JSON, from the request that makes the connector to the last record in the topic, beside a
           plain client from its first statement to its last acknowledgement
latency    one changed row at a time at poll.interval.ms=1000, from its commit to the consumer
many       one row a second in each of many tables of one connector, from commit to consumer, and how far behind it was at the end
mixed      the same with tables of which no two have the same columns
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psycopg

from benchmarks import topics
from benchmarks.connect import tables
from benchmarks.connect.watch import Count, Notes
from benchmarks.connect.worker import PATIENCE_SECONDS, Worker, running, source, wait
from benchmarks.latency import percentile
from benchmarks.record import RESULTS, keep
from headrace.errors import HeadraceError
from headrace.services.kafka import KafkaService
from headrace.services.postgres import PostgresService

PARTS = ("snapshot", "latency", "many", "mixed")
CONNECT = RESULTS / "connect.json"

# Enough for a worker to load what a connector needs, and to compile what it does over and over.
_WARM_UP_ROWS = 200_000

# A snapshot of five million rows on a busy machine takes a few minutes.
_SNAPSHOT_SECONDS = 1800.0

_CURSOR = {"mode": "timestamp+incrementing", "incrementing_column_name": "id", "timestamp_column_name": "changed"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Figure:
    part: str
    who: str
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a run takes place."""

    url: str
    servers: str
    worker: Worker


@contextmanager
def place() -> Iterator[Place]:
    with (
        tempfile.TemporaryDirectory(prefix="headrace-connect-") as name,
        KafkaService(Path(name) / "kafka") as broker,
        PostgresService(Path(name) / "postgres") as postgres,
        running(broker.bootstrap_servers, Path(name)) as worker,
    ):
        found = Place(postgres.url, broker.bootstrap_servers, worker)
        tables.make(found.url, "warm_up", _WARM_UP_ROWS)
        copied(found, "warm_up", _WARM_UP_ROWS)
        yield found


def copied(place: Place, table: str, rows: int) -> tuple[float, float]:
    """The seconds that a connector takes for a table, and the worker's CPU-seconds."""
    topics.create(place.servers, f"bench.{table}")
    count = Count(place.servers, f"bench.{table}")
    began, used = time.monotonic(), place.worker.cpu_seconds()
    place.worker.run(table, source(place.url, table_whitelist=table, **_CURSOR))

    def done() -> bool:
        place.worker.check(table)
        return count() >= rows

    wait(done, _SNAPSHOT_SECONDS)
    took = time.monotonic() - began, place.worker.cpu_seconds() - used
    count.close()
    place.worker.remove(table)
    return took


def snapshot(place: Place, rows: int) -> Iterator[Figure]:
    tables.make(place.url, "orders", rows)
    # The file cache of the first reader is the second's gain: the table is read once before either.
    with psycopg.connect(place.url) as connection:
        connection.execute("SELECT count(md5(orders::text)) FROM orders")
    yield _rate("plain client", rows, *plain(place, rows))
    yield _rate("headrace", rows, *copied(place, "orders", rows))


def plain(place: Place, rows: int) -> tuple[float, float]:
    topics.create(place.servers, "plain")
    command = [sys.executable, "-m", "benchmarks.connect.plain_client"]
    done = subprocess.run(
        [*command, place.url, place.servers, "orders", "plain"],
        check=True,
        capture_output=True,
        text=True,
    )
    report = json.loads(done.stdout)
    assert report["rows"] == rows
    return float(report["seconds"]), float(report["cpu_s"])


def _rate(who: str, rows: int, seconds: float, cpu: float) -> Figure:
    facts = {
        "rows": rows,
        "seconds": round(seconds, 2),
        "rows_per_s": round(rows / seconds),
        "cpu_s": round(cpu, 2),
    }
    return Figure("snapshot", who, facts)


def latency(place: Place, seconds: float) -> Iterator[Figure]:
    yield _followed(place, "latency", {"probe": ""}, seconds, pause=1.0)


def many(place: Place, part: str, number: int, seconds: float) -> Iterator[Figure]:
    own = "own_{}" if part == "mixed" else ""
    names = {f"{part}_{n}": own.format(n) for n in range(number)}
    yield _followed(place, part, names, seconds, pause=1.0)


def _followed(
    place: Place, part: str, made: Mapping[str, str], seconds: float, pause: float
) -> Figure:
    """Changes every table once per pause, at moments that the connector's polls know nothing of. `made` are tables, each with a column of
    its own or none."""
    names = list(made)
    for name, own in made.items():
        tables.make(place.url, name, own=own)
        topics.create(place.servers, f"bench.{name}")
    notes = Notes(place.servers, [f"bench.{name}" for name in names])
    notes.start()
    options = {"poll_interval_ms": "1000", "table_whitelist": ",".join(names)}
    used = place.worker.cpu_seconds()
    place.worker.run(part, source(place.url, **options, **_CURSOR))
    try:
        sent = _fed(place, part, names, seconds, pause, notes)
        cpu = place.worker.cpu_seconds() - used
    finally:
        notes.stop()
        place.worker.remove(part)
    return Figure(part, "headrace", {**_spread(sent, notes.seen, len(names)), "cpu_s": round(cpu)})


def _fed(
    place: Place, part: str, names: Sequence[str], seconds: float, pause: float, notes: Notes
) -> dict[str, float]:
    sent: dict[str, float] = {}
    with psycopg.connect(place.url, autocommit=True) as connection:
        tables.touch(connection, names[0], "first")
        wait(lambda: "first" in notes.seen)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            time.sleep(random.uniform(0.5, 1.5) * pause)
            for name in names:
                note = f"{name}-{len(sent)}"
                tables.touch(connection, name, note)
                sent[note] = time.time()
    last = set(list(sent)[-len(names) :])
    wait(lambda: last <= notes.seen.keys(), PATIENCE_SECONDS)
    place.worker.check(part)
    return sent


def _spread(sent: dict[str, float], seen: dict[str, float], number: int) -> dict[str, float]:
    """Changes that a later one overtook between two polls are never seen, and are counted apart."""
    took = [(seen[note] - at) * 1000 for note, at in sent.items() if note in seen]
    last = list(sent)[-number:]
    first: dict[str, float] = {}
    for note in sorted(sent.keys() & seen.keys(), key=seen.__getitem__):
        first.setdefault(note.rpartition("-")[0], seen[note])
    behind = max(seen[note] for note in last) - max(sent[note] for note in last)
    return {
        "tables": number,
        "changes": len(sent),
        "overtaken": len(sent) - len(took),
        "p50_ms": round(percentile(took, 0.5)),
        "p99_ms": round(percentile(took, 0.99)),
        "max_ms": round(max(took)),
        "first_rows_after_s": round(max(first.values()) - min(sent.values()), 2),
        "behind_at_end_s": round(behind, 2),
    }


def table(figures: Sequence[Figure]) -> str:
    lines = ["| part | who | figures |", "|---|---|---|"]
    for figure in figures:
        facts = ", ".join(f"{name} {value:,}" for name, value in figure.facts.items())
        lines.append(f"| {figure.part} | {figure.who} | {facts} |")
    return "\n".join(lines)


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.connect", description=(__doc__ or "").split("\n")[0])  # fmt: skip
    parser.add_argument("--parts", default=",".join(PARTS), help="default: %(default)s")
    parser.add_argument("--rows", type=int, default=5_000_000, help="default: %(default)s")
    parser.add_argument("--tables", type=int, default=200, help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=60.0, help="default: %(default)s")
    parser.add_argument("--results", type=Path, default=CONNECT, help="file for the figures")
    given = parser.parse_args(arguments)
    given.parts = given.parts.split(",")
    if unknown := [name for name in given.parts if name not in PARTS]:
        parser.error(f"unknown part '{unknown[0]}'; there are {', '.join(PARTS)}")
    return given


def measured(given: argparse.Namespace) -> Iterator[Figure]:
    with place() as found:
        if "snapshot" in given.parts:
            yield from snapshot(found, given.rows)
        if "latency" in given.parts:
            yield from latency(found, given.seconds)
        for part in ("many", "mixed"):
            if part in given.parts:
                yield from many(found, part, given.tables, given.seconds)


def main(arguments: Sequence[str] | None = None) -> int:
    given = parse(arguments)
    try:
        figures = list(measured(given))
    except HeadraceError as error:
        sys.stderr.write(f"{error.render()}\n")
        return error.exit_code
    keep(map(asdict, figures), ("part", "who"), given.results)
    print(table(figures))
    return 0
