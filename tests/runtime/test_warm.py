import os
from dataclasses import replace

import pytest

from headrace.errors import EnvironmentFault
from headrace.runtime import warm
from headrace.runtime.session import class_archive
from headrace.toolchain.java import find_java
from headrace.toolchain.paths import cache_folder


@pytest.fixture
def no_archive(monkeypatch, tmp_path):
    """A cache with all jars and without an archive."""
    for name in ("jars", "operators"):
        (tmp_path / name).symlink_to(cache_folder(name))
    monkeypatch.setenv("HEADRACE_CACHE", str(tmp_path))


@pytest.mark.spark
def test_a_runtime_that_cannot_record_classes_is_reported_before_a_job_runs(
    no_archive, monkeypatch, tmp_path
):
    java = replace(find_java(), home=tmp_path / "jre")
    monkeypatch.setattr(warm, "find_java", lambda: java)
    monkeypatch.setattr(warm, "_run", lambda *_: pytest.fail("it runs a job"))
    with pytest.raises(EnvironmentFault) as caught:
        warm.record_classes()
    assert caught.value.condition == "CLASSES_NOT_RECORDED"
    assert f"{java.executable} -Xshare:dump" in caught.value.cure


@pytest.mark.services
@pytest.mark.slow
def test_the_archive_is_recorded_and_every_session_looks_for_it_there(no_archive):
    """`make install` succeeds without the archive, so no other test notices that it is missing."""
    archive = warm.record_classes()
    assert archive.is_file()
    assert archive == class_archive()
    assert [file.name for file in archive.parent.glob("*.draft")] == []


@pytest.mark.services
def test_the_archive_of_a_job_that_failed_is_not_kept(no_archive, monkeypatch):
    def failed(folder, servers, draft):
        draft.parent.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(b"classes")
        return 3, "[BROKER_UNREACHABLE] no broker answers"

    monkeypatch.setattr(warm, "_run", failed)
    with pytest.raises(EnvironmentFault, match="could not be recorded"):
        warm.record_classes()
    assert not class_archive().exists()


def test_archives_of_jars_long_gone_are_forgotten(tmp_path):
    for number in range(5):
        file = tmp_path / f"{number}.jsa"
        file.touch()
        os.utime(file, (number, number))
    warm._forget_old(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["2.jsa", "3.jsa", "4.jsa"]
