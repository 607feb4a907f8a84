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


@pytest.mark.parametrize("arguments", [("--rows", "0"), ("--seconds", "-1")])
def test_senseless_numbers_are_usage_errors(arguments):
    assert CliRunner().invoke(command, ["pageviews", *arguments]).exit_code == 2


def test_a_missing_client_names_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)
    result = CliRunner().invoke(command, ["pageviews"])
    assert result.exit_code == 3
    assert "pip install 'headrace[services]'" in result.stderr


EQUAL, WRONG = (compare(place, {}, rows) for place, rows in (("t", {}), ("u", {1: {"id": 1}})))


@pytest.mark.parametrize(
    ("name", "module", "result"),
    [
        ("pageviews", pageviews, Verdict([], [RegionCount("a", 1, 1)])),
        ("pagila", pagila, Report({}, "lake", [], [], [], [EQUAL, WRONG, EQUAL], 1.0)),
    ],
)
def test_one_difference_is_a_failure(monkeypatch, name, module, result):
    """No demo that works ends like this, so that its exit code would say nothing."""
    monkeypatch.setattr(module, "run_demo", lambda *_: result)
    done = CliRunner().invoke(command, [name])
    assert (done.exit_code, "different:" in done.stdout) == (1, True)


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
