from __future__ import annotations

import json

import pytest

from benchmarks.latency import JOBS, Latency, main, parse, percentile, script, table


@pytest.mark.parametrize(("share", "value"), [(0.5, 51), (0.99, 100), (1.0, 100), (0.0, 1)])
def test_percentiles_are_values_that_were_measured(share, value):
    assert percentile(list(range(100, 0, -1)), share) == value


@pytest.mark.parametrize("job", JOBS)
def test_each_job_is_a_script(job):
    text = script(job, "broker:1", "in", "out")
    assert ("real-time" in text) == (job == "real-time")
    assert ("COUNT(DISTINCT" in text) == (job == "stateful")
    assert "'topic' = 'in'" in text
    assert "'topic' = 'out'" in text
    assert "{" not in text


def test_a_table_of_figures():
    lines = table([Latency("stateful", 1500, 101.4, 299.9, 310.0, 8.46)]).splitlines()
    assert lines[0].startswith("| job | probes | p50 ms")
    assert lines[-1] == "| stateful | 1,500 | 101 | 300 | 310 | 8.5 |"


def test_options():
    given = parse(["--jobs", "stateful,real-time", "--rate", "50", "--seconds", "3"])
    assert (given.jobs, given.rate, given.seconds) == (["stateful", "real-time"], 50, 3.0)
    assert given.starts == 3


def test_an_unknown_job_is_named(capsys):
    with pytest.raises(SystemExit):
        parse(["--jobs", "stateful,fast"])
    assert "unknown job 'fast'; there are stateful, stateless, real-time" in capsys.readouterr().err


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
