from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from headrace.cli import progress as module
from headrace.cli.progress import ProgressLines, SetupBars, progress_text, skipped_text
from headrace.runtime.jobs import Progress
from headrace.toolchain.progress import ProgressEvent

SOME = Progress(batch=12, rows=1204, rows_per_second=350.4, behind=7, batch_millis=90)


def test_all_that_is_known_on_one_line():
    assert progress_text(SOME) == "batch 12 · 1,204 rows · 350 rows/s · 7 behind"


def test_what_a_source_cannot_tell_is_left_out():
    unknown = Progress(batch=0, rows=5, rows_per_second=1.0, behind=None, batch_millis=1)
    assert progress_text(unknown) == "batch 0 · 5 rows · 1 rows/s"


SKIPPING = Progress(1, 9, 1.0, None, 1, skipped={"a": {0: 1200, 1: 1}, "b": {0: 1}})


def test_skipped_records_are_counted_on_the_line_and_told_by_topic():
    assert progress_text(SKIPPING) == "batch 1 · 9 rows · 1 rows/s · 1,202 skipped"
    assert skipped_text(SKIPPING) == "1,202 records skipped: topic a 1,201, topic b 1"
    one = Progress(1, 9, 1.0, None, 1, skipped={"a": {0: 1}})
    assert skipped_text(one) == "1 record skipped: topic a 1"


def test_nothing_is_said_of_no_skipped_records():
    assert skipped_text(None) is None
    assert skipped_text(SOME) is None


def test_before_the_first_batch():
    assert progress_text(None) == "waiting for data"


def test_a_terminal_shows_a_line_per_job_and_clears_them(terminal, make_job, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    lines = ProgressLines(terminal)
    lines.update([make_job("copy", progress=SOME), make_job("count")])
    lines.clear()
    drawn = terminal.getvalue()
    assert "copy  batch 12" in drawn
    assert "count  waiting for data" in drawn
    erase_line = "\x1b[2K"
    assert drawn.rstrip().endswith(erase_line) or erase_line in drawn.split("count")[-1]


def test_redrawing_keeps_to_its_pace(terminal, make_job, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    now = [100.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    lines = ProgressLines(terminal)
    job = make_job("copy", progress=SOME)
    lines.update([job])
    once = terminal.getvalue()
    lines.update([job])
    assert terminal.getvalue() == once
    now[0] += module.REDRAW_SECONDS
    lines.update([job])
    assert len(terminal.getvalue()) > len(once)
    lines.clear()


def test_nothing_is_drawn_where_there_is_no_terminal(make_job):
    stream = io.StringIO()
    lines = ProgressLines(stream)
    lines.update([make_job(progress=SOME)])
    lines.clear()
    assert stream.getvalue() == ""


@pytest.mark.parametrize("times", [1, 2])
def test_clearing_an_empty_screen_is_nothing(times, terminal):
    lines = ProgressLines(terminal)
    for _ in range(times):
        lines.clear()
    assert terminal.getvalue() == ""


def test_words_stand_until_something_else_is_drawn(terminal, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    lines = ProgressLines(terminal)
    lines.say("starting …")
    assert "starting …" in terminal.getvalue()
    lines.clear()
    stream = io.StringIO()
    ProgressLines(stream).say("starting …")
    assert stream.getvalue() == ""


def test_set_up_is_a_line_per_step_in_a_log(capsys):
    bars = SetupBars()
    bars(ProgressEvent("jars", "a.jar", 1, 2))
    bars(ProgressEvent("jars", "b.jar", 2, 2))
    bars(ProgressEvent("operators", "compiled", 1, 1))
    shown = capsys.readouterr().err.splitlines()
    assert shown == ["[jars 1/2] a.jar", "[jars 2/2] b.jar", "[operators 1/1] compiled"]


@pytest.fixture
def shown(monkeypatch):
    """When bars appear and go."""
    life: list[str] = []

    @contextmanager
    def show() -> Iterator[Callable[[ProgressEvent], None]]:
        life.append("appear")
        yield lambda event: life.append(event.detail)
        life.append("go")

    monkeypatch.setattr(module, "show_progress", show)
    return life


def test_bars_go_when_a_step_is_done(shown):
    bars = SetupBars()
    bars(ProgressEvent("jars", "a.jar", 1, 1))
    bars(ProgressEvent("operators", "compiling", 0, 1))
    assert shown == ["appear", "a.jar", "go", "appear", "compiling"]


def test_bars_of_a_step_that_failed_go_when_they_are_closed(shown):
    bars = SetupBars()
    bars(ProgressEvent("operators", "compiling", 0, 1))
    bars.close()
    bars.close()
    assert shown == ["appear", "compiling", "go"]
