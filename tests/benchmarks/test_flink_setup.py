from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest

from benchmarks import flink_setup
from benchmarks.flink_setup import CONNECTOR, VERSION, Flink, ensure_flink, extract_jars
from headrace.errors import EnvironmentFault
from headrace.toolchain.java import Java
from headrace.toolchain.progress import ProgressEvent

JAVA = Java(Path("/opt/java"), "17.0.1", has_compiler=True)


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    file = tmp_path / "flink.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("pyflink/lib/flink-dist.jar", b"dist")
        archive.writestr("pyflink/lib/README.txt", b"no jar")
        archive.writestr("pyflink/opt/flink-python.jar", b"not part of a cluster")
        archive.writestr("pyflink/lib/log4j-core.jar", b"log")
    return file


def test_the_jars_of_a_running_cluster_are_taken_from_the_wheel(wheel: Path, tmp_path: Path):
    library = tmp_path / "lib"
    library.mkdir()
    extract_jars(wheel, library)
    assert {file.name: file.read_bytes() for file in library.iterdir()} == {
        "flink-dist.jar": b"dist",
        "log4j-core.jar": b"log",
    }


def test_the_class_path_has_the_job_before_the_library():
    assert Flink(Path("/cache/flink"), JAVA).class_path == "/cache/flink/classes:/cache/flink/lib/*"


def test_the_connector_is_the_one_for_this_flink():
    (artifact,) = CONNECTOR.artifacts
    assert artifact.version.endswith("-" + VERSION.rpartition(".")[0])


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Steps of a set-up, each of which would need a network or a compiler."""
    done: list[str] = []

    def compile_sources(
        java: Java, sources: list[Path], classpath: object, to: Path, *, ecj: object
    ) -> str:
        to.mkdir()
        done.append(f"compile {sources[0].name}")
        return ""

    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
    monkeypatch.setattr(flink_setup, "find_java", lambda: JAVA)
    monkeypatch.setattr(flink_setup, "_download_libraries", lambda _: done.append("download"))
    monkeypatch.setattr(flink_setup, "_resolve_connector", lambda *_: done.append("resolve"))
    monkeypatch.setattr(flink_setup, "compile_sources", compile_sources)
    return done


def test_flink_is_set_up_once(steps: list[str], tmp_path: Path):
    events: list[ProgressEvent] = []
    first, second = ensure_flink(events.append), ensure_flink(events.append)
    assert steps == ["download", "resolve", "compile FlinkJob.java"]
    assert first == second
    assert first.folder.parent == tmp_path / "benchmarks"
    assert (first.folder / "classes").is_dir()
    assert [event.done for event in events] == [0, 1, 2, 3]
    assert events[-1].detail == str(first.folder)


def test_a_changed_job_runner_is_a_new_set_up(
    steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    first = ensure_flink()
    changed = tmp_path / "FlinkJob.java"
    changed.write_text("class FlinkJob {}")
    monkeypatch.setattr(flink_setup, "_SOURCE", changed)
    assert ensure_flink().folder != first.folder
    assert steps.count("download") == 2


def test_a_set_up_that_fails_leaves_nothing_behind(
    steps: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_: object) -> None:
        raise EnvironmentFault("no network")

    monkeypatch.setattr(flink_setup, "_resolve_connector", fail)
    with pytest.raises(EnvironmentFault, match="no network"):
        ensure_flink()
    assert [file.name for file in (tmp_path / "benchmarks").iterdir()] == ["lock"]


def test_a_download_that_fails_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    failed = subprocess.CompletedProcess([], 1, "", "WARNING: retrying\nERROR: no such package\n")
    monkeypatch.setattr(flink_setup.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(EnvironmentFault, match="ERROR: no such package") as caught:
        flink_setup._download_libraries(tmp_path)
    assert caught.value.condition == "FLINK_NOT_FOUND"
    assert "--engines headrace" in (caught.value.cure or "")
