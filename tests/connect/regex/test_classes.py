from __future__ import annotations

import re

import pytest

from headrace.connect.regex.classes import bracketed, escaped
from headrace.connect.regex.cursor import Cursor
from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex

LETTERS = "abcxyz059-]&^[.\\"


@pytest.mark.parametrize(
    ("inside", "kept"),
    [
        ("a-c]", "abc"),
        ("^a-z0-9]", "-]&^[.\\"),
        ("a-cx-z&&[b-y]]", "bcxy"),
        ("a-z&&b-y&&[^c]]", "bxy"),
        ("^a-z&&[^b]]", "b059-]&^[.\\"),
        ("a[x[0-5]]]", "ax05"),
        (r"\d&&[^0]]", "59"),
        (r"\D&&[a-c5]]", "abc"),
        ("a^]", "a^"),
        (r"\]\[\\]", r"][" + "\\"),
        ("a&&]", "a"),
        ("-a]", "a-"),
        (".]", "."),
    ],
)
def test_unions_intersections_and_what_is_left(inside, kept):
    cursor = Cursor(inside)
    pattern = re.compile(bracketed(cursor))
    assert cursor.at == len(inside)
    assert sorted(filter(pattern.fullmatch, LETTERS)) == sorted(kept)


@pytest.mark.parametrize("inside", ["a", "", "^", "z-a]", r"a-\w]", r"\y]", "&&]"])
def test_what_is_no_class(inside):
    with pytest.raises(MalformedRegex):
        bracketed(Cursor(inside))


def test_what_no_class_of_python_can_say():
    with pytest.raises(UntranslatableRegex, match=r"\\p\{IsThai\}"):
        bracketed(Cursor(r"\p{IsThai}]"))


def test_characters_mean_themselves():
    assert all(re.fullmatch(f"[{escaped(c)}]", c) and re.fullmatch(escaped(c), c) for c in LETTERS)
