"""Script text to tokens, by Flink's lexical rules; every token knows its line, column and offsets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from headrace.errors import Position, SqlSyntaxError


class TokenKind(StrEnum):
    WORD = "word"
    QUOTED_NAME = "back-quoted name"
    STRING = "string"
    DOUBLE_QUOTED = "double-quoted text"
    NUMBER = "number"
    HEX = "binary literal"
    SYMBOL = "symbol"
    END = "end of the script"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the value (quotes and escapes removed); `key` is what grammar rules compare with: a word in upper case, a
    symbol as it is, and empty for everything quoted, so that no quoted text is ever taken for a keyword."""

    kind: TokenKind
    text: str
    key: str
    line: int
    column: int
    start: int
    end: int

    def position(self, source: str) -> Position:
        return Position(self.line, self.column, max(self.end - self.start, 1), source)


class UnclosedText(SqlSyntaxError):
    """A quote or comment that never ends; `what` is quote, back-quote, double quote, comment or hint."""

    def __init__(self, what: str, closing: str, where: Position) -> None:
        super().__init__(
            f"{what} is opened but never closed",
            where=where,
            expected=f"a closing {closing}",
        )
        self.what = what


HINT_OPEN = "/*+"
HINT_CLOSE = "*/"

# Possessive repeats: an unclosed 'it''s must not be read as 'it' and a stray quote.
_LEXEMES = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<line_comment>--[^\n]*)
  | (?P<hint_open>/\*\+)
  | (?P<comment>/\*.*?\*/)
  | (?P<unclosed_comment>/\*)
  | (?P<unicode>[uU]&'(?:[^']|'')*+'(?:\s+UESCAPE\s+'(?P<uescape>.)')?)
  | (?P<hex>[xX]'[0-9a-fA-F]*')
  | (?P<string>'(?:[^']|'')*+')
  | (?P<quoted_name>`(?:[^`]|``)*+`)
  | (?P<double_quoted>"(?:[^"]|"")*+")
  | (?P<unclosed_quote>['`"])
  | (?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)
  | (?P<word>[^\W\d][\w$]*)
  | (?P<symbol><>|!=|<=|>=|\|\||=>|.)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
_UNCLOSED_QUOTES = {"'": "quote", "`": "back-quote", '"': "double quote"}
_SKIPPED = ("space", "line_comment", "comment")
_KINDS = {
    "unicode": TokenKind.STRING,
    "hex": TokenKind.HEX,
    "string": TokenKind.STRING,
    "quoted_name": TokenKind.QUOTED_NAME,
    "double_quoted": TokenKind.DOUBLE_QUOTED,
    "number": TokenKind.NUMBER,
    "word": TokenKind.WORD,
}


class Places:
    """Lines and columns by offset in a text."""

    def __init__(self, text: str) -> None:
        self._line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column, both from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1


class Lexer:
    def __init__(self, text: str, source: str, places: Places) -> None:
        self.text = text
        self.source = source
        self.tokens: list[Token] = []
        self._place = places.at
        self._open_hint: Position | None = None

    def run(self) -> list[Token]:
        offset = 0
        while offset < len(self.text):
            offset = self._scan(offset)
        if self._open_hint is not None:
            raise UnclosedText("hint", HINT_CLOSE, self._open_hint)
        self.tokens.append(self._end())
        return self.tokens

    def _scan(self, offset: int) -> int:
        if self._open_hint is not None and self.text.startswith(HINT_CLOSE, offset):
            self._open_hint = None
            return self._add(TokenKind.SYMBOL, HINT_CLOSE, offset, offset + len(HINT_CLOSE))
        match = _LEXEMES.match(self.text, offset)
        assert match is not None, "the last alternative takes any character"
        group = str(match.lastgroup)
        if group in _SKIPPED:
            return match.end()
        return self._lexeme(group, match)

    def _lexeme(self, group: str, match: re.Match[str]) -> int:
        start, end = match.span()
        lexeme = match.group()
        if group == "unclosed_comment":
            raise UnclosedText("comment", HINT_CLOSE, self._position(start, 2))
        if group == "unclosed_quote":
            raise UnclosedText(_UNCLOSED_QUOTES[lexeme], lexeme, self._position(start, 1))
        if group == "hint_open":
            self._open_hint = self._position(start, len(HINT_OPEN))
        if group == "unicode":
            return self._add(TokenKind.STRING, self._unicode(match), start, end)
        kind = _KINDS.get(group, TokenKind.SYMBOL)
        return self._add(kind, _value(kind, lexeme), start, end)

    def _add(self, kind: TokenKind, value: str, start: int, end: int) -> int:
        line, column = self._place(start)
        key = ""
        if kind is TokenKind.WORD:
            key = value.upper()
        elif kind is TokenKind.SYMBOL:
            key = value
        self.tokens.append(Token(kind, value, key, line, column, start, end))
        return end

    def _unicode(self, match: re.Match[str]) -> str:
        """`U&'\\00e4'`: four hexadecimal digits after the escape character, which doubled stands for itself."""
        lexeme = match.group("unicode")
        escape = match.group("uescape") or "\\"
        body = lexeme[3 : lexeme.rindex("'")]
        if match.group("uescape"):
            body = re.sub(r"'\s+UESCAPE\s+'.$", "", body, flags=re.IGNORECASE)
        quoted = re.escape(escape)
        pattern = f"{quoted}(?:(?P<self>{quoted})|(?P<code>[0-9a-fA-F]{{4}})|(?P<bad>.?))"

        def decode(found: re.Match[str]) -> str:
            if found.group("self"):
                return escape
            if found.group("code"):
                return chr(int(found.group("code"), 16))
            raise SqlSyntaxError(
                "a Unicode escape needs four hexadecimal digits",
                where=self._position(match.start() + 3 + found.start(), len(found.group())),
                expected=f"{escape}00e4",
            )

        return re.sub(pattern, decode, body, flags=re.DOTALL).replace("''", "'")

    def _end(self) -> Token:
        """Just after the last token, where whatever is missing should have been."""
        return end_token(self.tokens[-1].end if self.tokens else 0, self._place)

    def _position(self, offset: int, length: int) -> Position:
        line, column = self._place(offset)
        return Position(line, column, length, self.source)


def _value(kind: TokenKind, lexeme: str) -> str:
    match kind:
        case TokenKind.HEX:
            return lexeme[2:-1]
        case TokenKind.STRING | TokenKind.QUOTED_NAME | TokenKind.DOUBLE_QUOTED:
            return lexeme[1:-1].replace(lexeme[0] * 2, lexeme[0])
        case _:
            return lexeme


def end_token(offset: int, place: Callable[[int], tuple[int, int]]) -> Token:
    line, column = place(offset)
    return Token(TokenKind.END, "", "", line, column, offset, offset)


def tokenize(text: str, source: str = "<sql>", places: Places | None = None) -> list[Token]:
    """The tokens of `text`, an END token last; `places` tells lines and columns if they are not those of `text`."""
    return Lexer(text, source, places or Places(text)).run()
