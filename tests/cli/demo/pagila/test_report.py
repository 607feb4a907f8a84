import io
import json

import pytest
from rich.console import Console

from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.report import Report, Topic
from headrace.cli.demo.pagila.verdict import compare

ROW = {"address_id": 104, "address2": None}


def report(*, history=(ROW,), equal=True):
    return Report(
        [Topic("pagila.query", "jdbc_02", 606)],
        "lake",
        [Object("topics/pagila.query/country=X/pagila.query+0+0000000000.gz.parquet", 5)],
        history,
        [ROW],
        {101: ["address2 = 'b'"]},
        {101: ["address2 = 'a'", "address2 = 'b'"], 104: ["deleted", "tombstone"]},
        [compare("topic pagila.query", {104: ROW}, {}, {104} if equal else set())],
        12.34,
    )


@pytest.fixture
def drawn():
    def draw(shown):
        stream = io.StringIO()
        Console(file=stream, width=160).print(shown.text())
        return stream.getvalue()

    return draw


def line(text, start):
    return next(line for line in text.splitlines() if line.startswith(start)).split()


def test_people_see_every_section(drawn):
    text = drawn(report())
    assert line(text, "pagila.query") == ["pagila.query", "jdbc_02", "606"]
    assert "country=X/  (1 object)" in text
    assert "104         NULL" in text
    assert line(text, "topic pagila.query") == [
        "topic",
        "pagila.query",
        "0",
        "0",
        "0",
        "104",
        "equal",
    ]
    assert "equal: every row matches the database, 12 s" in text
    assert "examples/pagila" in text


def test_what_one_capture_saw_stands_beside_the_other(drawn):
    text = drawn(report())
    assert line(text, "101") == ["101", "address2", "=", "'b'", "address2", "=", "'a'"]
    assert line(text, "104         nothing")[1:] == ["nothing", "deleted"]


def test_a_difference_is_told(drawn):
    text = drawn(report(equal=False))
    assert "different: not every row matches the database" in text
    assert line(text, "topic pagila.query")[-1] == "different"


def test_postal_codes_are_for_programs(drawn):
    shown = report(history=[{"address_id": 1, "postal_code": "07919", "city": "Ashby"}])
    assert "07919" not in drawn(shown)
    assert line(drawn(shown), "1           ")[1:] == ["Ashby"]
    assert shown.facts()["history"][0]["postal_code"] == "07919"


def test_no_rows_are_no_failure(drawn):
    assert "no rows" in drawn(report(history=()))


def test_the_document_for_programs():
    facts = json.loads(json.dumps(report().facts()))
    assert facts["topics"] == {"pagila.query": 606}
    assert facts["equal"] is True
    assert facts["seconds"] == 12.3
    assert facts["seen_by_log"] == {
        "101": ["address2 = 'a'", "address2 = 'b'"],
        "104": ["deleted", "tombstone"],
    }
    assert facts["checks"][0]["deleted_but_there"] == [104]
    assert list(facts["objects"].values()) == [5]
    assert report(equal=False).facts()["equal"] is False


def test_sections_stand_in_the_order_of_the_walk(drawn):
    text = drawn(report())
    titles = ["Topics", "Objects", "Every version", "The last version", "Changes of", "Compared"]
    places = [text.index(f"\n{title}" if place else title) for place, title in enumerate(titles)]
    assert places == sorted(places)


def test_numbers_stand_to_the_right(drawn):
    shown = report()
    lines = drawn(shown).splitlines()
    head = next(line for line in lines if line.startswith("topic  "))
    row = next(line for line in lines if line.startswith("pagila.query"))
    assert head.rstrip().endswith("records")
    assert len(row.rstrip()) == len(head.rstrip())


def test_one_difference_is_enough():
    shown = report()
    good, bad = shown.checks[0], compare("objects", {}, {1: ROW})
    assert not Report(**{**fields(shown), "checks": [good, bad]}).equal
    assert Report(**{**fields(shown), "checks": [good, good]}).equal


def fields(shown):
    return {name: getattr(shown, name) for name in Report.__dataclass_fields__}
