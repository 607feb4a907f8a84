from __future__ import annotations

import re

import pytest

from headrace.errors import InternalError
from headrace.toolchain import lock_file
from headrace.toolchain.coordinates import PLATFORM, PROTOC_SET, SETS, SPARK_SET
from headrace.toolchain.lock_file import LOCK_FILE, LockedFile, locked_files, parse, render


@pytest.mark.parametrize("wanted", SETS.values(), ids=lambda wanted: wanted.name)
def test_every_set_is_locked_as_its_coordinates_are(wanted):
    files = locked_files(wanted)
    assert {a.path for a in wanted.artifacts if a.platform in (None, PLATFORM)} <= {
        file.path for file in files
    }
    assert all(file.size > 0 and re.fullmatch(r"[0-9a-f]{64}", file.sha256) for file in files)


def test_the_lock_of_other_coordinates_is_an_error(monkeypatch, tmp_path):
    stale = tmp_path / "jars.lock"
    stale.write_text(LOCK_FILE.read_text().replace(SPARK_SET.digest, "0123456789ab"))
    monkeypatch.setattr(lock_file, "LOCK_FILE", stale)
    with pytest.raises(InternalError) as caught:
        locked_files(SPARK_SET)
    assert (caught.value.condition, caught.value.cure) == ("JARS_LOCK_STALE", "run: make lock")


def test_files_of_other_platforms_are_locked_and_left_out():
    every = parse(LOCK_FILE.read_text())["protoc"].files
    assert len(every) == 4
    assert len(locked_files(PROTOC_SET)) == 1


def test_what_is_written_is_read_again():
    file = LockedFile("org/example/a/1.0/a-1.0.jar", 12, "ab" * 32)
    text = render({SPARK_SET: [file]})
    locked = parse(text)["spark"]
    assert (locked.digest, locked.files) == (SPARK_SET.digest, (file,))


def test_a_file_is_named_by_its_coordinate():
    file = LockedFile("org/example/some/a-b/1.0-rc/a-b-1.0-rc-all.jar", 1, "")
    assert file.coordinate == "org.example.some:a-b:1.0-rc"
    assert file.name == "a-b-1.0-rc-all.jar"
