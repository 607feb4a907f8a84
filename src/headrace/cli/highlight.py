"""Colours for Flink SQL: a Pygments lexer that knows back-quoted names, hints, binary literals and Flink's words."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, words  # type: ignore[import-untyped]
from pygments.token import (  # type: ignore[import-untyped]
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Text,
)

from headrace.cli.vocabulary import KEYWORDS, SESSION_COMMANDS, TIME_UNITS, TYPE_NAMES
from headrace.plan.functions import function_names


class FlinkSqlLexer(RegexLexer):  # type: ignore[misc]
    name = "Flink SQL"
    aliases: ClassVar[list[str]] = ["flinksql"]
    filenames: ClassVar[list[str]] = ["*.sql"]
    flags = re.IGNORECASE | re.MULTILINE

    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"\s+", Text),
            (r"--[^\n]*", Comment.Single),
            (r"/\*\+|\*/", Comment.Special),
            (r"/\*(?:[^*]|\*(?!/))*(?:\*/)?", Comment.Multiline),
            (r"[xX]'[0-9a-fA-F]*'?", Number.Hex),
            (r"(?:[uU]&)?'(?:[^']|'')*'?", String.Single),
            (r"`(?:[^`]|``)*`?", Name.Variable),
            (r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?", Number),
            (words(TYPE_NAMES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
            (words((*KEYWORDS, *TIME_UNITS), prefix=r"\b", suffix=r"\b"), Keyword),
            (words(tuple(function_names()), prefix=r"\b", suffix=r"\b(?=\s*\()"), Name.Function),
            (words(tuple(SESSION_COMMANDS), prefix=r"^", suffix=r"\b"), Keyword.Pseudo),
            (r"[^\W\d][\w$]*", Name),
            (r"<>|!=|<=|>=|\|\||=>|[-+*/%=<>]", Operator),
            (r"[;:()\[\],.]", Punctuation),
            (r".", Text),
        ]
    }
