from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from headrace.errors import EnvironmentFault
from headrace.toolchain.compiler import compile_sources, write_jar
from headrace.toolchain.jars import ensure
from headrace.toolchain.java import find_java

GOOD = (
    "package demo;\npublic final class Twice { public static long of(long x) { return 2 * x; } }\n"
)
BAD = "package demo;\npublic final class Twice { public static long of(long x) { return y; } }\n"
# Class files of Java 17 carry this number in bytes 6 and 7.
CLASS_FILE_17 = 61


@pytest.fixture(params=["JDK", "jar"])
def compiler_jar(request) -> Path | None:
    """Each test runs with both compilers."""
    if request.param == "jar":
        return ensure("compiler")[0]
    if not find_java().has_compiler:
        pytest.skip("no JDK on this machine")
    return None


def source(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "Twice.java"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.spark
def test_sources_become_class_files_for_java_17(tmp_path, compiler_jar):
    warnings = compile_sources(
        find_java(), [source(tmp_path, GOOD)], [], tmp_path / "out", compiler_jar=compiler_jar
    )
    compiled = (tmp_path / "out" / "demo" / "Twice.class").read_bytes()
    assert compiled[:4] == b"\xca\xfe\xba\xbe"
    assert int.from_bytes(compiled[6:8], "big") == CLASS_FILE_17
    assert warnings == ""


@pytest.mark.spark
def test_the_first_error_is_told_with_its_line(tmp_path, compiler_jar):
    with pytest.raises(EnvironmentFault) as caught:
        compile_sources(
            find_java(), [source(tmp_path, BAD)], [], tmp_path / "out", compiler_jar=compiler_jar
        )
    error = caught.value
    assert error.condition == "OPERATORS_NOT_COMPILED"
    assert "Twice.java" in error.found
    assert "y" in error.found
    assert len(error.render().splitlines()) <= 5


@pytest.mark.spark
def test_sources_are_utf_8_whatever_the_locale(tmp_path, compiler_jar, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    text = 'package demo;\npublic final class Twice { static final String NAME = "Ünïcode"; }\n'
    compile_sources(
        find_java(), [source(tmp_path, text)], [], tmp_path / "out", compiler_jar=compiler_jar
    )
    assert "Ünïcode".encode() in (tmp_path / "out" / "demo" / "Twice.class").read_bytes()


@pytest.mark.spark
def test_the_class_path_is_used(tmp_path, compiler_jar):
    compile_sources(
        find_java(), [source(tmp_path, GOOD)], [], tmp_path / "first", compiler_jar=compiler_jar
    )
    write_jar(tmp_path / "twice.jar", [tmp_path / "first"])
    user = tmp_path / "User.java"
    user.write_text("final class User { long four = demo.Twice.of(2); }\n")
    compile_sources(
        find_java(),
        [user],
        [tmp_path / "twice.jar"],
        tmp_path / "second",
        compiler_jar=compiler_jar,
    )
    assert (tmp_path / "second" / "User.class").exists()


def fill(root: Path, **files: str) -> Path:
    for name, text in files.items():
        target = root / name.replace("__", "/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    return root


def test_equal_content_gives_equal_bytes(tmp_path):
    write_jar(tmp_path / "1.jar", [fill(tmp_path / "x", b="2", a__c="1")])
    write_jar(tmp_path / "2.jar", [fill(tmp_path / "y", a__c="1", b="2")])
    assert (tmp_path / "1.jar").read_bytes() == (tmp_path / "2.jar").read_bytes()


def test_a_jar_has_a_manifest_first_and_all_roots(tmp_path):
    write_jar(
        tmp_path / "1.jar",
        [fill(tmp_path / "x", k="1"), fill(tmp_path / "y", r__s="2"), tmp_path / "absent"],
    )
    with zipfile.ZipFile(tmp_path / "1.jar") as jar:
        assert jar.namelist() == ["META-INF/MANIFEST.MF", "k", "r/s"]
        assert jar.read("META-INF/MANIFEST.MF").startswith(b"Manifest-Version: 1.0")
        assert jar.read("r/s") == b"2"


def test_a_manifest_among_the_resources_is_kept(tmp_path):
    root = tmp_path / "x" / "META-INF"
    root.mkdir(parents=True)
    (root / "MANIFEST.MF").write_text("Own: yes\n")
    write_jar(tmp_path / "1.jar", [tmp_path / "x"])
    with zipfile.ZipFile(tmp_path / "1.jar") as jar:
        assert jar.namelist() == ["META-INF/MANIFEST.MF"]
        assert jar.read("META-INF/MANIFEST.MF") == b"Own: yes\n"
