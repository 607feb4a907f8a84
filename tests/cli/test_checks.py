from __future__ import annotations

import json
import os
import sys
import zipfile

import pytest

from headrace.cli import checks
from headrace.errors import EnvironmentFault
from headrace.toolchain import coordinates
from headrace.toolchain.java import Java, find_java


@pytest.fixture(autouse=True)
def fresh(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    for variable in ("PYSPARK_PYTHON", "SPARK_HOME", "HEADRACE_POSTGRES_URL"):
        monkeypatch.delenv(variable, raising=False)


def only(findings):
    (finding,) = findings
    return finding


def test_python_is_the_one_that_runs():
    finding = only(checks.check_python())
    assert finding.state == "ok"
    assert sys.executable in finding.detail


@pytest.mark.parametrize(("has_compiler", "word"), [(True, "(javac)"), (False, "runtime only")])
def test_java_tells_the_compiler(monkeypatch, tmp_path, has_compiler, word):
    monkeypatch.setattr(checks, "find_java", lambda: Java(tmp_path, "17.0.9", has_compiler, "PATH"))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    finding = only(checks.check_java())
    assert "17.0.9" in finding.detail
    assert word in finding.detail


def test_a_java_home_without_a_usable_java_is_a_warning(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(find_java().home / "bin"), prepend=os.pathsep)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    found = [one for one in checks.check_java() if one.name == "JAVA_HOME"]
    assert [(one.state, str(tmp_path) in one.detail) for one in found] == [("warning", True)]
    monkeypatch.setenv("JAVA_HOME", found[0].cure.partition("=")[2])
    assert only(checks.check_java()).state == "ok"


def test_the_right_pyspark_is_ok():
    assert only(checks.check_spark()).state == "ok"


def test_another_pyspark_fails_with_the_pip_line(monkeypatch):
    monkeypatch.setattr(checks, "spark_version", lambda: "3.5.0")
    finding = only(checks.check_spark())
    assert finding.state == "failed"
    assert finding.cure == f"pip install pyspark=={coordinates.SPARK}"


def test_a_foreign_spark_home_is_a_warning(monkeypatch, tmp_path):
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    _, finding = checks.check_spark()
    assert (finding.state, finding.cure) == ("warning", "unset SPARK_HOME")


def test_pysparks_own_home_is_no_warning(monkeypatch):
    monkeypatch.setenv("SPARK_HOME", str(checks.spark_jars_folder().parent))
    assert only(checks.check_spark()).state == "ok"


def test_workers_run_this_python():
    finding = only(checks.check_workers())
    assert (finding.state, finding.detail) == ("ok", sys.executable)


@pytest.mark.parametrize("name", [sys.executable, ""])
def test_a_variable_that_says_the_same_or_nothing_is_ok(monkeypatch, name):
    monkeypatch.setenv("PYSPARK_PYTHON", name)
    assert only(checks.check_workers()).state == "ok"


@pytest.mark.parametrize("name", ["/usr/bin/python2", "python3"])
def test_a_variable_that_is_not_used_is_a_warning(monkeypatch, name):
    monkeypatch.setenv("PYSPARK_PYTHON", name)
    finding = only(checks.check_workers())
    assert finding.state == "warning"
    assert f"PYSPARK_PYTHON={name} is not used" in finding.detail
    assert sys.executable in finding.detail
    assert finding.cure == "unset PYSPARK_PYTHON"


def test_jar_sets_that_are_not_there_are_warnings_with_the_command():
    findings = list(checks.check_jars())
    assert {finding.name for finding in findings} == {f"jars: {name}" for name in coordinates.SETS}
    for wanted, finding in zip(coordinates.SETS.values(), findings, strict=True):
        assert finding.state == ("ok" if wanted.on_demand else "warning")
        assert f"headrace dev fetch {wanted.name}" in f"{finding.detail} {finding.cure}"


def test_jar_sets_that_are_there_are_ok(monkeypatch):
    monkeypatch.setattr(checks.jars, "is_present", lambda file, verify=False: "frgaal" in file.path)
    states = {finding.name: finding for finding in checks.check_jars()}
    assert states["jars: compiler"].detail.startswith("downloaded to ")
    assert states["jars: spark"].state == "warning"


def test_a_damaged_jar_of_a_set_on_demand_is_a_warning(monkeypatch):
    """Commands compare sizes, so the first one that needs the set would not replace it."""
    monkeypatch.setattr(
        checks.jars,
        "is_present",
        lambda file, verify=False: not (verify and "debezium-connector-postgres" in file.path),
    )
    found = {finding.name: finding for finding in checks.check_jars()}
    assert found["jars: debezium"].state == "warning"
    assert found["jars: debezium"].cure == "headrace dev fetch debezium"
    assert found["jars: connect"].state == "ok"


def test_operators_are_whole_damaged_or_to_be_compiled(monkeypatch, tmp_path):
    jar = tmp_path / "operators.jar"
    monkeypatch.setattr(checks.operators, "existing_jar", lambda: None)
    assert only(checks.check_operators()).state == "warning"
    with zipfile.ZipFile(jar, "w") as entries:
        entries.writestr("A.class", "content")
    monkeypatch.setattr(checks.operators, "existing_jar", lambda: jar)
    assert only(checks.check_operators()).state == "ok"
    jar.write_bytes(jar.read_bytes().replace(b"content", b"c0ntent"))
    found = only(checks.check_operators())
    assert (found.state, found.cure) == ("failed", checks.PREPARE)


def test_folders_are_shown_and_not_created(tmp_path):
    findings = list(checks.check_folders())
    assert [finding.name for finding in findings] == ["HEADRACE_CACHE", "HEADRACE_HOME"]
    assert str(tmp_path / "cache") in findings[0].detail
    assert not (tmp_path / "cache").exists()


def test_a_folder_that_cannot_be_written_to_fails(monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert {finding.state for finding in checks.check_folders()} == {"failed"}


def test_a_folder_below_a_file_fails_and_services_there_are_stopped(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("HEADRACE_HOME", str(tmp_path / "file/home"))
    assert [finding.state for finding in checks.check_folders()] == ["ok", "failed"]
    assert {finding.detail for finding in checks.check_services()} == {"stopped"}


def test_a_full_disk_is_a_warning(monkeypatch):
    monkeypatch.setattr(checks, "_SPACE_WANTED", 2**80)
    assert {finding.state for finding in checks.check_folders()} == {"warning"}


def test_ports_that_cannot_be_bound_fail(monkeypatch):
    assert only(checks.check_ports()).state == "ok"
    monkeypatch.setattr(checks.ports, "is_free", lambda port: False)
    assert only(checks.check_ports()).state == "failed"


def test_a_stale_service_is_a_warning_with_the_command(tmp_path):
    folder = tmp_path / "home" / "services" / "kafka"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps({"pid": 2**22 + 1}))
    findings = {finding.name: finding for finding in checks.check_services()}
    assert findings["service: kafka"].state == "warning"
    assert findings["service: kafka"].cure == "headrace dev up kafka"
    assert findings["service: s3"].detail == "stopped"


def test_an_error_inside_a_check_is_a_finding_and_the_rest_goes_on(monkeypatch):
    def broken():
        raise EnvironmentFault("no usable Java", found="25 at /x", cure="install 17")
        yield

    monkeypatch.setitem(checks.CHECKS, "java", broken)
    findings = {finding.name: finding for finding in checks.run_checks()}
    assert findings["java"] == checks.Check(
        "java", "failed", "no usable Java: 25 at /x", "install 17"
    )
    assert findings["python"].state == "ok"
    assert "service: s3" in findings


def test_a_finding_without_a_cure_has_no_such_key():
    assert checks.Check("a", "ok", "b").to_dict() == {"name": "a", "state": "ok", "detail": "b"}
