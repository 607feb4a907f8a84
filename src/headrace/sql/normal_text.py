"""An expression's text as it is shown: columns in back-quotes, other words in capitals, one space where one belongs."""

from __future__ import annotations

from collections.abc import Collection

from headrace.sql.lexer import Token, TokenKind, tokenize
from headrace.types import quote

_NOTHING_BEFORE = (",", ")", "]", "[", ".")
_NOTHING_AFTER = ("(", "[", ".")
# Words that are followed by brackets without being functions.
_OPERATORS = ("IN", "AND", "OR", "NOT", "WHEN", "THEN", "ELSE", "BETWEEN", "LIKE", "CASE", "AS")


def normal_text(text: str, columns: Collection[str]) -> str:
    tokens = [token for token in tokenize(text) if token.kind is not TokenKind.END]
    shown = ""
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        shown += _space(before, token) + _word(before, token, text, columns)
    return shown


def _word(before: Token | None, token: Token, text: str, columns: Collection[str]) -> str:
    if token.kind is TokenKind.QUOTED_NAME:
        return quote(token.text)
    if token.kind is not TokenKind.WORD:
        return text[token.start : token.end]
    is_field = before is not None and before.key == "."
    return quote(token.text) if is_field or token.text in columns else token.key


def _space(before: Token | None, token: Token) -> str:
    if before is None or before.key in _NOTHING_AFTER or token.key in _NOTHING_BEFORE:
        return ""
    if token.key == "(" and before.kind is TokenKind.WORD and before.key not in _OPERATORS:
        return ""
    return " "
