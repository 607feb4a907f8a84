from __future__ import annotations

import threading
from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault, UnknownName
from headrace.toolchain import jars
from headrace.toolchain.coordinates import COMPILER_SET, SETS
from headrace.toolchain.progress import ProgressEvent


def test_a_set_is_resolved_into_a_folder_of_its_own(cache, fake_java):
    found = jars.ensure("compiler")
    assert [jar.name for jar in found] == ["a-1.jar", "b-2.jar"]
    assert {jar.parent for jar in found} == {cache / "jars" / f"compiler-{COMPILER_SET.digest}"}


def test_the_second_call_starts_no_java(cache, fake_java, monkeypatch):
    first = jars.ensure("compiler")
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("PATH", "")
    assert jars.ensure("compiler") == first
    assert fake_java.runs == 1


def test_sets_do_not_mix(cache, fake_java):
    jars.ensure("compiler")
    fake_java.answer(["c-3.jar"])
    assert [jar.name for jar in jars.ensure("broker")] == ["c-3.jar"]
    assert [jar.name for jar in jars.ensure("compiler")] == ["a-1.jar", "b-2.jar"]


def test_a_deleted_jar_is_fetched_again(cache, fake_java):
    jars.ensure("compiler")[0].unlink()
    assert jars.cached(COMPILER_SET) is None
    assert all(jar.is_file() for jar in jars.ensure("compiler"))
    assert fake_java.runs == 2


def test_a_folder_without_its_marker_does_not_count(cache, fake_java):
    folder = jars.folder_of(COMPILER_SET)
    folder.mkdir(parents=True)
    (folder / "half.jar").touch()
    assert "half.jar" not in {jar.name for jar in jars.ensure("compiler")}


def test_concurrent_calls_resolve_once(cache, fake_java):
    results: list[list[Path]] = []
    threads = [
        threading.Thread(target=lambda: results.append(jars.ensure("compiler"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(results) == 4
    assert all(result == results[0] for result in results)
    assert fake_java.runs == 1


def test_a_failure_leaves_no_folder_behind(cache, fake_java):
    fake_java.answer(["a-1.jar"], ":: org.example#thing;1.0: not found", code=1)
    with pytest.raises(EnvironmentFault, match=r"org\.example:thing:1\.0"):
        jars.ensure("compiler")
    assert not jars.folder_of(COMPILER_SET).exists()
    assert not [entry for entry in (cache / "jars").iterdir() if entry.name.startswith(".compiler")]


def test_after_a_failure_the_next_call_tries_again(cache, fake_java):
    fake_java.answer([], "no", code=1)
    with pytest.raises(EnvironmentFault):
        jars.ensure("compiler")
    fake_java.answer(["a-1.jar"])
    assert [jar.name for jar in jars.ensure("compiler")] == ["a-1.jar"]


def test_progress_begins_with_the_purpose_and_ends_complete(cache, fake_java):
    events: list[ProgressEvent] = []
    jars.ensure("compiler", events.append)
    assert COMPILER_SET.purpose in events[0].detail
    assert events[-1].finished
    assert "2 jars" in events[-1].detail


def test_an_unknown_set_is_refused_before_anything_runs(cache, fake_java):
    with pytest.raises(UnknownName):
        jars.ensure("sparc")
    assert fake_java.runs == 0


def test_without_java_the_error_is_about_java(cache, monkeypatch):
    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(EnvironmentFault) as caught:
        jars.ensure("compiler")
    assert caught.value.condition == "JAVA_NOT_USABLE"


def test_every_known_set_has_its_own_folder(cache):
    assert len({jars.folder_of(jar_set) for jar_set in SETS.values()}) == len(SETS)
