from __future__ import annotations

import io
import re

import pytest

from headrace.toolchain.progress import ProgressEvent, TerminalReporter, show_progress, silent


class FakeTerminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def usual_terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")


def test_an_event_is_finished_when_all_is_done():
    assert ProgressEvent("t", "x", 3, 3).finished
    assert not ProgressEvent("t", "x", 2, 3).finished
    assert not ProgressEvent("t", "x", 2).finished


def test_a_log_gets_a_line_per_event():
    stream = io.StringIO()
    with show_progress(stream) as report:
        report(ProgressEvent("broker", "resolving"))
        report(ProgressEvent("broker", "kafka.jar", 1, 46))
    assert stream.getvalue() == "[broker] resolving\n[broker 1/46] kafka.jar\n"


def test_lines_reach_the_log_at_once():
    stream = io.StringIO()
    with show_progress(stream) as report:
        report(ProgressEvent("t", "first"))
        assert "first" in stream.getvalue()


def test_a_terminal_gets_a_bar_per_task():
    stream = FakeTerminal()
    with show_progress(stream) as report:
        assert isinstance(report, TerminalReporter)
        report(ProgressEvent("spark", "a.jar", 1, 2))
        report(ProgressEvent("broker", "b.jar", 5, 10))
        report(ProgressEvent("spark", "c.jar", 2, 2))
    drawn = stream.getvalue()
    assert "spark" in drawn
    assert "broker" in drawn
    assert "2/2" in drawn


def test_a_terminal_that_cannot_redraw_gets_the_lines_of_a_log(monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    stream = FakeTerminal()
    with show_progress(stream) as report:
        report(ProgressEvent("broker", "kafka.jar", 1, 46))
    assert stream.getvalue() == "[broker 1/46] kafka.jar\n"


def test_a_log_gets_few_lines_about_a_download():
    stream = io.StringIO()
    with show_progress(stream) as report:
        for done in range(0, 200, 10):
            report(ProgressEvent("jars", "a.jar", done * 10**6, 190 * 10**6, "bytes"))
    assert stream.getvalue() == "[jars 0/190 MB] a.jar\n[jars 190/190 MB] a.jar\n"


def test_a_terminal_shows_megabytes_and_the_time_left():
    stream = FakeTerminal()
    with show_progress(stream) as report:
        for done in (0, 20, 60):
            report(ProgressEvent("jars", "a.jar", done * 10**6, 190 * 10**6, "bytes"))
    assert "60/190 MB" in stream.getvalue()
    assert re.search(r"\d+ s left", stream.getvalue())


def test_stderr_is_the_default_stream(capsys):
    with show_progress() as report:
        report(ProgressEvent("t", "seen"))
    captured = capsys.readouterr()
    assert "seen" in captured.err
    assert captured.out == ""


def test_silent_says_nothing(capsys):
    silent(ProgressEvent("t", "x"))
    assert capsys.readouterr() == ("", "")
