"""How running jobs look: one line each, redrawn in place on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, TextIO

from headrace.runtime.jobs import Job, Progress
from headrace.toolchain.progress import ProgressEvent, Reporter, show_progress

if TYPE_CHECKING:
    from rich.live import Live

# Four times a second reads as live; asking the JVM for every job's progress more often would be waste.
REDRAW_SECONDS = 0.25


def progress_text(progress: Progress | None) -> str:
    """`batch 12 · 1,204 rows · 350 rows/s · 0 behind`; what is unknown is left out."""
    if progress is None:
        return "waiting for data"
    parts = [
        f"batch {progress.batch}",
        f"{progress.rows:,} rows",
        f"{progress.rows_per_second:,.0f} rows/s",
    ]
    if progress.behind is not None:
        parts.append(f"{progress.behind:,} behind")
    if progress.skipped:
        parts.append(f"{progress.skipped_records:,} skipped")
    return " · ".join(parts)


def skipped_text(progress: Progress | None) -> str | None:
    """`3 records skipped: topic a 2, topic b 1`, or None when there were none."""
    if progress is None or not progress.skipped:
        return None
    topics = ", ".join(f"topic {name} {n:,}" for name, n in progress.skipped_by_topic().items())
    noun = "record" if progress.skipped_records == 1 else "records"
    return f"{progress.skipped_records:,} {noun} skipped: {topics}"


class ProgressLines:
    """A context: lines appear when there is something to show and are gone when it ends."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live: Live | None = None
        self._drawn = 0.0

    def update(self, jobs: Sequence[Job]) -> None:
        now = time.monotonic()
        if not self._stream.isatty() or now - self._drawn < REDRAW_SECONDS:
            return
        self._drawn = now
        self.say("\n".join(f"{job.name}  {progress_text(job.progress())}" for job in jobs))

    def say(self, text: str) -> None:
        """Until something else is drawn."""
        if not self._stream.isatty():
            return
        from rich.text import Text

        self._screen().update(Text(text, style="dim"), refresh=True)

    def _screen(self) -> Live:
        if self._live is None:
            from rich.console import Console
            from rich.live import Live

            # Output that goes elsewhere than to this terminal must not be taken along.
            same_screen = sys.stdout.isatty()
            self._live = Live(
                console=Console(file=self._stream),
                auto_refresh=False,
                transient=True,
                redirect_stdout=same_screen,
            )
            self._live.start()
        return self._live

    def clear(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


class SetupBars:
    """Bars for what a first start prepares, on the screen only while there is something to prepare: later the same
    lines belong to the jobs."""

    def __init__(self) -> None:
        self._shown = ExitStack()
        self._reporter: Reporter | None = None

    def __call__(self, event: ProgressEvent) -> None:
        if self._reporter is None:
            self._reporter = self._shown.enter_context(show_progress())
        self._reporter(event)
        if event.finished:
            self.close()

    def close(self) -> None:
        """A step that fails never reports its end."""
        self._shown.close()
        self._reporter = None
