from __future__ import annotations

import os
import signal
import subprocess
import sys

import psutil
import pytest

from headrace.services import processes
from headrace.services.processes import Identity, Launch, launch, terminate

WAIT = "import time\nprint('up', flush=True)\nwhile True: time.sleep(60)"
STUBBORN = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + WAIT
PARENT = (
    "import signal, subprocess, sys\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "child = subprocess.Popen([sys.executable, '-c', 'while True: input()'], stdin=subprocess.PIPE)\n"
    "print(child.pid, flush=True)\nchild.wait()"
)


@pytest.fixture
def run(tmp_path):
    """Launch a program and wait until it has printed its first line."""
    started: list[Identity] = []

    def start(program: str) -> tuple[Identity, str]:
        log = tmp_path / f"log{len(started)}"
        identity = launch(Launch([sys.executable, "-c", program], tmp_path, log))
        started.append(identity)
        while not (text := log.read_text()).endswith("\n"):
            assert identity.is_running()
        return identity, text

    yield start
    for identity in started:
        terminate(identity, signal.SIGKILL, 10)


def test_a_launched_process_runs_and_writes_its_log(run):
    identity, text = run(WAIT)
    assert identity.is_running()
    assert text == "up\n"


def test_it_leads_a_session_of_its_own(run):
    identity, _ = run(WAIT)
    assert os.getsid(identity.pid) == identity.pid != os.getsid(0)


def test_terminate_ends_it_in_order(run):
    identity, _ = run(WAIT)
    assert terminate(identity, signal.SIGTERM, 10)
    assert not identity.is_running()
    assert not psutil.pid_exists(identity.pid)


def test_what_ignores_the_signal_is_killed(run):
    identity, _ = run(STUBBORN)
    assert not terminate(identity, signal.SIGTERM, 0.2)
    assert not identity.is_running()


def test_killing_takes_the_descendants_along(run):
    identity, printed = run(PARENT)
    grandchild = psutil.Process(int(printed))
    terminate(identity, signal.SIGTERM, 0.2)
    _, alive = psutil.wait_procs([grandchild], timeout=10)
    assert not [p for p in alive if p.status() != psutil.STATUS_ZOMBIE]


def test_a_reused_pid_is_another_process(run):
    identity, _ = run(WAIT)
    stranger = Identity(identity.pid, identity.created - 3600)
    assert not stranger.is_running()
    assert terminate(stranger, signal.SIGTERM, 1)
    assert identity.is_running()


def test_a_process_that_ended_by_itself_is_not_running(tmp_path):
    identity = launch(Launch([sys.executable, "-c", ""], tmp_path, tmp_path / "log"))
    processes._children[identity.pid].wait(10)
    assert not identity.is_running()


def test_a_pid_that_never_was_is_not_running():
    assert not Identity(2**22 + 1, 0.0).is_running()


def test_a_process_of_another_parent_can_be_stopped(tmp_path):
    program = (
        "import sys; from pathlib import Path; from headrace.services.processes import Launch, launch\n"
        "folder = Path(sys.argv[1])\n"
        "identity = launch(Launch([sys.executable, '-c', sys.argv[2]], folder, folder / 'log'))\n"
        "print(identity.pid, identity.created)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path), WAIT],
        capture_output=True,
        text=True,
        check=True,
    )
    pid, created = done.stdout.split()
    identity = Identity(int(pid), float(created))
    assert identity.is_running()
    assert terminate(identity, signal.SIGTERM, 10)
    assert not identity.is_running()


def test_the_environment_is_extended(tmp_path):
    log = tmp_path / "log"
    program = "import os; print(os.environ['COLOUR'], 'PATH' in os.environ)"
    identity = launch(Launch([sys.executable, "-c", program], tmp_path, log, {"COLOUR": "red"}))
    processes._children[identity.pid].wait(10)
    assert log.read_text() == "red True\n"
