"""Classes in brackets, with Java's unions and intersections, as an expression of `re` for one character."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from headrace.connect.regex.cursor import Cursor
from headrace.connect.regex.faults import UntranslatableRegex
from headrace.connect.regex.properties import ESCAPES, named

_ANY = r"[\s\S]"


@dataclass(slots=True)
class _Union:
    """`inside` goes into one class of `re`; `others` are expressions of their own."""

    inside: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not self.inside and not self.others

    def text(self) -> str:
        flat = [f"[{''.join(self.inside)}]"] if self.inside else []
        choices = [*flat, *self.others]
        return choices[0] if len(choices) == 1 else f"(?:{'|'.join(choices)})"


def bracketed(cursor: Cursor) -> str:
    """A class whose first bracket is passed."""
    negated = cursor.skip("^")
    operands = [_Union()]
    while True:
        if cursor.peek() == "]" and not (len(operands) == 1 and operands[0].empty):
            cursor.take()
            break
        if cursor.skip("&&"):
            operands.append(_Union())
        else:
            _one(cursor, operands[-1])
    # `[a&&]` is [a], as Java reads it.
    texts = [union.text() for union in operands if not union.empty]
    if not texts:
        raise cursor.malformed("Bad class syntax")
    whole = "".join(f"(?={text})" for text in texts[:-1]) + texts[-1]
    if negated:
        return f"(?:(?!{whole}){_ANY})"
    return f"(?:{whole})" if len(texts) > 1 else whole


def _one(cursor: Cursor, union: _Union) -> None:
    if cursor.skip("["):
        union.others.append(bracketed(cursor))
        return
    if cursor.skip("\\Q"):
        union.inside.extend(map(escaped, cursor.until("\\E")))
        return
    first = _literal(cursor)
    if first is None:
        _add_named(cursor, union)
    elif cursor.peek() == "-" and cursor.peek(1) not in ("]", "["):
        cursor.take()
        union.inside.append(_range(cursor, first))
    else:
        union.inside.append(escaped(first))


def _range(cursor: Cursor, first: str) -> str:
    last = _literal(cursor)
    if last is None or last < first:
        raise cursor.malformed("Illegal character range")
    return f"{escaped(first)}-{escaped(last)}"


def _literal(cursor: Cursor) -> str | None:
    """A character; None before an escape that stands for several, whose backslash is passed."""
    return cursor.character() if cursor.skip("\\") else cursor.take()


def _add_named(cursor: Cursor, union: _Union) -> None:
    inner, negated = several(cursor)
    if negated:
        union.others.append(f"[^{inner}]")
    else:
        union.inside.append(inner)


def several(cursor: Cursor) -> tuple[str, bool]:
    """What an escape for several characters holds, and whether it means all others; its backslash is passed."""
    letter = cursor.take()
    if letter in "pP":
        return named(_property(cursor)), letter == "P"
    if letter.lower() in ESCAPES:
        return ESCAPES[letter.lower()], letter.isupper()
    if letter in "GXRbB":
        raise UntranslatableRegex(f"\\{letter} has no counterpart here")
    raise cursor.malformed(f"Illegal/unsupported escape sequence \\{letter}")


def _property(cursor: Cursor) -> str:
    if not cursor.skip("{"):
        return cursor.take()
    name = cursor.until("}")
    if not name or not cursor.text.startswith("}", cursor.at - 1):
        raise cursor.malformed("Unclosed character family")
    return name


def escaped(character: str) -> str:
    """A character that means itself inside and outside of classes."""
    return re.escape(character)
