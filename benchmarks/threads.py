"""What a JVM spends besides the work itself: CPU-seconds of its compiler and collector threads.

Cold figures hold a good part of these, and the two engines hold different parts. Linux tells them by the names of
the threads; elsewhere nothing is known.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

COMPILING, COLLECTING = "compiling", "collecting"

# The kernel keeps the first 15 characters of a thread's name.
_KINDS = (
    ("C1 CompilerThre", COMPILING),
    ("C2 CompilerThre", COMPILING),
    ("GC Thread", COLLECTING),
    ("G1 ", COLLECTING),
    ("VM Thread", COLLECTING),
)

# Of `stat`, after the name in brackets: user and system time in clock ticks.
_USER_TIME, _SYSTEM_TIME = 11, 12


def overhead(pids: Iterable[int], proc: Path = Path("/proc")) -> dict[str, float]:
    """CPU-seconds so far by kind, over all threads that run now."""
    seconds: dict[str, float] = {}
    for pid in pids:
        for task in (proc / str(pid) / "task").glob("*"):
            with contextlib.suppress(OSError):
                kind = _kind((task / "comm").read_text(encoding="utf-8"))
                if kind is not None:
                    spent = _cpu_seconds((task / "stat").read_text(encoding="utf-8"))
                    seconds[kind] = seconds.get(kind, 0.0) + spent
    return seconds


def _kind(name: str) -> str | None:
    return next((kind for prefix, kind in _KINDS if name.startswith(prefix)), None)


def _cpu_seconds(stat: str) -> float:
    # A name may hold blanks and brackets itself, so counting starts after the last one.
    fields = stat.rpartition(")")[2].split()
    ticks = int(fields[_USER_TIME]) + int(fields[_SYSTEM_TIME])
    return ticks / os.sysconf("SC_CLK_TCK")
