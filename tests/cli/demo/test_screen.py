from __future__ import annotations

import io

import pytest
from rich.console import Console

from headrace.cli.demo import screen as module
from headrace.cli.demo.screen import Moment, Screen, bar, plain_line, print_sql, sparkline
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


def test_a_line_tells_how_far_it_is_and_who_leads():
    assert plain_line(NOW) == (
        "written 1,500 of 2,000, counted 1,220, 9 changes out: "
        "Bavaria 1,200/40; Alsace 10/7; Crete 10/5"
    )


def test_before_the_first_result_the_line_is_short():
    empty = Moment(sent=5, rows=10, counted=0, changes=0, table=[])
    assert plain_line(empty) == "written 5 of 10, counted 0, 0 changes out"


@pytest.fixture
def clock(monkeypatch):
    now = [1_000.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_lines_come_at_their_own_pace_where_nothing_can_be_redrawn(clock):
    lines: list[str] = []
    shown = Screen(Console(file=io.StringIO()), lines.append)
    shown.show(NOW)
    shown.show(NOW)
    assert len(lines) == 1
    clock[0] += module.LINE_SECONDS
    shown.show(NOW)
    assert len(lines) == 2
    shown.show(NOW, at_once=True)
    assert len(lines) == 3
    shown.close()


def test_a_terminal_shows_the_table_with_the_largest_first(clock):
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
    assert "written 1,500 of 2,000 · counted 1,220 · 9 changes out" in drawn


def test_closing_twice_is_closing(clock):
    shown = Screen(Console(file=io.StringIO()), print)
    shown.close()
    shown.close()


def test_sql_is_plain_where_there_is_no_terminal(capsys):
    print_sql("SELECT 1;")
    assert capsys.readouterr().err == "SELECT 1;\n"


def test_sql_has_colours_on_a_terminal(monkeypatch):
    stream = io.StringIO()
    coloured = Console(file=stream, force_terminal=True, color_system="standard")
    monkeypatch.setattr(module, "terminal", lambda: coloured)
    print_sql("SELECT 1;")
    assert "\x1b[" in stream.getvalue()
    assert "SELECT" in stream.getvalue()
