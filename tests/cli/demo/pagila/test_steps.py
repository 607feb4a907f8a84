import io
import re

import pytest
from rich.console import Console

from headrace.cli.demo.pagila import steps as module
from headrace.cli.demo.pagila.example_files import PAIRS
from headrace.cli.demo.pagila.flow import Flow
from headrace.cli.demo.pagila.places import QUERY
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.output import JsonOutput, TextOutput
from headrace.errors import EnvironmentFault

FLOW = Flow({QUERY: 1603}, {PAIRS[5]: 100}, {PAIRS[5]: 12})


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(module, "POLL_SECONDS", 0)


def wait(steps, *left):
    states = [*left, ""]
    steps.until("all is there", lambda: states.pop(0), lambda: FLOW)
    assert states == []


def test_notes_carry_the_time(capsys):
    Steps(TextOutput(), 5.0).note("it began")
    assert re.fullmatch(r" +\d+\.\d s  it began\n", capsys.readouterr().err)


def test_it_waits_until_nothing_is_missing(capsys):
    wait(Steps(TextOutput(), 5.0), "two", "one")
    assert re.fullmatch(r" +\d+\.\d s  all is there\n", capsys.readouterr().err)


def test_without_a_terminal_a_line_comes_now_and_then(capsys, monkeypatch):
    clock = iter(range(1000))
    monkeypatch.setattr(module.time, "monotonic", lambda: float(next(clock)))
    wait(Steps(TextOutput(), 5.0), *["one"] * 20)
    *lines, last = capsys.readouterr().err.splitlines()
    assert 1 < len(lines) < 10
    assert all("… waiting until all is there: 1,603 records sent, 100 of" in line for line in lines)
    assert last.endswith("all is there")


def test_a_terminal_shows_what_moves_until_the_step_ends(monkeypatch, capsys):
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=True, width=120)
    monkeypatch.setattr(module, "terminal", lambda: console)
    wait(Steps(TextOutput(), 5.0), "one row")
    drawn = re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue())
    assert "waiting until all is there" in drawn
    assert "one row" in drawn
    assert re.search(r"pagila.query +100 +1,603 +12 +\d s", drawn)
    assert drawn.rstrip().endswith("\x1b[2K"), "the table is erased"


def test_a_step_that_does_not_end_names_what_is_missing():
    with pytest.raises(EnvironmentFault) as raised:
        Steps(TextOutput(), 5.0, patience=0).until("all there", lambda: "one of two", lambda: FLOW)
    assert raised.value.condition == "DEMO_STALLED"
    assert (raised.value.found, raised.value.expected) == ("one of two", "all there")


def test_programs_get_nothing_on_the_way(capsys):
    steps = Steps(JsonOutput(), 5.0)
    steps.sql("DELETE")
    wait(steps, "one")
    steps.close()
    assert capsys.readouterr() == ("", "")


def test_an_error_ends_the_wait():
    def fail():
        raise EnvironmentFault("connector 'a' failed", condition="CONNECTOR_FAILED")

    with pytest.raises(EnvironmentFault, match="'a' failed"):
        Steps(TextOutput(), 5.0).until("all there", fail, lambda: FLOW)
