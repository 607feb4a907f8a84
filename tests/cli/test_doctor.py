from __future__ import annotations

import json
import os

from click.testing import CliRunner

from headrace.cli.main import cli


def run(*arguments: str):
    return CliRunner().invoke(cli, ["doctor", *arguments])


def test_the_jars_as_text_hold_coordinates():
    assert "org.apache.kafka:kafka_2.13:4.1.1" in run("--jars").stdout


def test_a_warning_does_not_fail(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    result = run()
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("!"))
    assert "cure: " in lines[at + 1]


def test_a_failure_is_exit_code_three(monkeypatch, tmp_path):
    """Root may write to every folder, hence the answer of the system is changed."""
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "access", lambda path, mode: path != tmp_path)
    result = run("--output", "json")
    assert result.exit_code == 3
    document = json.loads(result.stdout)
    assert document["ok"] is False
    states = {check["name"]: check["state"] for check in document["checks"]}
    assert (states["HEADRACE_HOME"], states["python"]) == ("failed", "ok")
    assert {"java", "pyspark", "operators", "ports", "service: kafka"} <= states.keys()
