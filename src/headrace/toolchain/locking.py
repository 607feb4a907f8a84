"""One process at a time over a cache folder, and folders that appear whole or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def exclusive(lock_file: Path) -> Iterator[None]:
    """Hold the lock while the block runs; the kernel frees it when the process dies."""
    lock_file.parent.mkdir(parents=True, exist_ok=True)
    with lock_file.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
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
