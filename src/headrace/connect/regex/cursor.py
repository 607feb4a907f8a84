"""A place in an expression, and the escapes that stand for one character."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from headrace.connect.regex.faults import MalformedRegex

_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "a": "\a", "e": "\x1b"}
_NUMBERED = (
    (re.compile(r"x([0-9A-Fa-f]{2})"), 16),
    (re.compile(r"x\{([0-9A-Fa-f]+)\}"), 16),
    (re.compile(r"u([0-9A-Fa-f]{4})"), 16),
    (re.compile(r"0([0-3][0-7]{2}|[0-7]{1,2})"), 8),
)
_NAMED = re.compile(r"N\{([^}]+)\}")


@dataclass(slots=True)
class Cursor:
    text: str
    at: int = 0

    def peek(self, ahead: int = 0) -> str:
        """A character, "" at the end."""
        return self.text[self.at + ahead : self.at + ahead + 1]

    def take(self) -> str:
        found = self.peek()
        if not found:
            raise self.malformed("it ends too early")
        self.at += 1
        return found

    def skip(self, text: str) -> bool:
        """Whether this stands here; then it is passed."""
        found = self.text.startswith(text, self.at)
        self.at += len(text) if found else 0
        return found

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """What stands here, passed where it matches."""
        found = pattern.match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found

    def until(self, end: str) -> str:
        """What stands before `end`, or all that is left; both are passed."""
        inner, _, _ = self.text[self.at :].partition(end)
        self.at = min(len(self.text), self.at + len(inner) + len(end))
        return inner

    def malformed(self, reason: str) -> MalformedRegex:
        return MalformedRegex(f"{reason} near index {self.at}")

    def character(self) -> str | None:
        """The character that an escape stands for, whose backslash is passed; None where it is no such escape."""
        for pattern, base in _NUMBERED:
            if found := self.match(pattern):
                return self._of_number(int(found[1], base))
        if found := self.match(_NAMED):
            return self._of_name(found[1])
        letter = self.peek()
        if letter in _CONTROLS and letter:
            self.at += 1
            return _CONTROLS[letter]
        if letter == "c":
            self.at += 1
            # As Java: the letter's code with its seventh bit turned over.
            return chr(ord(self.take()) ^ 64)
        if not (letter.isascii() and letter.isalnum()):
            return self.take()
        return None

    def _of_number(self, code: int) -> str:
        if code > 0x10FFFF:
            raise self.malformed("there is no such character")
        return chr(code)

    def _of_name(self, name: str) -> str:
        try:
            return unicodedata.lookup(name)
        except KeyError:
            raise self.malformed(f"there is no character named {name}") from None
