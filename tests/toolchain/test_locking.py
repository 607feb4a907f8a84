from __future__ import annotations

import subprocess
import sys
import threading

import pytest

from headrace.toolchain.locking import appearing_folder, exclusive


def test_a_second_holder_waits_for_the_first(tmp_path):
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        waiting.set()
        with exclusive(tmp_path / "lock"):
            order.append("second")

    with exclusive(tmp_path / "lock"):
        thread = threading.Thread(target=second)
        thread.start()
        waiting.wait(10)
        order.append("first")
    thread.join(10)
    assert order == ["first", "second"]


def test_the_lock_of_a_dead_process_is_free(tmp_path):
    program = (
        "import os, sys; from pathlib import Path; from headrace.toolchain.locking import exclusive\n"
        "with exclusive(Path(sys.argv[1])): os._exit(9)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "deep" / "lock")], check=False
    )
    assert done.returncode == 9
    with exclusive(tmp_path / "deep" / "lock"):
        pass


def test_a_folder_appears_with_its_content(tmp_path):
    target = tmp_path / "new" / "folder"
    with appearing_folder(target) as draft:
        (draft / "file").write_text("x")
        assert not target.exists()
    assert (target / "file").read_text() == "x"
    assert [entry.name for entry in target.parent.iterdir()] == ["folder"]


def test_a_failure_leaves_nothing(tmp_path):
    def half_done() -> None:
        with appearing_folder(tmp_path / "folder") as draft:
            (draft / "file").write_text("x")
            raise ValueError("half done")

    with pytest.raises(ValueError, match="half"):
        half_done()
    assert list(tmp_path.iterdir()) == []


def test_an_old_folder_is_replaced_whole(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    (target / "stale").touch()
    with appearing_folder(target) as draft:
        (draft / "fresh").touch()
    assert [entry.name for entry in target.iterdir()] == ["fresh"]


def test_an_old_folder_survives_a_failed_replacement(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    (target / "kept").touch()
    with pytest.raises(RuntimeError), appearing_folder(target):
        raise RuntimeError
    assert (target / "kept").exists()


def test_others_may_read_the_folder(tmp_path):
    with appearing_folder(tmp_path / "folder"):
        pass
    assert (tmp_path / "folder").stat().st_mode & 0o777 == 0o755
