"""Expressions of Java's as expressions of `re`.

    compiled("(?<db>\\\\w++)\\\\.\\\\p{Lower}+").fullmatch("shop.orders")

What is no expression of Java's raises MalformedRegex; what Python has no counterpart for, UntranslatableRegex.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache

from headrace.connect.regex.classes import bracketed, escaped, several
from headrace.connect.regex.cursor import Cursor
from headrace.connect.regex.faults import MalformedRegex, UntranslatableRegex
from headrace.connect.regex.properties import NOT_LINE_ENDS

_GROUP_NAME = re.compile(r"\(\?<([A-Za-z][A-Za-z0-9]*)>")
_FLAGS = re.compile(r"\(\?([a-zA-Z]*)(-[a-zA-Z]*)?([):])")
_OTHER_GROUP = re.compile(r"\(\?(:|=|!|>|<=|<!)")
_REFERENCE = re.compile(r"k<([A-Za-z][A-Za-z0-9]*)>")
_TIMES = re.compile(r"\{[0-9]+(,[0-9]*)?\}")

# Flags that mean the same in both languages.
_SHARED_FLAGS = frozenset("ims")
_JAVA_FLAGS = frozenset("idmsuxU")
_BOUNDARIES = {"b": r"\b", "B": r"\B", "A": r"\A", "z": r"\Z", "Z": r"(?=\n?\Z)"}
_LINE_END = r"(?:\r\n|[\n-\r\x85\u2028\u2029])"


@cache
def compiled(expression: str) -> re.Pattern[str]:
    """The expression for `fullmatch`; raises MalformedRegex or UntranslatableRegex."""
    text = _Translation(Cursor(expression)).whole()
    try:
        return re.compile(text, re.ASCII)
    except re.error as refused:
        kind = UntranslatableRegex if "look-behind" in str(refused) else MalformedRegex
        raise kind(str(refused)) from None


def matches(expressions: Iterable[str], text: str) -> bool:
    """Whether one of the expressions matches all of a text."""
    return any(compiled(expression).fullmatch(text) for expression in expressions)


def fault(expression: str) -> str | None:
    """What is wrong with an expression, None where it can be used."""
    try:
        compiled(expression)
    except UntranslatableRegex as refused:
        return f"{refused}; write the expression without it"
    except MalformedRegex as refused:
        return str(refused)
    return None


def in_java(refused: MalformedRegex, expression: str) -> str:
    """The fault as Java shows it: with the expression below, and a mark where it is."""
    lines = [str(refused), expression]
    found = re.search(r"near index (\d+)$", str(refused))
    if found and int(found[1]) < len(expression):
        lines.append(re.sub(r"[^\t]", " ", expression[: int(found[1])]) + "^")
    return "\n".join(lines)


@dataclass(slots=True)
class _Scope:
    """A group that is open: whether dots match all, and the groups that were opened in it for flags."""

    dot_all: bool = False
    flags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Translation:
    cursor: Cursor
    out: list[str] = field(default_factory=list)
    scopes: list[_Scope] = field(default_factory=lambda: [_Scope()])
    groups: int = 0

    def whole(self) -> str:
        while self.cursor.peek():
            self._one()
        if len(self.scopes) > 1:
            raise self.cursor.malformed("Unclosed group")
        self.out.append(")" * len(self.scopes[0].flags))
        return "".join(self.out)

    def _one(self) -> None:
        special: dict[str, Callable[[], None]] = {
            "\\": self._escape,
            "[": self._class,
            "(": self._open,
            ")": self._close,
            ".": self._dot,
            "{": self._times,
            "|": self._either,
        }
        handle = special.get(self.cursor.peek())
        if handle is not None:
            handle()
        elif self.cursor.peek() in "*+?^$":
            self.out.append(self.cursor.take())
        else:
            self.out.append(escaped(self.cursor.take()))

    def _class(self) -> None:
        self.cursor.take()
        self.out.append(bracketed(self.cursor))

    def _dot(self) -> None:
        self.cursor.take()
        self.out.append("." if self.scopes[-1].dot_all else NOT_LINE_ENDS)

    def _times(self) -> None:
        found = self.cursor.match(_TIMES)
        if found is None:
            raise self.cursor.malformed("Illegal repetition")
        self.out.append(found[0])

    def _either(self) -> None:
        """Flags hold to the end of their group, also behind a bar."""
        self.cursor.take()
        flags = self.scopes[-1].flags
        self.out.append(f"{')' * len(flags)}|{''.join(flags)}")

    def _open(self) -> None:
        if found := self.cursor.match(_GROUP_NAME):
            self._enter(f"(?P<{found[1]}>", captures=True)
        elif found := self.cursor.match(_OTHER_GROUP):
            self._enter(found[0])
        elif found := self.cursor.match(_FLAGS):
            self._flags(found[1], (found[2] or "")[1:], ends=found[3] == ")")
        elif self.cursor.text.startswith("(?", self.cursor.at):
            raise self.cursor.malformed("Unknown group type")
        else:
            self.cursor.take()
            self._enter("(", captures=True)

    def _enter(self, text: str, *, captures: bool = False) -> None:
        self.groups += captures
        self.out.append(text)
        self.scopes.append(_Scope(self.scopes[-1].dot_all))

    def _close(self) -> None:
        if len(self.scopes) == 1:
            raise self.cursor.malformed("Unmatched closing ')'")
        self.cursor.take()
        self.out.append(")" * (1 + len(self.scopes.pop().flags)))

    def _flags(self, on: str, off: str, *, ends: bool) -> None:
        """`(?i)` holds to the end of the group around it, `(?i:` opens one."""
        if unknown := set(on + off) - _JAVA_FLAGS:
            raise self.cursor.malformed(f"Unknown inline modifier {min(unknown)}")
        if others := set(on + off) - _SHARED_FLAGS:
            raise UntranslatableRegex(f"the flag {min(others)} has no counterpart")
        opening = f"(?{on}{'-' if off else ''}{off}:"
        if not ends:
            self._enter(opening)
        else:
            self.out.append(opening)
            self.scopes[-1].flags.append(opening)
        scope = self.scopes[-1]
        scope.dot_all = (scope.dot_all or "s" in on) and "s" not in off

    def _escape(self) -> None:
        self.cursor.take()
        letter = self.cursor.peek()
        if self.cursor.skip("Q"):
            self.out.extend(map(escaped, self.cursor.until("\\E")))
        elif letter in _BOUNDARIES and letter:
            self.cursor.take()
            self.out.append(_BOUNDARIES[letter])
        elif self.cursor.skip("R"):
            self.out.append(_LINE_END)
        elif found := self.cursor.match(_REFERENCE):
            self.out.append(f"(?P={found[1]})")
        elif letter in "123456789" and letter:
            self.out.append(f"(?:\\{self._number()})")
        elif (character := self.cursor.character()) is not None:
            self.out.append(escaped(character))
        else:
            inner, negated = several(self.cursor)
            self.out.append(f"[{'^' if negated else ''}{inner}]")

    def _number(self) -> int:
        """Java takes further digits only while there is a group of that number."""
        number = int(self.cursor.take())
        while self.cursor.peek().isdecimal():
            longer = number * 10 + int(self.cursor.peek())
            if longer > self.groups:
                break
            self.cursor.take()
            number = longer
        return number
