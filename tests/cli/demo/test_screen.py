from __future__ import annotations

import io

import pytest
from rich.console import Console

from headrace.cli.demo import screen as module
from headrace.cli.demo.screen import Moment, Screen, bar, sparkline
from headrace.cli.demo.views import RegionCount

TABLE = [
    RegionCount("Crete", 10, 5),
    RegionCount("Bavaria", 1_200, 40),
    RegionCount("Alsace", 10, 7),
]
NOW = Moment(sent=1_500, rows=2_000, counted=1_220, changes=9, table=TABLE)


@pytest.mark.parametrize(
    ("value", "drawn"), [(0, ""), (8, "████"), (4, "██"), (5, "██▌"), (1, "▌")]
)
def test_bars_are_as_long_as_their_share(value, drawn):
    assert bar(value, 8, width=4) == drawn


def test_nothing_at_all_has_no_bar():
    assert bar(0, 0) == ""


@pytest.mark.parametrize(
    ("values", "drawn"), [([], ""), ([0, 0], "▁▁"), ([0, 4, 8], "▁▅█"), ([1], "█")]
)
def test_sparks_rise_with_their_values(values, drawn):
    assert sparkline(values) == drawn


def test_a_terminal_shows_the_table_with_the_largest_first():
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=120, color_system=None)
    lines: list[str] = []
    shown = Screen(console, lines.append)
    shown.show(NOW)
    shown.close()
    drawn = stream.getvalue()
    assert lines == []
    assert drawn.index("Bavaria") < drawn.index("Alsace") < drawn.index("Crete")
    assert "█" * module.BAR_WIDTH in drawn
    assert "written 1,500 of 2,000 · counted 1,220 · 9 changes written" in drawn
