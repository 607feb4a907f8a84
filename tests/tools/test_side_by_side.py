from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys

import pytest

from headrace.services.processes import identity_of
from headrace.testing.topics import eventually
from tools.docs.proofs import ROOT

MAIN = [sys.executable, "-m", "tools.side_by_side"]


def python(program: str) -> str:
    return shlex.join([sys.executable, "-c", program])


def run(*commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MAIN, *commands], cwd=ROOT, capture_output=True, text=True, check=False)


def test_commands_run_at_the_same_time_and_outputs_stay_apart(tmp_path):
    """Each ends only when it sees the other's file."""
    meet = (
        "import pathlib; print('{0} begins', flush=True); pathlib.Path({0!r}).touch()\n"
        "while not pathlib.Path({1!r}).exists(): pass\n"
        "print('{0} ends')"
    )
    one, other = str(tmp_path / "one"), str(tmp_path / "other")
    done = run(
        f"first={python(meet.format(one, other))}", f"second={python(meet.format(other, one))}"
    )
    lines = [line.partition(" after")[0] for line in done.stdout.splitlines()]
    assert lines == [
        f"{one} begins",
        f"{one} ends",
        "===== first: passed",
        "===== second: passed",
        f"{other} begins",
        f"{other} ends",
    ]
    assert done.returncode == 0


@pytest.mark.parametrize("failing", ["first", "second"])
def test_a_command_that_fails_is_named_last(failing):
    codes = {"first": 0, "second": 0, failing: 3}
    done = run(*(f"{name}={python(f'raise SystemExit({code})')}" for name, code in codes.items()))
    assert f"===== {failing}: FAILED with exit code 3" in done.stdout.splitlines()[-1]
    assert done.returncode == 1


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_nothing_is_left_when_it_is_ended(tmp_path, how):
    wait = (
        "import os, pathlib, signal; print('waits', flush=True);"
        "pathlib.Path({!r}).write_text(str(os.getpid())); signal.pause()"
    )
    files = [tmp_path / "one", tmp_path / "other"]
    commands = [f"{file.name}={python(wait.format(str(file)))}" for file in files]
    with subprocess.Popen(
        [*MAIN, *commands], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as process:
        written = lambda: [file.read_text() for file in files if file.exists()]  # noqa: E731
        pids = [
            int(text) for text in eventually(written, lambda seen: len(seen) == 2 and all(seen))
        ]
        running = [identity_of(pid) for pid in pids]
        os.kill(process.pid, how)
        printed = process.communicate(timeout=120)[0]
    eventually(lambda: [one for one in running if one.process()], lambda left: not left)
    if how == signal.SIGTERM:
        # The second command writes to a file, whose content an interrupted run still shows.
        assert printed.splitlines().count("waits") == 2
