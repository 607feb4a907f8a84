"""`${NAME}` in a script, replaced by a value before the script is parsed.

Inside quotes a value is escaped, so that it cannot end them. Elsewhere it is SQL text, and its own quotes must be closed.
Comments stay as they are, and `$${` stands for the characters `${`. Values are not searched for further variables. Messages
show places in the script as it was written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from headrace.errors import Position, SqlSyntaxError, UnknownName, UserError
from headrace.sql.lexer import Places, Token, UnclosedText, tokenize

_PARTS = re.compile(
    r"""
    (?P<comment>--[^\n]*|/\*(?!\+).*?\*/)
  | (?P<unicode>[uU]&'(?:[^']|'')*+'(?:\s+UESCAPE\s+'(?P<uescape>.)')?)
  | (?P<quoted>'(?:[^']|'')*+'|`(?:[^`]|``)*+`|"(?:[^"]|"")*+")
  | (?P<bare>\$\$\{|\$\{[^{}'"`\n]*\}?)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_VARIABLE = re.compile(r"\$\$\{|\$\{(?P<name>[^{}'\"`\n]*)(?P<end>\})?")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Script:
    """Text to parse, and the places of its characters in the script as it was written."""

    text: str
    source: str
    places: Places

    def tokens(self) -> list[Token]:
        return tokenize(self.text, self.source, self.places)


def expand(text: str, source: str, variables: Mapping[str, str] | None) -> Script:
    """The script with its variables replaced; without `variables` the text stays exactly as it is."""
    if variables is None:
        return Script(text, source, Places(text))
    return _Expander(text, source, variables).run()


class _ShiftedPlaces(Places):
    """Places in the text before variables were replaced. All characters of a value are where its `${NAME}` begins."""

    def __init__(self, text: str, replaced: list[tuple[int, int, int, int]]) -> None:
        super().__init__(text)
        # Ascending: begin and end in the new text, begin and end in the old one.
        self._replaced = replaced
        self._begins = [begin for begin, *_ in replaced]

    def at(self, offset: int) -> tuple[int, int]:
        before = bisect_right(self._begins, offset)
        if before == 0:
            return super().at(offset)
        _, end, old_begin, old_end = self._replaced[before - 1]
        return super().at(old_begin if offset < end else old_end + offset - end)


class _Expander:
    def __init__(self, text: str, source: str, variables: Mapping[str, str]) -> None:
        self._text = text
        self._places = Places(text)
        self._source = source
        self._variables = variables
        self._known = frozenset(variables)
        self._parts: list[str] = []
        self._length = 0
        self._copied = 0
        self._replaced: list[tuple[int, int, int, int]] = []
        # Variables outside of quotes, with the place of their values in the new text.
        self._bare: list[tuple[re.Match[str], int, int]] = []

    def run(self) -> Script:
        for part in _PARTS.finditer(self._text):
            if part["comment"] is None:
                for found in _VARIABLE.finditer(self._text, *part.span()):
                    self._replace(found, self._written(found, part))
                    if part["bare"] is not None:
                        self._bare.append((found, *self._replaced[-1][:2]))
        self._add(self._text[self._copied :])
        places = _ShiftedPlaces(self._text, self._replaced)
        script = Script("".join(self._parts), self._source, places)
        self._require_no_new_comment(script.text)
        return script

    def _written(self, found: re.Match[str], part: re.Match[str]) -> str:
        """Returns the text that replaces the variable in this part of the script."""
        if found["name"] is None:
            return "${"
        value = self._value(found)
        if part["bare"] is not None:
            fault = _fault_of(value)
            if fault is not None:
                raise self._invalid(found, fault)
            return value
        return _escaping(part)(value)

    def _value(self, found: re.Match[str]) -> str:
        name = found["name"]
        if not NAME.fullmatch(name) or not found["end"]:
            raise UserError(
                f"'{found[0]}' is not a variable",
                condition="INVALID_VARIABLE",
                where=self._where(found),
                expected="${NAME}, with letters, digits and underscores",
                cure="write $${ where the characters ${ are meant",
            )
        if name not in self._known:
            error = UnknownName("variable", name, self._known, where=self._where(found))
            given = f"give it with --var {name}=…, or write $${{{name}}} for these characters"
            error.cure = given if error.cure is None else f"{error.cure} Otherwise {given}"
            raise error
        return self._variables[name]

    def _require_no_new_comment(self, text: str) -> None:
        """The characters of `--`, `/*` and `*/` may also meet where a value begins or ends."""
        for found, begin, end in self._bare:
            meeting = {text[max(edge - 1, 0) : edge + 1] for edge in (begin, end)}
            if meeting & {"--", "/*", "*/"}:
                raise self._invalid(found, _opens("comment"))

    def _invalid(self, found: re.Match[str], fault: str) -> UserError:
        """Does not repeat the value, which may be a secret."""
        return UserError(
            f"the value of variable '{found['name']}' {fault}",
            condition="INVALID_VARIABLE",
            where=self._where(found),
            cure=f"write '{found[0]}', in quotes",
        )

    def _replace(self, found: re.Match[str], written: str) -> None:
        self._add(self._text[self._copied : found.start()])
        begin = self._length
        self._add(written)
        self._replaced.append((begin, self._length, *found.span()))
        self._copied = found.end()

    def _add(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _where(self, found: re.Match[str]) -> Position:
        line, column = self._places.at(found.start())
        return Position(line, column, len(found[0]), self._source)


def _fault_of(value: str) -> str | None:
    """Returns why the value cannot be SQL text, for example a quote in it that would continue in the script."""
    try:
        tokenize(value)
    except UnclosedText as error:
        return _opens(error.what)
    except SqlSyntaxError:
        return "is not valid SQL"
    return "contains a comment" if any(part["comment"] for part in _PARTS.finditer(value)) else None


def _opens(what: str) -> str:
    return f"opens a {what} that does not end in it"


def _escaping(part: re.Match[str]) -> Callable[[str], str]:
    """How a value is written inside these quotes."""
    if part["unicode"] is None:
        quote = part[0][0]
        return lambda value: value.replace(quote, quote * 2)
    escape = part["uescape"] or "\\"
    return lambda value: value.replace(escape, escape * 2).replace("'", "''")
