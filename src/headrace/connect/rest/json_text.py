"""JSON with its places, and what Connect's parser says of text that is none.

Connect shows its parser's own words to clients, with line and column; people search for them.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from headrace.connect.answers import Refusal

_SOURCE = "[Source: REDACTED (`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION` disabled); {}]"

_BLANK = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\.)*)')
_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_WORD = re.compile(r"[A-Za-z0-9_$]*")
_WORDS = {"true": True, "false": False, "null": None}


@dataclass(frozen=True, slots=True)
class Node:
    """A value: Python's, a list of nodes, or pairs of a name and a node; numbers also as they were written."""

    value: Any
    kind: str
    start: int
    end: int
    written: str = ""

    def plain(self) -> Any:
        match self.kind:
            case "object":
                return {name: node.plain() for name, node in self.value}
            case "array":
                return [node.plain() for node in self.value]
            case _:
                return self.value


class JsonText:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> Node | None:
        """The only value of the text, None where there is none."""
        if self._next() == "":
            return None
        node = self._value()
        if self._next():
            self._value()
        return node

    def malformed(self, message: str, at: int, chain: str = "") -> NoReturn:
        reached = f" (through reference chain: {chain})" if chain else ""
        raise Refusal(500, f"{message}\n at {self._source(at)}{reached}")

    def _source(self, at: int) -> str:
        line = self.text.count("\n", 0, at) + 1
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        return _SOURCE.format(f"line: {line}, column: {column}")

    def _next(self) -> str:
        """The next character that is no blank, not passed."""
        found = _BLANK.match(self.text, self.at)
        assert found is not None
        self.at = found.end()
        return self.text[self.at : self.at + 1]

    def _value(self) -> Node:
        mark, start = self._next(), self.at
        if mark == "{":
            return self._object()
        if mark == "[":
            return self._array()
        if mark == '"':
            return Node(self._string("VALUE_STRING"), "string", start, self.at)
        if mark == "-" or mark.isdecimal():
            return self._number()
        return self._word()

    def _object(self) -> Node:
        start, members = self.at, list[tuple[str, Node]]()
        self.at += 1
        while True:
            mark = self._required("Object", start)
            if mark == "}" and not members:
                break
            if mark != '"':
                self._unexpected(mark, ": was expecting double-quote to start field name")
            name = self._string("field name")
            mark = self._next() or self._ended("within/between Object entries")
            if mark != ":":
                self._unexpected(mark, ": was expecting a colon to separate field name and value")
            self.at += 1
            if not self._next():
                self._ended("within/between Object entries")
            members.append((name, self._value()))
            mark = self._required("Object", start)
            if mark == "}":
                break
            if mark != ",":
                self._unexpected(mark, ": was expecting comma to separate Object entries")
            self.at += 1
        self.at += 1
        return Node(members, "object", start, self.at)

    def _array(self) -> Node:
        start, members = self.at, list[Node]()
        self.at += 1
        while self._required("Array", start) != "]" or members:
            members.append(self._value())
            mark = self._required("Array", start)
            if mark == "]":
                break
            if mark != ",":
                self._unexpected(mark, ": was expecting comma to separate Array entries")
            self.at += 1
        self.at += 1
        return Node(members, "array", start, self.at)

    def _string(self, what: str) -> str:
        found = _STRING.match(self.text, self.at)
        assert found is not None
        mark = self.text[found.end() : found.end() + 1]
        if mark == "":
            self.at = len(self.text)
            self._ended(f"in {what}")
        if mark != '"':
            kind = "name" if what == "field name" else "string value"
            self.malformed(
                f"Illegal unquoted character ((CTRL-CHAR, code {ord(mark)})): has to be escaped using "
                f"backslash to be included in {kind}",
                found.end(),
            )
        self.at = found.end() + 1
        try:
            text: str = json.loads(f'"{found[1]}"')
        except ValueError as error:
            self.malformed(f"Unrecognized character escape: {error}", found.end())
        return text

    def _number(self) -> Node:
        start = self.at
        found = _NUMBER.match(self.text, start)
        if found is None:
            self.at += 1
            mark = self.text[self.at : self.at + 1] or self._ended("in a Number value")
            self._unexpected(
                mark,
                " in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value",
            )
        following = self.text[found.end() : found.end() + 1]
        if found[1] == "0" and following.isdecimal():
            self.malformed("Invalid numeric value: Leading zeroes not allowed", found.end())
        self.at = found.end()
        kind = "float" if found[2] or found[3] else "int"
        return Node(json.loads(found[0]), kind, start, self.at, found[0])

    def _word(self) -> Node:
        start = self.at
        found = _WORD.match(self.text, start)
        assert found is not None
        if not found[0]:
            self._unexpected(self.text[start], ": expected a value")
        if found[0] not in _WORDS:
            # The character behind it was read to see that it ends.
            self.malformed(
                f"Unrecognized token '{found[0]}': was expecting (JSON String, Number, Array, Object or "
                "token 'null', 'true' or 'false')",
                found.end() + (found.end() < len(self.text)),
            )
        self.at = found.end()
        return Node(_WORDS[found[0]], found[0], start, self.at, found[0])

    def _required(self, kind: str, start: int) -> str:
        mark = self._next()
        if not mark:
            marker = f"(start marker at {self._source(start)})"
            self.malformed(
                f"Unexpected end-of-input: expected close marker for {kind} {marker}", self.at
            )
        return mark

    def _ended(self, where: str) -> NoReturn:
        self.malformed(f"Unexpected end-of-input {where}", self.at)

    def _unexpected(self, mark: str, message: str) -> NoReturn:
        self.malformed(f"Unexpected character ('{mark}' (code {ord(mark)})){message}", self.at)
