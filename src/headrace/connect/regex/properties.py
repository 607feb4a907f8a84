r"""Classes of characters by name, `\p{…}` and the escapes of one letter, as the inside of a class of `re`."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

from headrace.connect.regex.faults import UntranslatableRegex

_LINE_ENDS = r"\n\x0b\f\r\x85\u2028\u2029"

# Those of the POSIX standard hold ASCII alone, as do \d, \w and \s.
_POSIX = {
    "Lower": "a-z",
    "Upper": "A-Z",
    "ASCII": r"\x00-\x7f",
    "Alpha": "a-zA-Z",
    "Digit": "0-9",
    "Alnum": "a-zA-Z0-9",
    "Punct": r"!-/:-@\[-`{-~",
    "Graph": "!-~",
    "Print": " -~",
    "Blank": r" \t",
    "Cntrl": r"\x00-\x1f\x7f",
    "XDigit": "0-9a-fA-F",
    "Space": r" \t\n\x0b\f\r",
}
ESCAPES = {
    "d": _POSIX["Digit"],
    "w": "a-zA-Z_0-9",
    "s": _POSIX["Space"],
    "h": r" \t\xa0\u1680\u180e\u2000-\u200a\u202f\u205f\u3000",
    "v": _LINE_ENDS,
}
# What a dot passes over unless the flag `s` is set.
NOT_LINE_ENDS = r"[^\n\r\x85\u2028\u2029]"

_PREDICATES: dict[str, Callable[[str], bool]] = {
    "Lowercase": str.islower,
    "Uppercase": str.isupper,
    "Digit": lambda character: unicodedata.category(character) == "Nd",
    "Letter": lambda character: unicodedata.category(character).startswith("L"),
    "White_Space": lambda character: character.isspace() and not "\x1c" <= character <= "\x1f",
}
_JAVA = {
    "javaLowerCase": "Lowercase",
    "javaUpperCase": "Uppercase",
    "javaLetter": "Letter",
    "javaDigit": "Digit",
}
_CATEGORIES = [
    "Lu",
    "Ll",
    "Lt",
    "Lm",
    "Lo",
    "Mn",
    "Mc",
    "Me",
    "Nd",
    "Nl",
    "No",
    "Pc",
    "Pd",
    "Ps",
    "Pe",
    "Pi",
    "Pf",
    "Po",
    "Sm",
    "Sc",
    "Sk",
    "So",
    "Zs",
    "Zl",
    "Zp",
    "Cc",
    "Cf",
    "Cs",
    "Co",
    "Cn",
]


def named(name: str) -> str:
    r"""What `\p{name}` holds."""
    if name in _POSIX:
        return _POSIX[name]
    bare = name.removeprefix("general_category=").removeprefix("gc=").removeprefix("Is")
    if bare and any(category.startswith(bare) for category in _CATEGORIES):
        return _of_category(bare)
    known = {known.lower(): known for known in _PREDICATES}
    wanted = _JAVA.get(name) or (known.get(bare.lower()) if name.startswith("Is") else None)
    if wanted is None:
        raise UntranslatableRegex(f"\\p{{{name}}} has no counterpart")
    return _of_predicate(wanted)


@cache
def _of_category(start: str) -> str:
    return _ranges(
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code)).startswith(start)
    )


@cache
def _of_predicate(name: str) -> str:
    holds = _PREDICATES[name]
    return _ranges(code for code in range(sys.maxunicode + 1) if holds(chr(code)))


def _ranges(codes: Iterable[int]) -> str:
    """Codes in rising order as ranges."""
    spans: list[list[int]] = []
    for code in codes:
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in spans)
