"""Ends processes when the process that started them is gone, even if that process was killed.

A guard is a process of its own. It reads from a pipe which processes to end, one line of JSON for each, and ends them when
the pipe closes: the kernel closes it together with the process that holds the other end, also after SIGKILL. This works on
Linux and macOS and runs no code between fork and exec, which would not be safe in a process with threads.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable
from typing import IO, Any

import psutil

from headrace.services.processes import Identity, identity_of, terminate

# How long a child may take to stop its jobs before it is killed.
CHILD_SECONDS = 10.0


class Guard:
    """The pipe to a guard process."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        # In a session of its own, since it must survive a Ctrl-C and a kill of its owner's process group.
        self._process = subprocess.Popen(
            # -P: a `select.py` in the user's folder is not Python's own.
            [sys.executable, "-P", "-m", "headrace.services.guard"],
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._process.stdin is not None
        self._pipe: IO[bytes] = self._process.stdin
        atexit.register(self.close)

    @property
    def is_usable(self) -> bool:
        """False after the guard was killed, and in a forked child: its end must not end what its parent started."""
        return self.owner == os.getpid() and self._process.poll() is None

    def add(self, identity: Identity, stop_signal: signal.Signals, patience: float) -> None:
        line = json.dumps([identity.pid, identity.created, int(stop_signal), patience])
        self._pipe.write(line.encode() + b"\n")

    def close(self) -> None:
        """Ends what still runs, and the guard."""
        if self.owner == os.getpid():
            self._pipe.close()
            self._process.wait()


_guards: list[Guard] = []
_lock = threading.Lock()


def guard() -> Guard:
    """The guard of this process, which is started on first use."""
    with _lock:
        if not _guards or not _guards[-1].is_usable:
            _guards.append(Guard())
        return _guards[-1]


def own(child: subprocess.Popen[Any], patience: float = CHILD_SECONDS) -> None:
    """Ends a child with this process. If the child leads a session, what it started in that session is killed too."""
    guard().add(identity_of(child.pid), signal.SIGTERM, patience)


def end_all(lines: Iterable[bytes]) -> None:
    """Ends the processes, the last one first, since later ones may use earlier ones."""
    for line in reversed(list(lines)):
        # A line without its end was being written when the owner was killed.
        if line.endswith(b"\n"):
            # One that cannot be ended, for example of another account, must not keep the others alive.
            with contextlib.suppress(OSError, psutil.Error):
                pid, created, stop_signal, patience = json.loads(line)
                terminate(Identity(pid, created), signal.Signals(stop_signal), patience)


if __name__ == "__main__":
    end_all(sys.stdin.buffer.readlines())
