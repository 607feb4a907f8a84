"""One engine in one fresh process, measured from outside and alike for every engine.

The process prints JSON lines: first `{"ready": true}` when it could submit its job, then, after a line on its standard
input, what it measured itself (`seconds` from the first work to the last commit). It stays until its input is closed,
so that its CPU time and memory can be read whole. `{"unsupported": "…"}` in place of either line ends it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from benchmarks.threads import overhead
from headrace.errors import EnvironmentFault

# Both engines get the same.
HEAP = "4g"

# The slowest run at scale 3 takes some minutes; one that takes longer than this will not end.
RUN_LIMIT_SECONDS = 1800.0

# Memory of a JVM grows over seconds; reading it costs microseconds.
_SAMPLE_SECONDS = 0.2

_EXIT_SECONDS = 60.0

_MEGABYTE = 1_000_000


class EngineFailed(EnvironmentFault):
    """The process ended, or was ended, before it reported a result; `found` is the end of what it printed."""

    condition = "ENGINE_FAILED"


@dataclass(frozen=True, slots=True)
class Usage:
    """`wall_seconds` from submission to end; `others_share`: of all cores, what neither engine nor broker used;
    `overhead`: the part of the CPU-seconds that went into compiling and collecting garbage."""

    wall_seconds: float
    cpu_seconds: float
    peak_rss_mb: int
    others_share: float
    overhead: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Measurement:
    """What the engine said of its run, and what was seen from outside; `unsupported` is why it did not run."""

    report: Mapping[str, Any]
    usage: Usage | None = None
    unsupported: str | None = None


class Meter:
    """CPU time and memory of a process with its descendants, while the block runs."""

    def __init__(self, pid: int, neighbours: Sequence[int] = ()) -> None:
        root = psutil.Process(pid)
        self._tree = [root, *root.children(recursive=True)]
        self._neighbours = [psutil.Process(neighbour) for neighbour in neighbours]
        self._pids = [process.pid for process in self._tree]
        self._peak = 0
        self._ended = threading.Event()
        self._sampler = threading.Thread(target=self._sample, daemon=True)
        self.usage: Usage | None = None

    def __enter__(self) -> Meter:
        self._start, self._overhead = self._read(), overhead(self._pids)
        self._sampler.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._sampler.join()
        self._look_at_memory()
        wall, engine, neighbours, machine = (
            now - then for now, then in zip(self._read(), self._start, strict=True)
        )
        cores = psutil.cpu_count() or 1
        others = max(0.0, machine - engine - neighbours) / (wall * cores)
        spent = {
            kind: seconds - self._overhead.get(kind, 0.0)
            for kind, seconds in overhead(self._pids).items()
        }
        self.usage = Usage(wall, engine, self._peak // _MEGABYTE, others, spent)

    def _read(self) -> tuple[float, float, float, float]:
        engine, neighbours = _cpu_seconds(self._tree), _cpu_seconds(self._neighbours)
        return time.monotonic(), engine, neighbours, _busy_seconds()

    def _sample(self) -> None:
        while not self._ended.wait(_SAMPLE_SECONDS):
            self._look_at_memory()

    def _look_at_memory(self) -> None:
        with contextlib.suppress(psutil.NoSuchProcess):
            self._peak = max(self._peak, sum(p.memory_info().rss for p in self._tree))


def measure(
    command: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    neighbours: Sequence[int] = (),
) -> Measurement:
    """Run an engine's process to its end; `neighbours` are processes whose work belongs to the run (the broker)."""
    with _started(command, log, environment or {}) as process:
        first = _next_report(process, log)
        if "unsupported" in first:
            return Measurement({}, unsupported=first["unsupported"])
        meter = Meter(process.pid, neighbours)
        with meter:
            _write_line(process)
            report = _next_report(process, log)
    if "unsupported" in report:
        return Measurement({}, unsupported=report["unsupported"])
    return Measurement(report, meter.usage)


@contextlib.contextmanager
def _started(
    command: Sequence[str], log: Path, environment: Mapping[str, str]
) -> Iterator[subprocess.Popen[str]]:
    with (
        log.open("w", encoding="utf-8") as errors,
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env={**os.environ, **environment},
            start_new_session=True,
        ) as process,
    ):
        limit = threading.Timer(RUN_LIMIT_SECONDS, _kill, [process])
        limit.daemon = True
        limit.start()
        try:
            yield process
            _close(process)
        finally:
            limit.cancel()
            _kill(process)


def _close(process: subprocess.Popen[str]) -> None:
    """Its JVM may outlive it for a moment, to write the end of a flight recording."""
    assert process.stdin is not None
    descendants = psutil.Process(process.pid).children(recursive=True)
    process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_EXIT_SECONDS)
    psutil.wait_procs(descendants, timeout=_EXIT_SECONDS)


def _kill(process: subprocess.Popen[str]) -> None:
    # It leads a session of its own: the group holds it, its JVM and nothing else.
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def _write_line(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def _next_report(process: subprocess.Popen[str], log: Path) -> dict[str, Any]:
    """The next JSON line; engines may print other lines between."""
    assert process.stdout is not None
    for line in process.stdout:
        with contextlib.suppress(ValueError):
            report = json.loads(line)
            if isinstance(report, dict):
                return report
    raise EngineFailed("an engine ended without a result", found=_last_line(log))


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:300] if lines else "nothing on standard error"


def _cpu_seconds(processes: Sequence[psutil.Process]) -> float:
    total = 0.0
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system
    return total


def _busy_seconds() -> float:
    times = psutil.cpu_times()
    return float(sum(times) - times.idle - getattr(times, "iowait", 0.0) - _guest(times))


def _guest(times: Any) -> float:
    """Time of virtual machines, which Linux counts as user time too."""
    return float(getattr(times, "guest", 0.0) + getattr(times, "guest_nice", 0.0))
