from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from headrace.cli import doctor
from headrace.cli.checks import Check
from headrace.cli.main import cli
from headrace.toolchain.coordinates import SETS

GOOD = Check("java", "ok", "17.0.15")
ODD = Check("jars: spark", "warning", "not fetched yet", "fetch them")
BAD = Check("pyspark", "failed", "3.5.0", "pip install it")


@pytest.fixture
def findings(monkeypatch):
    def give(*checks: Check) -> None:
        monkeypatch.setattr(doctor, "run_checks", lambda: iter(checks))

    return give


def run(*arguments: str):
    return CliRunner().invoke(cli, ["doctor", *arguments])


def test_a_healthy_machine_is_exit_code_zero(findings):
    findings(GOOD)
    result = run()
    assert result.exit_code == 0
    assert result.stdout.split() == ["✓", "java", "17.0.15"]


def test_a_warning_does_not_fail(findings):
    findings(GOOD, ODD)
    result = run()
    assert result.exit_code == 0
    assert "cure: fetch them" in result.stdout


def test_a_failure_is_exit_code_three(findings):
    findings(GOOD, BAD)
    result = run()
    assert result.exit_code == 3
    assert "✗" in result.stdout
    assert "cure: pip install it" in result.stdout


def test_json_has_the_verdict_and_every_finding(findings):
    findings(GOOD, BAD)
    result = run("--output", "json")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert document["ok"] is False
    assert document["checks"] == [GOOD.to_dict(), BAD.to_dict()]


def test_the_jars_are_listed_with_reasons():
    document = json.loads(run("--jars", "--output", "json").stdout)
    rows = document["artifacts"]
    assert {row["set"] for row in rows} == set(SETS)
    assert all(row["reason"] for row in rows)
    token = [row for row in rows if "token-provider" in row["artifact"]]
    assert [row["state"] for row in token] == ["used", "left out"]


def test_the_jars_as_text_hold_coordinates():
    assert "org.apache.kafka:kafka_2.13:4.1.1" in run("--jars").stdout


def test_every_verdict_has_a_mark():
    assert {check.state for check in (GOOD, ODD, BAD)} == set(doctor.MARKS)


def test_a_real_examination_runs(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    result = run("--output", "json")
    names = {check["name"] for check in json.loads(result.stdout)["checks"]}
    assert {"python", "java", "pyspark", "operators", "ports", "service: kafka"} <= names


def test_brackets_in_a_finding_are_shown(findings):
    findings(Check("pyspark", "failed", "missing", "pip install 'headrace[spark]'"))
    assert "pip install 'headrace[spark]'" in run().stdout


def test_findings_keep_their_order(findings):
    findings(BAD, GOOD, ODD)
    names = [line.split()[1] for line in run().stdout.splitlines() if "cure:" not in line]
    assert names == ["pyspark", "java", "jars:"]


def test_a_cure_stands_below_its_finding(findings):
    findings(ODD, GOOD)
    first, second, third = run().stdout.splitlines()
    assert "not fetched yet" in first
    assert "fetch them" in second
    assert "java" in third
