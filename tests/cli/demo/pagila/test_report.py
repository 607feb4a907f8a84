import dataclasses
import io
import json

import pytest
from rich.console import Console

from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.changed_rows import ChangedValue
from headrace.cli.demo.pagila.report import Report
from headrace.cli.demo.pagila.verdict import compare

ROW = {"address_id": 104}
CHANGED = [
    ChangedValue(101, "address2", "", "Flat 2", "Flat 2", ("Flat 1", "Flat 2"), "Flat 2"),
    ChangedValue(101, "phone", None, "[1]", "[1]", ("[1]",), "[1]"),
    ChangedValue(104, "address", "4 Elm", "deleted", "4 Elm", ("deleted",), "4 Elm"),
]


def report(*, equal=True):
    return Report(
        {"pagila.query": 606},
        "lake",
        [Object("topics/pagila.query/country=X/pagila.query+0+0000000000.gz.parquet", 5)],
        CHANGED,
        [compare("topic pagila.query", {104: ROW}, {}, {104} if equal else set())],
        12.34,
    )


@pytest.fixture
def drawn():
    def draw(shown, width=160):
        stream = io.StringIO()
        Console(file=stream, width=width, markup=False).print(shown.text())
        return [line.split() for line in stream.getvalue().splitlines()]

    return draw


def test_a_changed_row_is_shown_as_every_place_holds_it(drawn):
    lines = drawn(report())
    at = next(number for number, line in enumerate(lines) if line[:2] == ["101", "address2"])
    assert lines[at] == ["101", "address2", "''", *["Flat", "2"] * 2, "Flat", "1", "Flat", "2"]
    assert lines[at + 1] == ["then", "Flat", "2"], "what the log had beside the last value"
    assert lines[at + 2] == ["phone", "NULL", "[1]", "[1]", "[1]", "[1]"]
    assert lines[at + 3] == [
        "104",
        "address",
        "4",
        "Elm",
        "deleted",
        "4",
        "Elm",
        "deleted",
        "4",
        "Elm",
    ]


def test_the_end_says_equal(drawn):
    lines = drawn(report())
    assert ["topic", "pagila.query", "0", "0", "0", "104", "equal"] in lines
    assert any(
        line[:3] == ["equal:", "every", "row"] and line[-2:] == ["12", "s."] for line in lines
    )


def test_the_end_says_different(drawn):
    lines = drawn(report(equal=False))
    assert ["topic", "pagila.query", "0", "0", "0", "104", "different"] in lines
    assert any(line[:1] == ["different:"] for line in lines)
    assert not any(line[:1] == ["equal:"] for line in lines)


def test_the_document_for_programs():
    facts = json.loads(json.dumps(report().facts()))
    assert facts["topics"] == {"pagila.query": 606}
    assert (facts["equal"], facts["seconds"]) == (True, 12.3)
    assert facts["changed"][0]["by_log"] == ["Flat 1", "Flat 2"]
    assert facts["changed"][2]["lake"] == "4 Elm"
    assert facts["checks"][0]["deleted_but_there"] == [104]
    assert list(facts["objects"].values()) == [5]
    assert report(equal=False).facts()["equal"] is False


def test_one_difference_is_enough():
    shown = report()
    bad = compare("objects", {}, {1: ROW})
    assert not dataclasses.replace(shown, checks=[*shown.checks, bad]).equal
