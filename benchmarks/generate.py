"""Loads the input of queries into a broker and writes their exact answers.

    python -m benchmarks.generate q1 q3 --bootstrap 127.0.0.1:9092 --answers FOLDER [--scale 1]

The runner does the same for itself; this is for looking at one query by hand.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import topics
from benchmarks.queries import QUERIES, Query, query_named
from benchmarks.workloads import Answer, workload


@dataclass(frozen=True, slots=True)
class Loaded:
    """A query's input in the broker."""

    query: Query
    scale: float
    rows: int
    topics: dict[str, str]
    answer_file: Path

    def answer(self) -> Answer:
        answer: Answer = json.loads(self.answer_file.read_text(encoding="utf-8"))
        return answer


def topic_name(base: str, scale: float) -> str:
    """Two scales can be in one broker."""
    return f"{base}-x{scale:g}"


def load(query: Query, scale: float, servers: str, answers: Path) -> Loaded:
    made = workload(query.name, scale)
    answers.mkdir(parents=True, exist_ok=True)
    file = answers / f"{topic_name(query.name, scale)}.json"
    file.write_text(json.dumps(made.answer), encoding="utf-8")
    names = {dataset.topic: topic_name(dataset.topic, scale) for dataset in made.datasets}
    rows = sum(
        topics.fill(servers, names[dataset.topic], dataset.records()) for dataset in made.datasets
    )
    return Loaded(query, scale, rows, names, file)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.generate", description=__doc__)
    parser.add_argument("queries", nargs="*", default=list(QUERIES))
    parser.add_argument("--bootstrap", required=True)
    parser.add_argument("--answers", required=True, type=Path)
    parser.add_argument("--scale", type=float, default=1.0)
    given = parser.parse_args(arguments)
    for query in map(query_named, given.queries):
        loaded = load(query, given.scale, given.bootstrap, given.answers)
        print(f"{query.name}: {loaded.rows:,} rows in {', '.join(loaded.topics.values())}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
