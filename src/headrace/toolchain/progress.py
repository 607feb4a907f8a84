"""Progress of long steps as events: one bar per task on a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """How far a task is. `total` is None while unknown; `done == total` ends the task."""

    task: str
    detail: str
    done: int = 0
    total: int | None = None

    @property
    def finished(self) -> bool:
        return self.total is not None and self.done >= self.total


Reporter = Callable[[ProgressEvent], None]


def silent(event: ProgressEvent) -> None:
    """The reporter of callers that show nothing."""


@contextmanager
def show_progress(stream: TextIO | None = None) -> Iterator[Reporter]:
    """A reporter that draws on `stream` (stderr unless told) while the block runs."""
    target = sys.stderr if stream is None else stream
    if not target.isatty():
        yield PlainReporter(target)
        return
    with _terminal_bars(target) as bars:
        yield TerminalReporter(bars)


class PlainReporter:
    """A line per event, for logs: `[broker 3/45] kafka-clients-4.1.1.jar`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __call__(self, event: ProgressEvent) -> None:
        count = "" if event.total is None else f" {event.done}/{event.total}"
        self._stream.write(f"[{event.task}{count}] {event.detail}\n")
        self._stream.flush()


class TerminalReporter:
    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: ProgressEvent) -> None:
        if event.task not in self._tasks:
            self._tasks[event.task] = self._bars.add_task(event.task, total=event.total, detail="")
        self._bars.update(
            self._tasks[event.task], completed=event.done, total=event.total, detail=event.detail
        )


def _terminal_bars(stream: TextIO) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[detail]}", style="dim"),
        console=Console(file=stream),
    )
