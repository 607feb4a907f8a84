import os

import pytest

from headrace.runtime import warm
from headrace.runtime.session import class_archive
from headrace.toolchain.paths import cache_folder


@pytest.mark.services
@pytest.mark.slow
def test_the_archive_is_recorded_and_every_session_looks_for_it_there(monkeypatch, tmp_path):
    """`make install` succeeds without the archive, so no other test notices that it is missing."""
    for name in ("jars", "operators"):
        (tmp_path / name).symlink_to(cache_folder(name))
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))
    archive = warm.record_classes()
    assert archive.is_file()
    assert archive == class_archive()
    assert [file.name for file in archive.parent.glob("*.draft")] == []


def test_archives_of_jars_long_gone_are_forgotten(tmp_path):
    for number in range(5):
        file = tmp_path / f"{number}.jsa"
        file.touch()
        os.utime(file, (number, number))
    warm._forget_old(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["2.jsa", "3.jsa", "4.jsa"]
