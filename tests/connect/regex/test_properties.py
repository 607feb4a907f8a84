from __future__ import annotations

import re

import pytest

from headrace.connect.regex.faults import UntranslatableRegex
from headrace.connect.regex.properties import ESCAPES, NOT_LINE_ENDS, named


def held(inside: str, characters: str) -> str:
    return "".join(re.findall(f"[{inside}]", characters))


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Lower", "a"), ("Alpha", "aB"), ("Punct", "[~"), ("L", "aBäΩ"), ("Lu", "BΩ"), ("IsLl", "aä"), ("N", "1٣"),
     ("IsDigit", "1٣"), ("Digit", "1"), ("IsWhite_Space", " "), ("IsLetter", "aBäΩ"), ("javaUpperCase", "BΩ"), ("S", "~")],
)  # fmt: skip
def test_families(name, kept):
    assert held(named(name), "aBäΩ1٣[~ \x1c") == kept


@pytest.mark.parametrize(
    "name", ["IsGreek", "InCyrillic", "script=Latin", "", "IsAlphabetic", "javaMirrored"]
)
def test_families_of_which_nothing_is_known_here(name):
    with pytest.raises(UntranslatableRegex, match="has no counterpart"):
        named(name)


def test_single_letters_are_of_ascii():
    assert held(ESCAPES["w"], "aä_1-") == "a_1"
    assert held(ESCAPES["h"], "a\t\u3000\n") == "\t\u3000"
    assert held(ESCAPES["v"], "\n\u2028 ") == "\n\u2028"
    assert re.findall(NOT_LINE_ENDS, "a\r\x0b\u2029") == ["a", "\x0b"]
