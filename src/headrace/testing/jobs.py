"""Scripts run as a user runs them, in a process of their own that a test can kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from headrace.services.guard import own


@contextmanager
def running_script(
    script: Path, home: Path, *, variables: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """`headrace run`, killed at the end of the block if it still runs. What lies beside the script can be imported."""
    search = filter(None, (str(script.parent), os.environ.get("PYTHONPATH")))
    places = {"HEADRACE_HOME": str(home), "PYTHONPATH": os.pathsep.join(search)}
    process = subprocess.Popen(
        [sys.executable, "-m", "headrace.cli.main", "run", str(script), "--output", "json"],
        env=os.environ | places | dict(variables or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    own(process)
    try:
        yield process
    finally:
        kill(process)


def kill(process: subprocess.Popen[bytes]) -> None:
    """Ends it and its JVM without a chance to put anything in order."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
