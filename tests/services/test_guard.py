from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headrace.services.guard import Guard, end_all, guard, own
from headrace.services.processes import Identity, Launch, identity_of, launch, terminate
from headrace.services.s3 import S3Service
from headrace.testing.topics import eventually

WAIT = "import time\nwhile True: time.sleep(60)"

# Prints the pid of a service and waits to be killed.
OWNER = """
import sys, time
from pathlib import Path
from headrace.services.s3 import S3Service

service = S3Service(Path(sys.argv[1]))
if sys.argv[2] == "owned":
    service.__enter__()
else:
    service.start()
print(service.status().pid, flush=True)
while True: time.sleep(60)
"""

CHILD = """
import subprocess, sys, time
from headrace.services.guard import own

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
own(child)
print(child.pid, flush=True)
while True: time.sleep(60)
"""

LEAVES = """
import subprocess, sys
from headrace.services.guard import own

child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
own(child)
print(child.pid, flush=True)
"""


@contextmanager
def killed(program: str, *arguments: str) -> Iterator[Identity]:
    """The process whose pid a program prints, after that program and its process group were killed."""
    with subprocess.Popen(
        # As the `headrace` script does, the program looks for modules everywhere but in the current folder.
        [sys.executable, "-P", "-c", program, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as owner:
        assert owner.stdout is not None
        identity = identity_of(int(owner.stdout.readline()))
        assert identity.is_running()
        os.killpg(owner.pid, signal.SIGKILL)
    try:
        yield identity
    finally:
        terminate(identity, signal.SIGKILL, 10)


def is_gone(identity: Identity) -> bool:
    return not identity.is_running()


@pytest.mark.services
def test_an_owned_service_ends_when_its_owner_is_killed(tmp_path):
    with killed(OWNER, str(tmp_path), "owned") as service:
        eventually(lambda: is_gone(service), bool)
    assert S3Service(tmp_path).status().state == "stale"


@pytest.mark.services
def test_another_service_survives_the_process_that_started_it(tmp_path):
    with killed(OWNER, str(tmp_path), "survives"), killed(CHILD) as child:
        # The guard of the second owner had time to act, the first one had none.
        eventually(lambda: is_gone(child), bool)
        assert S3Service(tmp_path).status().state == "running"
        assert S3Service(tmp_path).stop().state == "stopped"


def test_a_child_ends_when_its_owner_is_killed():
    with killed(CHILD) as child:
        eventually(lambda: is_gone(child), bool)


def test_a_child_ends_when_its_owner_leaves_it_behind():
    done = subprocess.run(
        [sys.executable, "-c", LEAVES], stdout=subprocess.PIPE, text=True, check=True
    )
    assert is_gone(identity_of(int(done.stdout)))


def test_a_process_has_one_guard_until_that_is_killed():
    first = guard()
    assert guard() is first
    first._process.kill()
    first._process.wait()
    assert guard() is not first


def test_a_forked_child_does_not_use_the_guard_of_its_parent():
    one = Guard()
    one.owner = os.getppid()
    assert not one.is_usable
    one.close()
    assert one._process.poll() is None
    one.owner = os.getpid()
    one.close()
    assert one._process.returncode == 0


def test_half_a_line_is_no_process(tmp_path: Path):
    program = [sys.executable, "-c", WAIT]
    first, last = (launch(Launch(program, tmp_path, tmp_path / name)) for name in "ab")
    lines = [f"[{one.pid}, {one.created}, {int(signal.SIGTERM)}, 10]\n" for one in (first, last)]
    end_all([lines[1].encode(), lines[0].encode().strip()])
    assert is_gone(last)
    assert not is_gone(first)
    end_all([lines[0].encode()])
    assert is_gone(first)


def test_a_pid_that_now_belongs_to_another_process_is_spared():
    with subprocess.Popen([sys.executable, "-c", WAIT]) as process:
        end_all([f"[{process.pid}, 1.0, {int(signal.SIGTERM)}, 10]\n".encode()])
        assert process.poll() is None
        own(process)
        process.kill()


def test_modules_in_the_users_folder_do_not_stop_the_guard(tmp_path, monkeypatch):
    (tmp_path / "select.py").write_text("raise SystemExit")
    monkeypatch.chdir(tmp_path)
    with killed(CHILD) as child:
        eventually(lambda: is_gone(child), bool)
