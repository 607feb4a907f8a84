"""Runs commands at the same time: `python -m tools.side_by_side NAME=COMMAND NAME=COMMAND …`

The output of the first command is printed as it comes, that of each other one in a piece when it has ended.
Fails if any of them fails, and prints at the end which did. Nothing that they started outlives it.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

from headrace.services.guard import own

# Between two polls of running commands: short beside the seconds that any of them takes.
_POLL_SECONDS = 0.1
# pytest stops brokers and databases in it when it is interrupted.
_STOP_SECONDS = 60.0


@dataclass(slots=True)
class Command:
    name: str
    line: str
    output: IO[bytes] | None
    process: subprocess.Popen[bytes] = field(init=False)
    began: float = field(default_factory=time.monotonic)
    seconds: float | None = None
    shown: bool = False

    def start(self) -> None:
        # A session of its own, so that a signal reaches what the command starts and nothing else.
        self.process = subprocess.Popen(
            shlex.split(self.line),
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=subprocess.STDOUT if self.output else None,
            start_new_session=True,
            preexec_fn=_heed_interrupts,
        )
        own(self.process, _STOP_SECONDS)

    def has_ended(self) -> bool:
        if self.process.poll() is not None and self.seconds is None:
            self.seconds = time.monotonic() - self.began
        return self.seconds is not None

    def summary(self) -> str:
        code = self.process.returncode
        state = "passed" if code == 0 else f"FAILED with exit code {code}"
        return f"{self.name}: {state} after {self.seconds:.0f} s"


def _heed_interrupts() -> None:
    """A shell lets its background commands ignore Ctrl-C, and children inherit that."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def say(text: str) -> None:
    sys.stdout.write(f"===== {text}\n")
    sys.stdout.flush()


def show(command: Command) -> None:
    """Prints how a command ended, then what it wrote to its file; the last line of a test run is pytest's own."""
    command.shown = True
    say(command.summary())
    if command.output is not None:
        command.output.seek(0)
        for line in command.output:
            sys.stdout.buffer.write(line)
        sys.stdout.flush()


def stop(commands: Sequence[Command]) -> None:
    """Interrupts what still runs, as Ctrl-C would, and kills what does not end."""
    running = [command.process for command in commands if command.process.poll() is None]
    for number, patience in ((signal.SIGINT, _STOP_SECONDS), (signal.SIGKILL, _STOP_SECONDS)):
        for process in running:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
        end = time.monotonic() + patience
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.0, end - time.monotonic()))
        running = [process for process in running if process.poll() is None]


@contextlib.contextmanager
def started(lines: dict[str, str]) -> Iterator[list[Command]]:
    with contextlib.ExitStack() as files:
        commands = [
            Command(name, line, files.enter_context(tempfile.TemporaryFile()) if number else None)
            for number, (name, line) in enumerate(lines.items())
        ]
        running: list[Command] = []
        try:
            for command in commands:
                command.start()
                running.append(command)
            yield commands
        finally:
            stop(running)
            # After an interrupt: the output shows where a command hung.
            for command in running:
                if not command.shown and command.has_ended():
                    show(command)


def run(lines: dict[str, str]) -> int:
    """Returns 0 if all commands did, else 1."""
    with started(lines) as commands:
        # Printed after the first, so that the outputs do not mix.
        first, waiting = commands[0], list(commands)
        while waiting:
            time.sleep(_POLL_SECONDS)
            ended = [command for command in waiting if command.has_ended()]
            if first in waiting and first not in ended:
                continue
            for command in ended:
                show(command)
                waiting.remove(command)
    failed = [command for command in commands if command.process.returncode]
    for command in failed:
        say(command.summary())
    return int(bool(failed))


def parse(arguments: Sequence[str]) -> dict[str, str]:
    lines = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    if not lines or len(lines) < len(arguments):
        raise SystemExit("usage: python -m tools.side_by_side NAME=COMMAND NAME=COMMAND ...")
    return lines


def _terminated(*_: object) -> None:
    raise KeyboardInterrupt


def main(arguments: Sequence[str]) -> int:
    lines = parse(arguments)
    signal.signal(signal.SIGTERM, _terminated)
    try:
        return run(lines)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
