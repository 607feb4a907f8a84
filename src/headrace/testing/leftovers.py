"""Ends what a test run leaves behind when it is killed.

Services and jobs lead sessions of their own, so no signal to pytest reaches them. Everything that a run starts inherits a
variable; a small process that outlives the run looks for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Iterator

import psutil

VARIABLE = "HEADRACE_TEST_RUN"


@contextlib.contextmanager
def ended_with_us() -> Iterator[None]:
    """Whatever is started in this block ends with it, also when this process is killed."""
    before = os.environ.get(VARIABLE)
    mark = uuid.uuid4().hex
    # Its standard input ends with the last process that holds the other end, which is only this one.
    watcher = subprocess.Popen(
        [sys.executable, "-m", "headrace.testing.leftovers", mark],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )
    os.environ[VARIABLE] = mark
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
        watcher.communicate()


def marked(mark: str) -> list[psutil.Process]:
    """The processes that were started with this mark."""
    found = []
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error):
            if process.environ().get(VARIABLE) == mark:
                found.append(process)
    return found


def kill_marked(mark: str) -> None:
    """More than once: a process may start another one while its end is near."""
    while found := marked(mark):
        for process in found:
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(found, timeout=10)


def main() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.read()
    kill_marked(sys.argv[1])


if __name__ == "__main__":
    main()
