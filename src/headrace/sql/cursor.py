"""A place in a token list, and the few moves every grammar rule is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

from sqlglot import exp

from headrace.errors import Position, SqlSyntaxError, UnsupportedSql, nearest
from headrace.sql.lexer import Token, TokenKind
from headrace.sql.statements import ObjectName

Node = TypeVar("Node", bound=exp.Expression)
Item = TypeVar("Item")

# Words that end a name, a relation or an expression, and so need back quotes to be names themselves. Flink reserves
# many more; those are taken as names here because nothing else could be meant.
RESERVED = frozenset((
    "ALL", "AND", "AS", "BETWEEN", "BY", "CASE", "CREATE", "CROSS", "DISTINCT", "ELSE", "END",
    "ESCAPE", "EXCEPT", "EXISTS", "FALSE", "FETCH", "FOR", "FROM", "FULL", "GROUP", "HAVING",
    "IN", "INNER", "INSERT", "INTERSECT", "INTO", "IS", "JOIN", "LATERAL", "LEFT", "LIKE",
    "LIMIT", "MATCH_RECOGNIZE", "MINUS", "NATURAL", "NOT", "NULL", "ON", "OR", "ORDER", "OUTER",
    "OVER", "QUALIFY", "RIGHT", "SELECT", "SIMILAR", "TABLE", "TABLESAMPLE", "THEN", "TRUE",
    "UNION", "UNNEST", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
))  # fmt: skip
# OFFSET is a common column name (Kafka's), yet after a relation it can only begin a clause.
NEVER_AN_ALIAS = RESERVED | {"OFFSET"}
CLAUSES = (
    "FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "JOIN", "UNION", "WINDOW", "QUALIFY",
    "INTERSECT", "EXCEPT", "LATERAL", "INNER", "LEFT", "RIGHT", "CROSS", "OFFSET",
)  # fmt: skip
# FORM is 0.75 like FROM; below that, a word is taken for the name it may well be.
MISSPELLED = 0.75
# `a` is two thirds of AS, and far more often a name.
SHORTEST_MISSPELLED = 3


class Cursor:
    def __init__(self, tokens: Sequence[Token], text: str, source: str) -> None:
        self.tokens = tokens
        self.text = text
        self.source = source
        self.index = 0

    @property
    def current(self) -> Token:
        return self.tokens[self.index]

    @property
    def previous(self) -> Token:
        return self.tokens[self.index - 1]

    def ahead(self, count: int = 1) -> Token:
        return self.tokens[min(self.index + count, len(self.tokens) - 1)]

    def at(self, *keys: str) -> bool:
        """Whether the next tokens are exactly these words and symbols."""
        return all(self.ahead(offset).key == key for offset, key in enumerate(keys))

    def at_any(self, *keys: str) -> bool:
        return self.current.key in keys

    def at_kind(self, *kinds: TokenKind) -> bool:
        return self.current.kind in kinds

    def at_end(self) -> bool:
        return self.current.kind is TokenKind.END or self.current.key == ";"

    def advance(self) -> Token:
        token = self.current
        if token.kind is not TokenKind.END:
            self.index += 1
        return token

    def take(self, *keys: str) -> bool:
        if not self.at(*keys):
            return False
        self.index += len(keys)
        return True

    def take_any(self, *keys: str) -> str | None:
        return self.advance().key if self.at_any(*keys) else None

    def expect(self, *keys: str) -> Token:
        """Take these in order; returns the last."""
        for key in keys:
            if not self.at(key):
                raise self.unexpected(f"'{key}'" if not key[0].isalpha() else " ".join(keys), key)
            self.advance()
        return self.previous

    def expect_any(self, *keys: str) -> str:
        if not self.at_any(*keys):
            raise self.unexpected(", ".join(keys[:-1]) + " or " + keys[-1], *keys)
        return self.advance().key

    def is_name(self, excluded: frozenset[str] = RESERVED) -> bool:
        token = self.current
        if token.kind is TokenKind.WORD:
            return token.key not in excluded
        return token.kind is TokenKind.QUOTED_NAME

    def name(self, what: str) -> Token:
        if self.is_name():
            return self.advance()
        if self.current.key in RESERVED:
            raise self.error(
                f"{self.current.text} is a reserved word",
                expected=what,
                cure=f"write it in back quotes: `{self.current.text}`",
            )
        if self.at_kind(TokenKind.DOUBLE_QUOTED):
            raise self.error(
                "double quotes do not quote names", expected=what, cure="use back quotes: `name`"
            )
        raise self.unexpected(what)

    def names(self, what: str) -> tuple[str, ...]:
        """`(a, b, …)`."""
        return tuple(token.text for token in self.wrapped(lambda: self.name(what)))

    def object_name(self, what: str) -> ObjectName:
        first = self.current
        parts = [self.name(what).text]
        while self.take("."):
            parts.append(self.name(what).text)
        if len(parts) > 3:
            raise self.error(f"{what} has at most three parts", first, found=".".join(parts))
        return ObjectName(tuple(parts), self.span(first))

    def string(self, what: str) -> Token:
        if not self.at_kind(TokenKind.STRING):
            raise self.unexpected(f"{what} in single quotes")
        return self.advance()

    def listed(self, item: Callable[[], Item]) -> list[Item]:
        items = [item()]
        while self.take(","):
            items.append(item())
        return items

    def wrapped(self, item: Callable[[], Item]) -> list[Item]:
        opening = self.expect("(")
        items = self.listed(item)
        self.close(opening)
        return items

    def close(self, opening: Token, *, between: str = "','", before: tuple[str, ...] = ()) -> None:
        """The `)`, `]` or `>` that belongs to `opening`; `before` as in `unexpected`."""
        closing = {"(": ")", "[": "]", "<": ">"}[opening.key]
        if self.take(closing):
            return
        if self.at_end():
            raise self.error(
                f"'{opening.key}' is opened but never closed", opening, expected=f"'{closing}'"
            )
        raise self.unexpected(f"{between} or '{closing}'", before=before)

    def place(self, token: Token) -> Position:
        return token.position(self.source)

    def span(self, first: Token) -> Position:
        """From `first` to the token just taken, as far as they share a line."""
        last = self.previous if self.previous.line == first.line else first
        return Position(first.line, first.column, max(last.end - first.start, 1), self.source)

    def source_text(self, first: Token) -> str:
        return self.text[first.start : self.previous.end]

    def mark(self, node: Node, first: Token, *, last: Token | None = None) -> Node:
        """Note where the node stands in the script, as sqlglot does but with `col` the 1-based first column."""
        last = last or self.previous
        end = last.end if last.line == first.line else first.end
        node.update_positions(line=first.line, col=first.column, start=first.start, end=end)
        return node

    def identifier(self, token: Token) -> exp.Identifier:
        node = exp.Identifier(this=token.text, quoted=token.kind is TokenKind.QUOTED_NAME)
        return self.mark(node, token, last=token)

    def keyword(self, token: Token) -> exp.Var:
        return self.mark(exp.Var(this=token.key), token, last=token)

    def error(
        self,
        summary: str,
        token: Token | None = None,
        *,
        found: str | None = None,
        expected: str | None = None,
        cure: str | None = None,
    ) -> SqlSyntaxError:
        where = self.place(token or self.current)
        return SqlSyntaxError(summary, where=where, found=found, expected=expected, cure=cure)

    def unsupported(
        self, what: str, token: Token | None = None, cure: str | None = None
    ) -> UnsupportedSql:
        return UnsupportedSql(
            f"{what} is not supported", where=self.place(token or self.current), cure=cure
        )

    def unexpected(
        self, expected: str, *keywords: str, before: tuple[str, ...] = ()
    ) -> SqlSyntaxError:
        """The current token cannot stand here. The word before it is blamed when that reads like one of `before`
        misspelled: in `FROM t WHER x`, WHER passed for an alias."""
        token = self.current
        close = self._misspelled(before)
        if close is not None:
            token = self.previous
        elif token.kind is TokenKind.WORD and len(token.text) >= SHORTEST_MISSPELLED:
            close = nearest(token.text, (*keywords, *before))
        early = self.at_end() and close is None
        cure = f"did you mean {close}?" if close else None
        if self.at(".", ".", "."):
            cure = "replace the '...' of the example with what it stands for"
        elif self.at("$", "{"):
            cure = "give the variable a value with --var NAME=… or --var-file FILE"
        summary = "the statement ends too early" if early else f"unexpected {shown(token)}"
        return self.error(summary, token, expected=expected, cure=cure)

    def _misspelled(self, keywords: tuple[str, ...]) -> str | None:
        word = self.previous
        if not keywords or word.kind is not TokenKind.WORD or word.key in RESERVED:
            return None
        ratios = {known: SequenceMatcher(None, word.key, known).ratio() for known in keywords}
        best = max(ratios, key=lambda known: ratios[known])
        return best if ratios[best] >= MISSPELLED and best != word.key else None


def shown(token: Token) -> str:
    """A token for a message; text in quotes may be a secret and is not repeated."""
    match token.kind:
        case TokenKind.STRING | TokenKind.DOUBLE_QUOTED:
            return "text in quotes"
        case TokenKind.END:
            return "end of the script"
        case TokenKind.QUOTED_NAME:
            return f"`{token.text}`"
        case _:
            return f"'{token.text}'"
