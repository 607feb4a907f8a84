import re

import pytest

from headrace.cli.demo.pagila import steps as module
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.output import JsonOutput, TextOutput
from headrace.errors import EnvironmentFault


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0)


def test_notes_carry_the_time(capsys):
    Steps(TextOutput()).note("it began")
    assert re.fullmatch(r" +\d+\.\d s  it began\n", capsys.readouterr().err)


def test_it_waits_until_nothing_is_missing(capsys):
    left = ["two", "one", ""]
    Steps(TextOutput()).until("all there", lambda: left.pop(0))
    assert left == []
    assert capsys.readouterr().err.endswith("all there\n")


def test_what_is_missing_in_the_end_is_told():
    with pytest.raises(EnvironmentFault) as raised:
        Steps(TextOutput(), patience=0).until("all there", lambda: "one of two")
    assert raised.value.condition == "DEMO_STALLED"
    assert (raised.value.found, raised.value.expected) == ("one of two", "all there")


def test_programs_are_told_nothing_on_the_way(capsys):
    left = ["one", ""]
    steps = Steps(JsonOutput())
    steps.until("all there", lambda: left.pop(0))
    steps.close()
    assert capsys.readouterr() == ("", "")


def test_the_line_that_changes_tells_what_is_missing(monkeypatch):
    said = []
    monkeypatch.setattr(
        "headrace.cli.progress.ProgressLines.say", lambda self, text: said.append(text)
    )
    left = ["two", "one", ""]
    Steps(TextOutput()).until("all there", lambda: left.pop(0))
    assert [text.partition("s  ")[2] for text in said] == ["all there: two", "all there: one"]


def test_an_error_on_the_way_is_not_waited_out():
    def fail():
        raise EnvironmentFault("connector 'a' failed", condition="CONNECTOR_FAILED")

    with pytest.raises(EnvironmentFault, match="'a' failed"):
        Steps(TextOutput()).until("all there", fail)
