from __future__ import annotations

import re

import pytest

from headrace.connect.regex.cursor import Cursor
from headrace.connect.regex.faults import MalformedRegex


def test_taking_and_looking_ahead():
    cursor = Cursor("ab")
    assert (cursor.peek(), cursor.peek(1), cursor.peek(2)) == ("a", "b", "")
    assert cursor.take() + cursor.take() == "ab"
    with pytest.raises(MalformedRegex, match="it ends too early near index 2"):
        cursor.take()


def test_passing_over_text():
    cursor = Cursor("&&x")
    assert not cursor.skip("||")
    assert cursor.skip("&&")
    assert cursor.match(re.compile("y")) is None
    assert cursor.match(re.compile("x"))[0] == "x"
    assert cursor.peek() == ""


@pytest.mark.parametrize(("text", "inner", "left"), [("a.b\\Ec", "a.b", "c"), ("a.b", "a.b", "")])
def test_until_an_end_that_may_be_missing(text, inner, left):
    cursor = Cursor(text)
    assert cursor.until("\\E") == inner
    assert cursor.text[cursor.at :] == left


@pytest.mark.parametrize(
    ("escape", "character"),
    [("x41", "A"), ("x{1F600}", "\U0001f600"), ("u00e4", "ä"), ("0101", "A"), ("07", "\a"), ("n", "\n"), (".", "."),
     ("N{LATIN SMALL LETTER A}", "a"), ("c[", "\x1b")],
)  # fmt: skip
def test_escapes_of_one_character(escape, character):
    cursor = Cursor(escape)
    assert cursor.character() == character
    assert cursor.peek() == ""


@pytest.mark.parametrize("escape", ["d", "p{L}", "k<a>", "Z"])
def test_other_escapes_are_left_to_others(escape):
    cursor = Cursor(escape)
    assert cursor.character() is None
    assert cursor.at == 0
