from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest
from click.testing import CliRunner

from headrace.cli.demo import command, pageviews
from headrace.cli.demo.pageviews import Verdict
from headrace.cli.demo.pagila import run as pagila
from headrace.cli.demo.pagila.report import Report
from headrace.cli.demo.pagila.verdict import compare
from headrace.cli.demo.views import RegionCount, count_per_region, page_views
from headrace.errors import EnvironmentFault

A = RegionCount("a", 1, 1)


def demo(*arguments: str):
    return CliRunner().invoke(command, ["pageviews", *arguments])


@pytest.fixture
def outcome(monkeypatch):
    """Puts a made-up run in the place of the real one, and keeps what it was asked for."""
    asked = {}

    def make(result: Verdict | BaseException) -> dict[str, object]:
        def run(output, rows, seconds):
            asked.update(rows=rows, seconds=seconds)
            if isinstance(result, BaseException):
                raise result
            return result

        monkeypatch.setattr(pageviews, "run_demo", run)
        return asked

    return make


def test_rows_and_seconds_are_handed_on(outcome):
    asked = outcome(Verdict([A], [A]))
    assert demo("--rows", "5", "--seconds", "0.5").exit_code == 0
    assert asked == {"rows": 5, "seconds": 0.5}


def test_equal_is_success_and_different_is_not(outcome):
    outcome(Verdict([A], [A]))
    assert "equal:" in demo().stdout
    outcome(Verdict([], [A]))
    result = demo()
    assert (result.exit_code, "different:" in result.stdout) == (1, True)


def test_programs_get_both_tables(outcome):
    outcome(Verdict([], [A]))
    result = demo("--output", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert found == {
        "rows": [],
        "expected": [{"user_region": "a", "pv": 1, "uv": 1}],
        "equal": False,
    }


def test_an_interrupt_has_the_shell_s_exit_code(outcome):
    outcome(KeyboardInterrupt())
    assert demo().exit_code == 130


def test_a_broker_that_does_not_start_is_the_environment_s_fault(outcome):
    outcome(EnvironmentFault("kafka was not ready", condition="SERVICE_NOT_STARTED"))
    result = demo()
    assert result.exit_code == 3
    assert "[SERVICE_NOT_STARTED]" in result.stderr


@pytest.mark.parametrize("arguments", [("--rows", "0"), ("--seconds", "-1")])
def test_senseless_numbers_are_usage_errors(arguments):
    assert demo(*arguments).exit_code == 2


def test_a_missing_client_names_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)
    result = demo()
    assert result.exit_code == 3
    assert "pip install 'headrace[services]'" in result.stderr


def walk(monkeypatch, result, *arguments):
    def run(output):
        if isinstance(result, BaseException):
            raise result
        return result

    monkeypatch.setattr(pagila, "run_demo", run)
    return CliRunner().invoke(command, ["pagila", *arguments])


@pytest.mark.parametrize("equal", [True, False])
def test_the_walk_ends_with_its_verdict(monkeypatch, equal):
    check = compare("topic t", {1: {"id": 1}} if equal else {}, {1: {"id": 1}})
    report = Report({}, "lake", [], [], [check], 1.0)
    result = walk(monkeypatch, report)
    assert (result.exit_code, "equal: every row" in result.stdout) == (0 if equal else 1, equal)
    found = json.loads(walk(monkeypatch, report, "--output", "json").stdout)
    assert (found["equal"], found["checks"][0]["missing"]) == (equal, 0 if equal else 1)


def test_a_walk_that_is_interrupted_or_stalls_says_so(monkeypatch):
    assert walk(monkeypatch, KeyboardInterrupt()).exit_code == 130
    stalled = EnvironmentFault("the demo waited", condition="DEMO_STALLED")
    assert walk(monkeypatch, stalled).exit_code == 3


@pytest.mark.spark
@pytest.mark.services
@pytest.mark.slow
def test_the_whole_demo(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, "-m", "headrace.cli.main", "demo", "pageviews"),
            *("--rows", "1500", "--seconds", "1", "--output", "json"),
        ],
        capture_output=True,
        text=True,
        env=os.environ | {"HEADRACE_HOME": str(tmp_path / "home"), "TMPDIR": str(tmp_path)},
        timeout=500,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["equal"] is True
    assert found["rows"] == [row.to_dict() for row in count_per_region(page_views(1500))]
    assert not list(tmp_path.glob("headrace-demo-*")), "the broker's folder is gone"
