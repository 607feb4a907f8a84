"""Cutting a script into statements without understanding them, and telling whether one is finished."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from headrace.errors import Position
from headrace.sql.lexer import Token, TokenKind, UnclosedText, end_token, tokenize
from headrace.sql.variables import Script, expand

CLOSING = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class ScriptPiece:
    """One statement of a script, without its semicolon and the comments around it. END follows its tokens."""

    script: Script
    tokens: Sequence[Token]

    @property
    def text(self) -> str:
        return self.script.text[self.tokens[0].start : self.tokens[-1].end]

    @property
    def position(self) -> Position:
        return self.tokens[0].position(self.script.source)


def split_script(
    text: str, source: str = "<sql>", variables: Mapping[str, str] | None = None
) -> list[ScriptPiece]:
    """The statements of a script; a statement set is one. The last needs no semicolon."""
    script = expand(text, source, variables)
    return [
        ScriptPiece(script, [*tokens, end_token(tokens[-1].end, script.places.at)])
        for tokens in _statements(script.tokens()).pieces
    ]


def is_complete(text: str) -> tuple[bool, str]:
    """Whether every statement of `text` is finished; if not, what is still open: quote, back-quote, double quote,
    comment, hint, bracket, statement set or statement (its semicolon)."""
    try:
        found = _statements(tokenize(text))
    except UnclosedText as unclosed:
        return False, unclosed.what
    if found.terminated:
        return True, ""
    last = found.pieces[-1]
    if _open_brackets(last):
        return False, "bracket"
    return False, "statement set" if _begins_set(last) else "statement"


@dataclass(frozen=True, slots=True)
class _Pieces:
    pieces: list[list[Token]]
    terminated: bool


def _statements(tokens: Sequence[Token]) -> _Pieces:
    pieces: list[list[Token]] = []
    piece: list[Token] = []
    for token in tokens:
        if token.kind is TokenKind.END:
            break
        if token.key == ";" and not _inside_set(piece):
            if piece:
                pieces.append(piece)
            piece = []
        else:
            piece.append(token)
    if piece:
        pieces.append(piece)
    return _Pieces(pieces, terminated=not piece)


def _begins_set(piece: Sequence[Token]) -> bool:
    words = [token.key for token in piece[:4]]
    if words[:1] in (["EXECUTE"], ["EXPLAIN"]):
        words = words[1:]
        return words[:2] == ["STATEMENT", "SET"]
    return words[:3] == ["BEGIN", "STATEMENT", "SET"]


def _inside_set(piece: Sequence[Token]) -> bool:
    """Whether a semicolon here ends only an INSERT: the set's own END follows a semicolon or BEGIN, CASE's does not."""
    if not _begins_set(piece):
        return False
    ended = piece[-1].key == "END" and piece[-2].key in (";", "BEGIN")
    return not ended


def _open_brackets(piece: Sequence[Token]) -> bool:
    depth = 0
    for token in piece:
        if token.key in CLOSING:
            depth += 1
        elif token.key in CLOSING.values():
            depth -= 1
    return depth > 0
