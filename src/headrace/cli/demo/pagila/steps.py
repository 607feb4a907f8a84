"""The demo's progress: a line per finished step, and while a step lasts a table that is redrawn, or a line now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from headrace.cli.demo.pagila import flow as flows
from headrace.cli.demo.pagila.flow import Flow, seconds_to_rotation
from headrace.cli.demo.screen import print_sql, terminal
from headrace.cli.output import Output
from headrace.errors import EnvironmentFault

if TYPE_CHECKING:
    from rich.live import Live

# A cold Spark and a cold Java worker on a busy machine need more than a minute.
PATIENCE_SECONDS = 180.0

# Between two polls of the services: short beside a rotation, and a poll takes about 50 ms of one core.
POLL_SECONDS = 0.5

# Between two counts of what moves: they list the bucket, which costs the S3 endpoint about 0.1 s of one core.
MEASURE_SECONDS = 1.0

# Between two lines where there is no terminal.
LINE_SECONDS = 10.0


class Steps:
    """`rotation_seconds` is the time between two rotations of the sinks."""

    def __init__(
        self, output: Output, rotation_seconds: float, patience: float = PATIENCE_SECONDS
    ) -> None:
        self._output = output
        self._rotation = rotation_seconds
        self._patience = patience
        self._console = terminal()
        self._live: Live | None = None
        self._flow = Flow()
        self._began = self._last_line = time.monotonic()
        self._measured = 0.0

    def note(self, text: str) -> None:
        self.close()
        self._last_line = time.monotonic()
        self._output.note(f"{self.seconds():5.1f} s  {text}")

    def sql(self, text: str) -> None:
        self.close()
        if not self._output.is_json:
            print_sql(text)

    def seconds(self) -> float:
        return time.monotonic() - self._began

    def until(self, goal: str, missing: Callable[[], str], flow: Callable[[], Flow]) -> None:
        """Polls until nothing is missing; `missing` names what is. Raises DEMO_STALLED after the patience."""
        deadline = time.monotonic() + self._patience
        while left := missing():
            if time.monotonic() > deadline:
                raise EnvironmentFault(
                    f"the demo waited {self._patience:.0f} s for its next step",
                    condition="DEMO_STALLED",
                    found=left,
                    expected=goal,
                    cure="run it again with --verbose, which prints the worker's log",
                )
            self._show(goal, left, flow)
            time.sleep(POLL_SECONDS)
        self.note(goal)

    def _show(self, goal: str, left: str, flow: Callable[[], Flow]) -> None:
        now = time.monotonic()
        pause = MEASURE_SECONDS if self._console.is_terminal else LINE_SECONDS
        if self._output.is_json or (
            not self._console.is_terminal and now - self._last_line < pause
        ):
            return
        if now - self._measured >= pause:
            self._flow, self._measured = flow(), now
        if self._console.is_terminal:
            self._draw(goal, left)
        else:
            line = flows.line(self._flow, self._seconds_to_rotation())
            self.note(f"… waiting until {goal}: {line}")

    def _seconds_to_rotation(self) -> float:
        return seconds_to_rotation(time.time(), self._rotation)

    def _draw(self, goal: str, left: str) -> None:
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        if self._live is None:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        head = Text(f"{self.seconds():5.1f} s  waiting until {goal}", style="bold", no_wrap=True)
        rest = Text(f"         {left}", style="dim", no_wrap=True, overflow="ellipsis")
        table = flows.table(self._flow, self._seconds_to_rotation())
        self._live.update(Group(head, rest, Text(""), table), refresh=True)

    def close(self) -> None:
        """Removes the table."""
        if self._live is not None:
            self._live.stop()
            self._live = None
