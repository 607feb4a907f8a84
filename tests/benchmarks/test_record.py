from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks.record import keep, provenance

KEY = ("query", "scale")


@pytest.fixture
def results(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "latest.json"


def seconds(file: Path) -> list[tuple[str, int, float]]:
    return [(e["query"], e["scale"], e["seconds"]) for e in json.loads(file.read_text())]


def test_a_part_measured_again_leaves_the_other_figures(results: Path):
    first = [{"query": name, "scale": 1, "seconds": 5.0} for name in ("q1", "q2", "q3")]
    keep(first, KEY, results)
    keep(
        [{"query": "q2", "scale": 1, "seconds": 4.0}, {"query": "q2", "scale": 3, "seconds": 9.0}],
        KEY,
        results,
    )
    assert seconds(results) == [("q1", 1, 5.0), ("q2", 1, 4.0), ("q3", 1, 5.0), ("q2", 3, 9.0)]


def test_a_figure_names_the_command_and_commit_it_was_measured_with(
    results: Path, monkeypatch: pytest.MonkeyPatch
):
    keep([{"query": "q1", "scale": 1, "seconds": 5.0}], KEY, results)
    options = ["--queries", "q2", "--note", "two words"]
    monkeypatch.setattr(sys, "orig_argv", ["/usr/bin/python3", "-m", "benchmarks", *options])
    keep([{"query": "q2", "scale": 1, "seconds": 5.0}], KEY, results)
    old, new = json.loads(results.read_text())
    assert new["command"] == "python -m benchmarks --queries q2 --note 'two words'"
    assert old["command"] != new["command"]
    assert new["commit"] == provenance()["commit"]
