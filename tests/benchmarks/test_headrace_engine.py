from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from benchmarks import flink_engine, headrace_engine
from benchmarks.measure import HEAP, Measurement


def test_headrace_gets_the_cores_and_the_heap_that_flink_gets(tmp_path: Path):
    ours = headrace_engine.settings(None)
    theirs = flink_engine.settings("plain", tmp_path)
    assert ours["parallelism.default"] == theirs["parallelism.default"]
    assert ours["spark.master"] == f"local[{theirs['parallelism.default']}]"
    assert ours["spark.driver.memory"] == HEAP


def test_nothing_else_is_tuned():
    assert set(headrace_engine.settings(None)) == {
        "parallelism.default",
        "spark.master",
        "spark.driver.memory",
    }


def test_a_recording_is_asked_of_the_jvm(tmp_path: Path):
    options = headrace_engine.settings(tmp_path / "q3.jfr")["spark.driver.extraJavaOptions"]
    assert options.startswith("-XX:StartFlightRecording=")
    assert str(tmp_path / "q3.jfr") in options


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What `measure` is called with."""
    seen: dict[str, Any] = {}

    def measure(command: list[str], log: Path, **options: Any) -> Measurement:
        seen.update(command=command, log=log, **options)
        return Measurement({"seconds": 1.0})

    monkeypatch.setattr(headrace_engine, "measure", measure)
    return seen


def test_the_job_runs_in_a_fresh_python_with_a_home_of_its_own(
    measured: dict[str, Any], tmp_path: Path
):
    headrace_engine.run(["CREATE …", "INSERT …"], "default", tmp_path, neighbours=[42])
    python, *arguments = measured["command"]
    assert python == sys.executable
    assert arguments[:2] == ["-m", "benchmarks.headrace_job"]
    assert measured["environment"]["HEADRACE_HOME"] == str(tmp_path / "home")
    root, sources = map(Path, measured["environment"]["PYTHONPATH"].split(os.pathsep))
    assert (root / "benchmarks" / "run.py").is_file()
    assert (sources / "headrace" / "__init__.py").is_file()
    assert measured["neighbours"] == [42]


def test_statements_and_settings_are_handed_over_as_files(measured: dict[str, Any], tmp_path: Path):
    headrace_engine.run(["CREATE 'ä'", "INSERT …"], "default", tmp_path, neighbours=[])
    script, settings = (json.loads(Path(file).read_text()) for file in measured["command"][-2:])
    assert script == ["CREATE 'ä'", "INSERT …"]
    assert settings == headrace_engine.settings(None)
