"""What the demo is doing, for people; and waiting for what takes its time."""

from __future__ import annotations

import time
from collections.abc import Callable

from headrace.cli.output import Output
from headrace.cli.progress import ProgressLines
from headrace.errors import EnvironmentFault

# A sink writes what it holds on every full minute; a cold Spark on a busy machine needs another.
PATIENCE_SECONDS = 180.0

# Short beside the seconds between two polls of a source, long beside the cost of a look.
LOOK_SECONDS = 0.5


class Steps:
    """Notes with the time since the demo began, and one line that changes while something is awaited."""

    def __init__(self, output: Output, patience: float = PATIENCE_SECONDS) -> None:
        self._output = output
        self._patience = patience
        self._lines = ProgressLines()
        self._began = time.monotonic()

    def note(self, text: str) -> None:
        self._lines.clear()
        self._output.note(f"{self.seconds():5.1f} s  {text}")

    def seconds(self) -> float:
        return time.monotonic() - self._began

    def until(self, goal: str, missing: Callable[[], str]) -> None:
        """Returns when nothing is missing any more; `missing` says what still is."""
        deadline = time.monotonic() + self._patience
        while left := missing():
            if time.monotonic() > deadline:
                raise EnvironmentFault(
                    f"the demo waited {self._patience:.0f} s in vain",
                    condition="DEMO_STALLED",
                    found=left,
                    expected=goal,
                    cure="run it again with --verbose, which prints the worker's log",
                )
            self._say(f"{goal}: {left}")
            time.sleep(LOOK_SECONDS)
        self.note(goal)

    def _say(self, text: str) -> None:
        if not self._output.is_json:
            self._lines.say(f"{self.seconds():5.1f} s  {text}")

    def close(self) -> None:
        self._lines.clear()
