import os
from pathlib import Path

import pytest

from headrace.toolchain.class_archive import archive_file, reading, recording
from headrace.toolchain.java import Java


@pytest.fixture
def jars(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path / "cache"))
    files = [tmp_path / "a.jar", tmp_path / "b.jar"]
    for file in files:
        file.write_bytes(b"content")
        os.utime(file, ns=(1, 1))
    return files


JAVA = Java(Path("/java"), "17.0.1", True, "PATH")


def test_the_same_java_and_jars_have_the_same_archive(jars, tmp_path):
    archive = archive_file(JAVA, jars)
    assert archive == archive_file(JAVA, jars)
    assert archive.parent == tmp_path / "cache" / "classes"
    assert archive.suffix == ".jsa"


def test_what_java_would_refuse_has_another_archive(jars):
    """Java maps an archive only under the runtime and the jars, in order and untouched, that it was made with."""
    before = archive_file(JAVA, jars)
    others = [
        archive_file(Java(Path("/java"), "21.0.1", True, "PATH"), jars),
        archive_file(Java(Path("/other"), "17.0.1", True, "PATH"), jars),
        archive_file(JAVA, jars[::-1]),
        archive_file(JAVA, jars[:1]),
    ]
    os.utime(jars[0], ns=(2, 2))
    others.append(archive_file(JAVA, jars))
    assert len({before, *others}) == 6


def test_a_new_archive_of_java_s_own_classes_has_another_archive(jars, tmp_path):
    java = Java(tmp_path / "jre", "17.0.1", True, "PATH")
    java.base_archive.parent.mkdir(parents=True)
    java.base_archive.write_bytes(b"dumped")
    before = archive_file(java, jars)
    java.base_archive.write_bytes(b"dumped again")
    assert archive_file(java, jars) != before


def test_an_archive_is_read_only_where_it_is(tmp_path):
    archive = tmp_path / "a.jsa"
    assert reading(archive) == []
    archive.touch()
    assert reading(archive)[0] == f"-XX:SharedArchiveFile={archive}"


def test_java_says_nothing_about_it_on_standard_output(tmp_path):
    archive = tmp_path / "a.jsa"
    assert recording(archive) == [f"-XX:ArchiveClassesAtExit={archive}", "-Xlog:disable"]
    archive.touch()
    assert reading(archive)[-1] == "-Xlog:disable"
