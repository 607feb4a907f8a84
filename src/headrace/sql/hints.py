"""`/*+ … */` hints: options of one table, and settings of one query."""

from __future__ import annotations

from sqlglot import exp

from headrace.errors import nearest
from headrace.sql.cursor import Cursor, shown
from headrace.sql.lexer import HINT_CLOSE, HINT_OPEN, Token, TokenKind
from headrace.sql.statements import OptionEntry, Options

TABLE_HINTS = ("OPTIONS",)
# All that Flink knows; which of them changes anything is the planner's to say.
QUERY_HINTS = (
    "STATE_TTL", "LOOKUP", "EARLY_FIRE", "BROADCAST", "SHUFFLE_HASH", "SHUFFLE_MERGE", "NEST_LOOP", "MULTI_JOIN",
)  # fmt: skip
TEXT_KINDS = (TokenKind.STRING, TokenKind.DOUBLE_QUOTED)
_META_KEY = "hints"

Hints = dict[str, Options]


class HintParser(Cursor):
    def options(self) -> Options:
        """`('key' = 'value', …)`; double quotes are accepted for single ones."""
        return tuple(self.wrapped(self._option))

    def _option(self) -> OptionEntry:
        if not self.at_kind(*TEXT_KINDS):
            raise self.unexpected("a key in single quotes, as in 'connector' = 'kafka'")
        key = self.advance()
        if not self.at("="):
            raise self.error(
                f"the option '{key.text}' has no value",
                expected="'='",
                cure=f"write '{key.text}' = '…'",
            )
        self.advance()
        return self._entry(key, self._option_value(key))

    def _option_value(self, key: Token) -> Token:
        if self.at_kind(*TEXT_KINDS):
            return self.advance()
        raise self.error(
            f"the value of '{key.text}' is not in quotes",
            # What stands there is not shown: it may be a secret.
            expected="a value in single quotes",
        )

    def _entry(self, key: Token, value: Token) -> OptionEntry:
        return OptionEntry(key.text, value.text, self.place(key), self.place(value))

    def hints(self, allowed: tuple[str, ...]) -> Hints:
        """All hints that stand here; empty where there are none."""
        found: Hints = {}
        while self.take(HINT_OPEN):
            for name, entries in self.listed(lambda: self._hint(allowed)):
                found[name] = found.get(name, ()) + entries
            self.expect(HINT_CLOSE)
        return found

    def _hint(self, allowed: tuple[str, ...]) -> tuple[str, Options]:
        token = self.current
        if token.key not in allowed:
            close = nearest(token.text, allowed)
            raise self.error(
                f"{shown(token)} is not a hint that can stand here",
                expected=", ".join(allowed),
                cure=f"did you mean {close}?" if close else None,
            )
        self.advance()
        return token.key, tuple(self.wrapped(self._hint_argument)) if self.at("(") else ()

    def _hint_argument(self) -> OptionEntry:
        """`'key' = 'value'`, or a table's name, which is a key without a value."""
        if self.ahead().key == "=":
            key = self.name("a key") if self.is_name() else self.advance()
            self.advance()
            return self._entry(key, self._option_value(key))
        key = self.advance() if self.at_kind(*TEXT_KINDS) else self.name("a key or a table")
        return OptionEntry(key.text, "", self.place(key), self.place(key))


def attach_hints(node: exp.Expression, hints: Hints) -> None:
    known: Hints = node.meta.setdefault(_META_KEY, {}) if hints else {}
    for name, entries in hints.items():
        known[name] = known.get(name, ()) + entries


def table_hints(table: exp.Table) -> Options:
    """The entries of the table's `/*+ OPTIONS(…) */`."""
    hints: Hints = table.meta.get(_META_KEY, {})
    return hints.get("OPTIONS", ())


def query_hints(select: exp.Select) -> Hints:
    """The hints after SELECT by upper-case name, such as STATE_TTL; a bare name is a key with an empty value."""
    hints: Hints = select.meta.get(_META_KEY, {})
    return hints
