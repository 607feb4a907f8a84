"""One process at a time over a cache folder, and folders that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any


def lock(file: IO[Any], *, wait: bool = True) -> bool:
    """Locks an open file until it is closed or the process ends. Returns False if another process holds the lock."""
    # Windows lacks this module, and `headrace check` and `explain`, which lock nothing, run there.
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def exclusive(lock_file: Path, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Holds the lock while the block runs; the kernel frees it when the process dies.

    Calls `waiting` once if another process holds the lock.
    """
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    with lock_file.open("a") as handle:
        if waiting is not None and not lock(handle, wait=False):
            waiting()
        lock(handle)
        yield


@contextmanager
def appearing_folder(target: Path) -> Iterator[Path]:
    """A temporary folder beside `target` that takes its place when the block succeeds."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    try:
        yield draft
        # mkdtemp makes folders private; the cache may be shared between users of a group.
        draft.chmod(0o755)
        shutil.rmtree(target, ignore_errors=True)
        os.replace(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def create_once(target: Path, fill: Callable[[Path], None]) -> Path:
    """Returns the folder, which `fill` writes if it does not exist. Other processes wait and never see half of it."""
    if not target.is_dir():
        with exclusive(target.with_name(f".{target.name}.lock")):
            if not target.is_dir():
                with appearing_folder(target) as draft:
                    fill(draft)
    return target
