from __future__ import annotations

import json

import pytest

from benchmarks.latency import main, percentile


@pytest.mark.parametrize(("share", "value"), [(0.5, 51), (0.99, 100), (1.0, 100), (0.0, 1)])
def test_percentiles_are_values_that_were_measured(share, value):
    assert percentile(list(range(100, 0, -1)), share) == value


@pytest.mark.soak
@pytest.mark.slow
@pytest.mark.services
def test_a_job_is_measured(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("benchmarks.latency.WARM_UP_SECONDS", 0.5)
    results = tmp_path / "latency.json"
    options = ["--jobs", "stateless", "--rate", "100", "--seconds", "2", "--starts", "2"]
    assert main([*options, "--results", str(results)]) == 0
    (figure,) = json.loads(results.read_text())
    assert figure["samples"] >= 5
    assert 0 < figure["p50_ms"] <= figure["p99_ms"] <= figure["max_ms"]
    assert figure["start_up_s"] > 0
    assert "| stateless |" in capsys.readouterr().out
