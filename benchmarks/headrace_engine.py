"""Headrace as an engine of the benchmark: its defaults, with the heap and the cores that Flink gets too."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import HEAP, Measurement, measure
from benchmarks.topics import PARTITIONS

NAME = "headrace"
VARIANTS = ("default",)

_REPOSITORY = Path(__file__).parent.parent

# The sources beside this file are measured, whichever are installed.
_IMPORT_PATH = os.pathsep.join((str(_REPOSITORY), str(_REPOSITORY / "src")))


def settings(recording: Path | None) -> dict[str, str]:
    chosen = {
        "parallelism.default": str(PARTITIONS),
        "spark.master": f"local[{PARTITIONS}]",
        "spark.driver.memory": HEAP,
    }
    if recording is not None:
        chosen["spark.driver.extraJavaOptions"] = flight_recorder(recording)
    return chosen


def flight_recorder(recording: Path) -> str:
    return f"-XX:StartFlightRecording=filename={recording},settings=profile"


def run(
    statements: Sequence[str],
    variant: str,
    scratch: Path,
    *,
    neighbours: Sequence[int],
    recording: Path | None = None,
) -> Measurement:
    assert variant in VARIANTS
    script, chosen = scratch / "script.json", scratch / "settings.json"
    script.write_text(json.dumps(list(statements)), encoding="utf-8")
    chosen.write_text(json.dumps(settings(recording)), encoding="utf-8")
    return measure(
        [sys.executable, "-m", "benchmarks.headrace_job", str(script), str(chosen)],
        scratch / "headrace.log",
        environment={"HEADRACE_HOME": str(scratch / "home"), "PYTHONPATH": _IMPORT_PATH},
        neighbours=neighbours,
    )
