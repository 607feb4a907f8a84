"""The demo on a terminal: the result table as it changes, with bars; a line now and then where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from headrace.cli.demo.views import RegionCount
from headrace.toolchain.progress import can_redraw

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.live import Live

BAR_WIDTH = 40
SPARKS = "▁▂▃▄▅▆▇█"
# Half a minute of history at the pace of redrawing.
HISTORY = 60
REDRAW_SECONDS = 0.25
LINE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Moment:
    """What there is to see now."""

    sent: int
    rows: int
    counted: int
    changes: int
    table: Sequence[RegionCount]


def bar(value: int, largest: int, width: int = BAR_WIDTH) -> str:
    """Eighths of a character, so that small changes move."""
    eighths = 0 if largest <= 0 else round(value * width * 8 / largest)
    full, part = divmod(eighths, 8)
    return "█" * full + ("" if part == 0 else "▏▎▍▌▋▊▉"[part - 1])


def sparkline(values: Sequence[float]) -> str:
    top = max(values, default=0)
    if top <= 0:
        return SPARKS[0] * len(values)
    return "".join(SPARKS[min(int(value / top * len(SPARKS)), len(SPARKS) - 1)] for value in values)


def by_size(table: Sequence[RegionCount]) -> list[RegionCount]:
    return sorted(table, key=lambda row: (-row.pv, row.user_region))


def plain_line(moment: Moment) -> str:
    leaders = "; ".join(
        f"{row.user_region} {row.pv:,}/{row.uv:,}" for row in by_size(moment.table)[:3]
    )
    return (
        f"written {moment.sent:,} of {moment.rows:,}, counted {moment.counted:,}, "
        f"{moment.changes:,} changes written" + (f": {leaders}" if leaders else "")
    )


class Screen:
    """Draws moments; `write` takes the lines where nothing can be redrawn."""

    def __init__(self, console: Console, write: Callable[[str], None]) -> None:
        self._console = console
        self._write = write
        self._live: Live | None = None
        self._drawn = 0.0
        self._counted = 0
        self._speeds: deque[float] = deque(maxlen=HISTORY)

    def show(self, moment: Moment, *, at_once: bool = False) -> None:
        pause = REDRAW_SECONDS if self._console.is_terminal else LINE_SECONDS
        now = time.monotonic()
        if now - self._drawn < pause and not at_once:
            return
        self._speeds.append((moment.counted - self._counted) / max(now - self._drawn, pause))
        self._counted, self._drawn = moment.counted, now
        self._draw(moment)

    def _draw(self, moment: Moment) -> None:
        if self._console.is_terminal:
            self._screen().update(self.picture(moment), refresh=True)
        else:
            self._write(plain_line(moment))

    def picture(self, moment: Moment) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column("user_region", min_width=14)
        table.add_column("pv", justify="right", min_width=8)
        table.add_column("uv", justify="right", min_width=8)
        table.add_column("", min_width=BAR_WIDTH)
        rows = by_size(moment.table)
        for row in rows:
            share = bar(row.pv, rows[0].pv)
            table.add_row(row.user_region, f"{row.pv:,}", f"{row.uv:,}", Text(share, style="cyan"))
        head = f"written {moment.sent:,} of {moment.rows:,} · counted {moment.counted:,} · {moment.changes:,} changes written"
        return Group(Text(head, style="bold"), Text(sparkline(self._speeds), style="green"), table)

    def _screen(self) -> Live:
        if self._live is None:
            from rich.live import Live

            self._live = Live(console=self._console, auto_refresh=False)
            self._live.start()
        return self._live

    def close(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


def terminal() -> Console:
    from rich.console import Console

    plain = None if can_redraw(sys.stderr) else False
    return Console(file=sys.stderr, highlight=False, force_terminal=plain)


def print_sql(text: str) -> None:
    """In colour on a terminal."""
    console = terminal()
    if not console.is_terminal:
        console.file.write(text + "\n")
        return
    from rich.syntax import Syntax

    from headrace.cli.highlight import FlinkSqlLexer

    console.print(Syntax(text, FlinkSqlLexer(), background_color="default"))
