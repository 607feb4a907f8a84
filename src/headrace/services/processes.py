"""Background processes by identity: a pid together with its start time, since pids are reused."""

from __future__ import annotations

import contextlib
import os
import pwd
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

from headrace.toolchain.java import utf8_locale

# Start times are read from the kernel's tick counter and the wall clock; a clock correction moves them a little.
_START_TOLERANCE_SECONDS = 2.0

# After SIGKILL only the kernel has work left; longer means that a disk does not answer.
_KILL_SECONDS = 10.0

# Between two checks of a process that another one started, for which there is no call that waits.
_POLL_SECONDS = 0.05

# Children of this very process must be reaped by it, and a Popen object that is collected while its
# process lives warns about it; services outlive the command that starts them.
_children: dict[int, subprocess.Popen[bytes]] = {}


@dataclass(frozen=True, slots=True)
class Launch:
    """What to run. `user` is the account to run as (None: the current one)."""

    command: Sequence[str]
    folder: Path
    log: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    user: str | None = None


@dataclass(frozen=True, slots=True)
class Identity:
    """One process among all that ever had its pid."""

    pid: int
    created: float

    def process(self) -> psutil.Process | None:
        """The process if it still runs: not gone, not a zombie, not another one under the same pid."""
        child = _children.get(self.pid)
        if child is not None:
            child.poll()
        try:
            process = psutil.Process(self.pid)
            same = abs(process.create_time() - self.created) <= _START_TOLERANCE_SECONDS
            return process if same and process.status() != psutil.STATUS_ZOMBIE else None
        except psutil.NoSuchProcess:
            return None

    def is_running(self) -> bool:
        return self.process() is not None


def launch(wanted: Launch) -> Identity:
    """Start it in a session of its own, so that Ctrl-C in the terminal does not reach it."""
    with wanted.log.open("ab") as log:
        child = subprocess.Popen(
            wanted.command,
            cwd=wanted.folder,
            env=os.environ | utf8_locale() | dict(wanted.environment),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **as_account(wanted.user),
        )
    _children[child.pid] = child
    return identity_of(child.pid)


def as_account(name: str | None) -> dict[str, Any]:
    """The arguments of `subprocess` that make a child run as that account and as no member of root's groups."""
    if name is None:
        return {}
    account = pwd.getpwnam(name)
    return {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}


def terminate(identity: Identity, stop_signal: signal.Signals, patience_seconds: float) -> bool:
    """Asks a process to stop, waits, and kills what is left of it and of its group. Returns False if it had to be killed."""
    process = identity.process()
    if process is None:
        return True
    with contextlib.suppress(psutil.NoSuchProcess):
        process.send_signal(stop_signal)
    has_ended = _wait(identity, patience_seconds)
    # A service leads its own session, so the group contains its descendants and nothing else. A shell ends before them.
    # macOS reports a group of zombies as one that must not be signalled.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(identity.pid, signal.SIGKILL)
    if not has_ended:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
        _wait(identity, _KILL_SECONDS)
    return has_ended


def _wait(identity: Identity, seconds: float) -> bool:
    child = _children.get(identity.pid)
    if child is None:
        return _wait_for_stranger(identity, seconds)
    try:
        child.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    del _children[identity.pid]
    return True


def _wait_for_stranger(identity: Identity, seconds: float) -> bool:
    """Waits for a process that another one started. A zombie has ended, even if nothing reaps it, as in some containers."""
    deadline = time.monotonic() + seconds
    while identity.is_running():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_SECONDS)
    return True


def listens(identity: Identity, port: int) -> bool:
    """Returns whether the process, or one that it started, listens on the port; True if the system does not say."""
    process = identity.process()
    if process is None:
        return False
    try:
        return any(
            connection.status == psutil.CONN_LISTEN and connection.laddr.port == port
            for member in (process, *process.children(recursive=True))
            for connection in member.net_connections("tcp")
        )
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def identity_of(pid: int) -> Identity:
    """The identity of the process that has this pid now."""
    try:
        return Identity(pid, float(psutil.Process(pid).create_time()))
    except psutil.NoSuchProcess:
        # Died at once; the caller finds out when it waits for readiness.
        return Identity(pid, 0.0)
