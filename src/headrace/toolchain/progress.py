"""Progress of long steps as events: one bar per task on a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


# Between two lines about the same download in a log.
LINE_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """How far a task is. `total` is None while unknown; `done == total` ends the task."""

    task: str
    detail: str
    done: int = 0
    total: int | None = None
    unit: Literal["steps", "bytes"] = "steps"

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
    if not can_redraw(target):
        yield PlainReporter(target)
        return
    with _terminal_bars(target) as bars:
        yield TerminalReporter(bars)


def can_redraw(stream: TextIO) -> bool:
    """Returns whether the stream is a terminal that can draw over what it shows; Emacs' shell cannot, for example."""
    return stream.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


class PlainReporter:
    """A line per event, for logs: `[kafka 0/1] starting`. A download writes a line every ten seconds."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._written: dict[str, float] = {}

    def __call__(self, event: ProgressEvent) -> None:
        if event.unit == "bytes" and not self._is_due(event):
            return
        count = "" if event.total is None else f" {_count(event, event.total)}"
        self._stream.write(f"[{event.task}{count}] {event.detail}".rstrip() + "\n")
        self._stream.flush()

    def _is_due(self, event: ProgressEvent) -> bool:
        now = time.monotonic()
        last = self._written.get(event.task)
        if last is not None and now - last < LINE_SECONDS and not event.finished:
            return False
        self._written[event.task] = now
        return True


class TerminalReporter:
    """A bar per task."""

    def __init__(self, bars: Progress) -> None:
        self._bars = bars
        self._tasks: dict[str, TaskID] = {}

    def __call__(self, event: ProgressEvent) -> None:
        if event.task not in self._tasks:
            self._tasks[event.task] = self._bars.add_task(
                event.task, total=event.total, detail="", count="", left=""
            )
        task = self._tasks[event.task]
        count = "" if event.total is None else _count(event, event.total)
        self._bars.update(
            task, completed=event.done, total=event.total, detail=event.detail, count=count
        )
        if event.unit == "bytes":
            seconds = next(t.time_remaining for t in self._bars.tasks if t.id == task)
            left = "" if seconds is None or event.finished else f"{seconds:.0f} s left"
            self._bars.update(task, left=left)


def _count(event: ProgressEvent, total: int) -> str:
    if event.unit == "bytes":
        return f"{event.done / 10**6:.0f}/{total / 10**6:.0f} MB"
    return f"{event.done}/{total}"


def _terminal_bars(stream: TextIO) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[count]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[detail]}", style="dim"),
        console=Console(file=stream),
    )
