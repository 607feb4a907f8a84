from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import psutil
import pytest

from headrace.services.ports import accepts_connections
from headrace.services.processes import Launch
from headrace.services.supervisor import Service
from headrace.toolchain.progress import Reporter

LISTEN = """
import signal, socket, sys
if "stubborn" in sys.argv: signal.signal(signal.SIGTERM, signal.SIG_IGN)
server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
server.bind(("127.0.0.1", int(sys.argv[1])))
server.listen()
print("listening", flush=True)
while True: server.accept()[0].close()
"""
FAIL = "import sys; print('hello'); print('FATAL: the disk is full'); print('bye'); sys.exit(1)"


class Echo(Service):
    """The smallest service: a process that accepts connections."""

    name: ClassVar[str] = "echo"
    stop_seconds: ClassVar[float] = 10.0

    def __init__(
        self, folder: Path, *, port: int | None = None, program: str = LISTEN, flags: str = ""
    ) -> None:
        super().__init__(folder, port=port)
        self.program, self.flags = program, flags
        self.prepared = 0
        # It ends with the tests, even if they are killed.
        self.owned = True

    def prepare(self, ports: dict[str, int], progress: Reporter) -> Launch:
        self.prepared += 1
        command = [sys.executable, "-c", self.program, str(ports["main"]), self.flags]
        return Launch(command, self.folder, self.log)

    def is_ready(self, address: str) -> bool:
        return accepts_connections(int(address.rpartition(":")[2]))


class Stubborn(Echo):
    """Ignores SIGTERM, and is given little time."""

    stop_seconds: ClassVar[float] = 0.2


class Failing(Echo):
    """Ends at once with an error in its log."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, program=FAIL)


@pytest.fixture
def echo(tmp_path):
    service = Echo(tmp_path / "echo")
    yield service
    service.stop()


@pytest.fixture
def stubborn(tmp_path):
    service = Stubborn(tmp_path / "stubborn", flags="stubborn")
    yield service
    service.stop()


@pytest.fixture
def failing(tmp_path) -> Failing:
    return Failing(tmp_path / "failing")


@pytest.fixture
def kill() -> Callable[[int], None]:
    """End a process as a crash would, and return when it is gone."""

    def end(pid: int) -> None:
        process = psutil.Process(pid)
        process.kill()
        process.wait(30)

    return end
