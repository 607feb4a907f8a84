import io
import re

import pytest
from rich.console import Console

from headrace.cli.demo.pagila import steps as module
from headrace.cli.demo.pagila.flow import Flow, seconds_to_rotation
from headrace.cli.demo.pagila.places import KEYED, QUERY, SINKS
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.output import TextOutput
from headrace.errors import EnvironmentFault


def test_a_step_that_does_not_end_names_what_is_missing():
    with pytest.raises(EnvironmentFault) as raised:
        Steps(TextOutput(), 5.0, patience=0).until("all there", lambda: "one of two", Flow)
    assert raised.value.condition == "DEMO_STALLED"
    assert (raised.value.found, raised.value.expected) == ("one of two", "all there")


FLOW = Flow(
    sent={KEYED: 603, QUERY: 1_204},
    written=dict.fromkeys(SINKS, 603),
    objects=dict.fromkeys(SINKS, 28),
)
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r")


@pytest.fixture
def screen(monkeypatch):
    """Runs a step of two polls and returns the lines that a terminal or a log then shows."""

    def run(*, terminal):
        monkeypatch.setenv("TERM", "xterm")
        stream = io.StringIO()
        console = Console(file=stream, force_terminal=terminal, width=80, color_system=None)
        monkeypatch.setattr(module, "terminal", lambda: console)
        monkeypatch.setattr(module, "LINE_SECONDS", 0.0)
        left = ["sink has 1 record to write", ""]
        Steps(TextOutput(), 5.0).until("all is there", lambda: left.pop(0), lambda: FLOW)
        return CONTROLS.sub("\n", stream.getvalue()).splitlines()

    return run


def test_a_terminal_shows_what_each_sink_has_written_of_how_many(screen):
    lines = screen(terminal=True)
    assert any("waiting until all is there" in line for line in lines)
    row = next(line.split() for line in lines if QUERY in line and "sink" in line)
    assert row[-6:-2] == [QUERY, "603", "1,204", "28"]
    assert row[-1] == "s"
    assert 0 <= int(row[-2]) <= 5
    assert max(map(len, lines)) <= 80


def test_a_log_has_a_line_with_the_sums(screen, capsys):
    assert screen(terminal=False) == []
    first, last = capsys.readouterr().err.splitlines()
    assert (
        "waiting until all is there: 1,807 records in topics, 1,809 of 2,410 in the bucket" in first
    )
    assert last.endswith("s  all is there")


def test_only_sinks_that_lag_have_records_to_write():
    assert FLOW.unwritten() == {sink: 601 for sink, topics in SINKS.items() if topics == (QUERY,)}


def test_rotations_are_at_multiples_of_their_interval():
    assert [seconds_to_rotation(now, 5.0) for now in (1_000.0, 1_001.5, 1_004.0)] == [5.0, 3.5, 1.0]
