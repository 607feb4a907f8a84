from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import headrace_job
from benchmarks.queries import SINK, query_named


def batch(second: int, millis: int, rows: int) -> dict[str, Any]:
    operator = {"operatorName": "normalize", "allUpdatesTimeMs": 30, "commitTimeMs": 4}
    return {
        "timestamp": f"2026-01-01T00:00:{second:02d}.500Z",
        "sources": [{"metrics": {"records": str(rows)}}, {"metrics": {"records": "5"}}],
        "durationMs": {"addBatch": millis - 10, "triggerExecution": millis},
        "stateOperators": [operator],
    }


def test_seconds_run_from_the_first_batch_to_the_end_of_the_last():
    summary = headrace_job.summary([batch(1, 4_000, 10), batch(6, 2_250, 20)])
    assert summary["seconds"] == pytest.approx(7.25)
    assert summary["batches"] == 2
    assert summary["input_rows"] == 25


def test_phases_of_all_batches_are_added_up():
    summary = headrace_job.summary([batch(1, 4_000, 10), batch(6, 2_000, 20)])
    assert summary["phases_ms"] == {"addBatch": 5_980, "triggerExecution": 6_000}
    assert summary["state_ms"] == {
        "normalize.allUpdatesTimeMs": 60,
        "normalize.commitTimeMs": 8,
    }


def test_a_job_without_state_has_none_to_report():
    stateless = batch(1, 1_000, 5) | {"stateOperators": []}
    assert headrace_job.summary([stateless])["state_ms"] == {}


def test_a_query_that_cannot_be_planned_is_reported_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    query = query_named("q1")
    script, settings = tmp_path / "script.json", tmp_path / "settings.json"
    topics = {name: name for name in (*query.inputs, SINK)}
    *tables, insert = query.statements("127.0.0.1:1", topics)
    script.write_text(json.dumps([*tables, f"{insert} ORDER BY 1"]))
    settings.write_text("{}")
    monkeypatch.setattr("sys.argv", ["headrace_job", str(script), str(settings)])
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    monkeypatch.setattr(headrace_job, "spark_session", None)
    assert headrace_job.main() == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert "ORDER BY" in json.loads(line)["unsupported"]
