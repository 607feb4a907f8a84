"""Small programs in the part of an engine."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import pytest

from benchmarks.measure import EngineFailed, Measurement, Meter, measure

SPEAK = """
    import json, sys, time
    def say(**facts): print(json.dumps(facts), flush=True)
"""


def run(program: str, tmp_path: Path, **options: object) -> Measurement:
    source = textwrap.dedent(SPEAK) + textwrap.dedent(program)
    return measure([sys.executable, "-c", source], tmp_path / "engine.log", **options)  # type: ignore[arg-type]


def test_work_before_it_was_ready_is_not_counted(tmp_path: Path):
    program = """
        while time.process_time() < 0.7: pass
        say(ready=True)
        sys.stdin.readline()
        say(seconds=0.1)
        sys.stdin.read()
    """
    usage = run(program, tmp_path).usage
    assert usage is not None
    assert usage.cpu_seconds < 0.5


def test_work_of_its_children_is_counted(tmp_path: Path):
    """The child works while the engine waits for it, as Spark's JVM does beside Python."""
    program = """
        import subprocess
        burn = "import sys, time; sys.stdin.readline()\\nwhile time.process_time() < 0.6: pass\\nprint(flush=True); sys.stdin.read()"
        child = subprocess.Popen([sys.executable, "-c", burn], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        say(ready=True)
        sys.stdin.readline()
        child.stdin.write(b"go\\n"); child.stdin.flush(); child.stdout.readline()
        say(seconds=0.6)
        sys.stdin.read()
    """
    usage = run(program, tmp_path).usage
    assert usage is not None
    assert usage.cpu_seconds >= 0.4
    assert usage.wall_seconds >= 0.4


def test_memory_is_that_of_the_peak(tmp_path: Path):
    program = """
        say(ready=True)
        sys.stdin.readline()
        block = b"x" * 150_000_000
        say(seconds=0.1)
        sys.stdin.read()
    """
    usage = run(program, tmp_path).usage
    assert usage is not None
    assert usage.peak_rss_mb >= 150


def test_an_engine_that_dies_is_quoted(tmp_path: Path):
    program = """
        say(ready=True)
        sys.stdin.readline()
        sys.exit("OutOfMemoryError: Java heap space")
    """
    with pytest.raises(EngineFailed) as caught:
        run(program, tmp_path)
    assert caught.value.found == "OutOfMemoryError: Java heap space"


def test_a_meter_leaves_neighbours_out_of_the_share_of_others():
    """Work of this very process is nobody else's, whichever role it is given."""
    with Meter(os.getpid(), neighbours=[os.getpid()]) as meter:
        total = sum(number * number for number in range(300_000))
    assert total
    assert meter.usage is not None
    assert 0.0 <= meter.usage.others_share <= 1.0
    assert meter.usage.peak_rss_mb > 10
