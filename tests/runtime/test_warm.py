import os
import sys

import pytest

from headrace.errors import EnvironmentFault
from headrace.runtime import warm
from headrace.services.guard import guard


@pytest.fixture
def archive(tmp_path, monkeypatch):
    file = tmp_path / "classes" / "x.jsa"
    monkeypatch.setattr(warm, "class_archive", lambda _: file)
    return file


class Broker:
    bootstrap_servers = "broker:9092"

    def __init__(self, folder) -> None: ...

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None: ...


def test_classes_are_recorded_once(archive, monkeypatch):
    runs = []

    def run(folder, servers, draft):
        runs.append(servers)
        draft.write_bytes(b"classes")
        return ""

    monkeypatch.setattr(warm, "KafkaService", Broker)
    monkeypatch.setattr(warm, "_run", run)
    told = []
    assert warm.record_classes(told.append) == warm.record_classes() == archive
    assert archive.read_bytes() == b"classes"
    assert runs == ["broker:9092"]
    assert [event.done for event in told] == [0, 1]


def test_archives_of_jars_long_gone_are_forgotten(archive, monkeypatch):
    archive.parent.mkdir()
    for number in range(5):
        file = archive.parent / f"{number}.jsa"
        file.touch()
        os.utime(file, (number, number))
    monkeypatch.setattr(warm, "KafkaService", Broker)
    monkeypatch.setattr(warm, "_run", lambda _folder, _servers, draft: draft.touch() or "")
    warm.record_classes()
    left = sorted(file.name for file in archive.parent.glob("*.jsa"))
    assert left == ["3.jsa", "4.jsa", archive.name]
    assert len(left) == warm.KEPT


def test_a_job_that_leaves_no_archive_is_told_by_its_last_words(archive, monkeypatch):
    monkeypatch.setattr(warm, "KafkaService", Broker)
    monkeypatch.setattr(warm, "_run", lambda *_: "one\nno memory\n")
    with pytest.raises(EnvironmentFault) as caught:
        warm.record_classes()
    assert (caught.value.condition, caught.value.found) == ("CLASSES_NOT_RECORDED", "no memory")
    assert not archive.exists()


def test_the_job_is_told_to_record(tmp_path, monkeypatch):
    guard()
    python = tmp_path / "python"
    python.write_text(
        '#!/bin/sh\nfor last; do :; done; cat "$last"; echo "$2 $HEADRACE_HOME" >&2\n'
    )
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    text = warm._run(tmp_path, "broker:9092", tmp_path / "x.draft")
    assert text.endswith(f"-m {tmp_path / 'home'}\n")
    assert f"-XX:ArchiveClassesAtExit={tmp_path / 'x.draft'}" in text
    assert "'properties.bootstrap.servers' = 'broker:9092'" in text
    assert "{" not in text
