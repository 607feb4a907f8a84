"""Where a run's task time went: the samples of a flight recording by area.

    python -m benchmarks --queries q3 --engines headrace --jfr FOLDER
    python -m benchmarks.profile FOLDER/q3-headrace-default-x1.jfr

Samples are of running Java code; compiler and collector threads are in the figures of the run (`compiling_cpu_s`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from headrace.errors import EnvironmentFault
from headrace.toolchain.java import find_java

# Innermost frame first, the first entry that fits names the area; frames of the JDK belong to whoever called them.
AREAS: Sequence[tuple[str, str]] = (
    ("headrace/formats", "decode and encode JSON"),
    ("com/fasterxml", "decode and encode JSON"),
    ("org/rocksdb", "state store"),
    ("org/apache/spark/sql/execution/streaming/state", "state store"),
    ("org/apache/spark/sql/kafka010", "read from Kafka"),
    ("org/apache/kafka/clients/consumer", "read from Kafka"),
    ("org/apache/kafka/common/record", "read from Kafka"),
    ("org/apache/kafka/clients/producer", "write to Kafka"),
    ("headrace/kafka", "write to Kafka"),
    ("headrace/operators", "operators"),
    ("org/apache/spark/sql/execution/UnsafeExternalRowSorter", "sort"),
    ("org/apache/spark/sql/execution/SortExec", "sort"),
    ("org/apache/spark/util/collection/unsafe/sort", "sort"),
    ("org/apache/spark/shuffle", "shuffle"),
    ("org/apache/spark/sql/execution/UnsafeRowSerializer", "shuffle"),
    ("org/codehaus/janino", "generate code"),
    ("org/codehaus/commons", "generate code"),
    ("org/apache/spark/sql/catalyst/expressions/codegen/CodeGenerator", "generate code"),
    ("org/apache/spark/sql/catalyst", "rows and expressions"),
)

ELSEWHERE = "other"

# Spark's threads that run tasks; planning and start-up run on others.
_TASK_THREADS = "Executor task launch worker"

# Deep enough to reach the caller below a task's chain of iterators.
_DEPTH = 64


def profile(samples: Iterable[Mapping[str, Any]]) -> tuple[Counter[str], Counter[str]]:
    """Samples of tasks by area and by innermost method."""
    areas: Counter[str] = Counter()
    methods: Counter[str] = Counter()
    for sample in samples:
        frames = _frames(sample)
        if frames and _thread(sample).startswith(_TASK_THREADS):
            areas[area_of(frames)] += 1
            methods[frames[0]] += 1
    return areas, methods


def area_of(frames: Sequence[str]) -> str:
    for frame in frames:
        for prefix, area in AREAS:
            if frame.startswith(prefix):
                return area
    return ELSEWHERE


def _thread(sample: Mapping[str, Any]) -> str:
    return str((sample.get("sampledThread") or {}).get("javaName") or "")


def _frames(sample: Mapping[str, Any]) -> list[str]:
    methods = [frame["method"] for frame in (sample.get("stackTrace") or {}).get("frames", ())]
    return [f"{method['type']['name']}.{method['name']}" for method in methods]


def read_samples(recording: Path) -> list[Mapping[str, Any]]:
    """Through the JDK's own reader of recordings."""
    tool = find_java().home / "bin" / "jfr"
    events = ["--events", "jdk.ExecutionSample", "--stack-depth", str(_DEPTH)]
    done = subprocess.run(
        [str(tool), "print", "--json", *events, str(recording)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise EnvironmentFault(
            "the recording cannot be read",
            condition="RECORDING_NOT_READ",
            where=str(recording),
            found=(done.stdout + done.stderr).strip()[:300],
        )
    return [event["values"] for event in json.loads(done.stdout)["recording"]["events"]]


def render(counts: Counter[str], most: int) -> str:
    total = counts.total() or 1
    return "\n".join(f"{n / total:6.1%}  {name}" for name, n in counts.most_common(most))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.profile", description=__doc__)
    parser.add_argument("recording", type=Path)
    areas, methods = profile(read_samples(parser.parse_args(arguments).recording))
    print(f"{areas.total()} samples of tasks\n{render(areas, len(AREAS))}\n\n{render(methods, 15)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
