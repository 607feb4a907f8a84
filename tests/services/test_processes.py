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
# Ends with the signal, as a shell does, and leaves its child behind.
SHELL = (
    "import subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
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


@pytest.mark.parametrize("program", [PARENT, SHELL], ids=["killed", "ended by itself"])
def test_descendants_end_with_the_process(run, program):
    identity, printed = run(program)
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


def test_terminating_what_is_gone_is_no_error(run):
    identity, _ = run(WAIT)
    assert terminate(identity, signal.SIGTERM, 10)
    assert terminate(identity, signal.SIGTERM, 10)


def test_a_missing_program_is_an_error_at_once(tmp_path):
    with pytest.raises(FileNotFoundError):
        launch(Launch([str(tmp_path / "absent")], tmp_path, tmp_path / "log"))


def test_the_log_of_earlier_runs_is_kept(tmp_path):
    log = tmp_path / "log"
    log.write_text("yesterday\n")
    identity = launch(Launch([sys.executable, "-c", "print('today')"], tmp_path, log))
    processes._children[identity.pid].wait(10)
    assert log.read_text() == "yesterday\ntoday\n"


def test_errors_and_output_share_the_log(tmp_path):
    program = "import sys; sys.stderr.write('wrong\\n')"
    identity = launch(Launch([sys.executable, "-c", program], tmp_path, tmp_path / "log"))
    processes._children[identity.pid].wait(10)
    assert (tmp_path / "log").read_text() == "wrong\n"


def test_it_runs_in_its_folder_and_reads_nothing_from_the_terminal(tmp_path):
    program = "import os, sys; print(os.getcwd()); print(repr(sys.stdin.read()))"
    identity = launch(Launch([sys.executable, "-c", program], tmp_path, tmp_path / "log"))
    processes._children[identity.pid].wait(10)
    assert (tmp_path / "log").read_text() == f"{tmp_path.resolve()}\n''\n"


def test_the_signal_is_the_one_asked_for(run):
    program = "import signal\nsignal.signal(signal.SIGINT, lambda *_: exit(0))\nprint('up', flush=True)\nsignal.pause()"
    identity, _ = run(program)
    assert terminate(identity, signal.SIGINT, 10)


def test_this_process_is_running():
    own = psutil.Process()
    assert Identity(own.pid, own.create_time()).is_running()


def test_a_corrected_clock_does_not_change_the_identity():
    own = psutil.Process()
    assert Identity(own.pid, own.create_time() + 1.5).is_running()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may start processes of other accounts")
def test_root_can_start_it_as_another_account(tmp_path):
    tmp_path.chmod(0o755)
    identity = launch(
        Launch(["/bin/sh", "-c", "id -un; id -G"], tmp_path, tmp_path / "log", user="nobody")
    )
    processes._children[identity.pid].wait(10)
    name, groups = (tmp_path / "log").read_text().splitlines()
    assert name == "nobody"
    assert "0" not in groups.split()
