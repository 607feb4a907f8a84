"""Small programs in the part of an engine."""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

import psutil
import pytest

from benchmarks import measure as measuring
from benchmarks.measure import EngineFailed, Measurement, Meter, measure

SPEAK = """
    import json, sys, time
    def say(**facts): print(json.dumps(facts), flush=True)
"""


def run(program: str, tmp_path: Path, **options: object) -> Measurement:
    source = textwrap.dedent(SPEAK) + textwrap.dedent(program)
    return measure([sys.executable, "-c", source], tmp_path / "engine.log", **options)  # type: ignore[arg-type]


WORKS = """
    say(ready=True)
    sys.stdin.readline()
    say(seconds=1.5, batches=2)
    sys.stdin.read()
"""


def test_what_the_engine_reports_is_kept(tmp_path: Path):
    measured = run(WORKS, tmp_path)
    assert measured.report == {"seconds": 1.5, "batches": 2}
    assert measured.unsupported is None
    assert measured.usage is not None


def test_other_lines_on_its_output_are_skipped(tmp_path: Path):
    program = """
        print("starting"); print("[1, 2]")
        say(ready=True)
        sys.stdin.readline()
        print("{not json}"); say(seconds=2.0)
    """
    assert run(program, tmp_path).report == {"seconds": 2.0}


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
        burn = "import sys, time; sys.stdin.readline()\\nwhile time.process_time() < 0.6: pass\\nprint(); sys.stdin.read()"
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


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_engine_may_refuse_before_or_after_it_was_ready(when: str, tmp_path: Path):
    ready = "say(ready=True); sys.stdin.readline()" if when == "after" else "pass"
    program = f"""
        {ready}
        say(unsupported="JOIN is not supported yet")
        sys.stdin.read()
    """
    measured = run(program, tmp_path)
    assert measured.unsupported == "JOIN is not supported yet"
    assert measured.usage is None


def test_an_engine_that_dies_is_quoted(tmp_path: Path):
    program = """
        say(ready=True)
        sys.stdin.readline()
        sys.exit("OutOfMemoryError: Java heap space")
    """
    with pytest.raises(EngineFailed) as caught:
        run(program, tmp_path)
    assert caught.value.found == "OutOfMemoryError: Java heap space"


def test_an_engine_that_dies_silently_is_named_too(tmp_path: Path):
    with pytest.raises(EngineFailed, match="nothing on standard error"):
        run("sys.exit(3)", tmp_path)


def test_an_engine_that_never_ends_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measuring, "RUN_LIMIT_SECONDS", 1.0)
    program = """
        print(__import__("os").getpid(), file=sys.stderr, flush=True)
        say(ready=True)
        sys.stdin.read()
    """
    with pytest.raises(EngineFailed) as caught:
        run(program, tmp_path)
    assert not psutil.pid_exists(int(caught.value.found or ""))


def test_nothing_that_the_engine_started_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(measuring, "_EXIT_SECONDS", 1.0)
    program = """
        import subprocess
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        say(ready=True)
        sys.stdin.readline()
        say(seconds=1.0, child=child.pid)
        sys.stdin.read()
    """
    child = run(program, tmp_path).report["child"]
    psutil.wait_procs([psutil.Process(child)] if psutil.pid_exists(child) else [], timeout=10)
    assert not psutil.pid_exists(child) or psutil.Process(child).status() == psutil.STATUS_ZOMBIE


def test_a_child_may_finish_what_it_does_at_its_end(tmp_path: Path):
    """As a JVM that writes its recording after the Python process has gone."""
    ended = tmp_path / "ended"
    program = f"""
        import subprocess
        finish = "import sys, time; sys.stdin.read(); time.sleep(0.5); open({str(ended)!r}, 'w')"
        child = subprocess.Popen([sys.executable, "-c", finish], stdin=subprocess.PIPE)
        say(ready=True)
        sys.stdin.readline()
        say(seconds=1.0)
        sys.stdin.read()
    """
    run(program, tmp_path)
    assert ended.exists()


def test_the_environment_is_added_to_the_own_one(tmp_path: Path):
    program = """
        import os
        say(ready=True)
        sys.stdin.readline()
        say(seconds=1.0, home=os.environ["HEADRACE_HOME"], path=bool(os.environ.get("PATH")))
    """
    report = run(program, tmp_path, environment={"HEADRACE_HOME": "/elsewhere"}).report
    assert report["home"] == "/elsewhere"
    assert report["path"] is True


def test_a_meter_leaves_neighbours_out_of_the_share_of_others():
    """Work of this very process is nobody else's, whichever role it is given."""
    with Meter(os.getpid(), neighbours=[os.getpid()]) as meter:
        total = sum(number * number for number in range(300_000))
    assert total
    assert meter.usage is not None
    assert 0.0 <= meter.usage.others_share <= 1.0
    assert meter.usage.peak_rss_mb > 10
