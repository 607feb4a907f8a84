"""Expressions, in Calcite's order of precedence."""

from __future__ import annotations

import re

from sqlglot import exp

from headrace.sql.calls import BARE_FUNCTIONS, CallParser, type_node
from headrace.sql.cursor import CLAUSES, RESERVED
from headrace.sql.datatypes import DAY_UNITS, MONTH_UNITS
from headrace.sql.lexer import Token, TokenKind
from headrace.types import DATE, DataType, time, timestamp, timestamp_ltz

COMPARISONS: dict[str, type[exp.Expression]] = {
    "=": exp.EQ,
    "<>": exp.NEQ,
    "!=": exp.NEQ,
    "<": exp.LT,
    "<=": exp.LTE,
    ">": exp.GT,
    ">=": exp.GTE,
}
ADDITIVE: dict[str, type[exp.Expression]] = {"+": exp.Add, "-": exp.Sub}
# Calcite gives || the precedence of multiplication.
MULTIPLICATIVE: dict[str, type[exp.Expression]] = {
    "*": exp.Mul,
    "/": exp.Div,
    "%": exp.Mod,
    "||": exp.DPipe,
}
QUANTIFIERS: dict[str, type[exp.Expression]] = {"ANY": exp.Any, "SOME": exp.Any, "ALL": exp.All}
CONSTANTS = ("NULL", "TRUE", "FALSE", "UNKNOWN")
JSON_KINDS = ("VALUE", "SCALAR", "ARRAY", "OBJECT")
QUERY_STARTS = ("SELECT", "WITH", "VALUES")
QUERY_CONTINUATIONS = (
    "UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH", ")",
)  # fmt: skip
# Reserved words that are functions as well.
CALLABLE_KEYWORDS = ("LEFT", "RIGHT")
# sqlglot's Column has four places; a path beyond them continues as Dots.
COLUMN_PARTS = ("this", "table", "db", "catalog")

_DATE = r"\d{1,4}-\d{1,2}-\d{1,2}"
_TIME = r"\d{1,2}:\d{1,2}:\d{1,2}(?:\.(?P<fraction>\d{1,9}))?"
TIME_LITERALS = {
    "DATE": (re.compile(_DATE), "DATE '2020-01-31'"),
    "TIME": (re.compile(_TIME), "TIME '13:30:00'"),
    "TIMESTAMP": (re.compile(f"{_DATE}(?: {_TIME})?"), "TIMESTAMP '2020-01-31 13:30:00.000'"),
    "TIMESTAMP_LTZ": (re.compile(f"{_DATE} {_TIME}"), "TIMESTAMP_LTZ '2020-01-31 13:30:00.000'"),
}
INTERVAL_UNITS = (*MONTH_UNITS, *DAY_UNITS)


class ExpressionParser(CallParser):
    def expression(self) -> exp.Expression:
        first = self.current
        left = self._conjunction()
        while self.take("OR"):
            left = self.mark(exp.Or(this=left, expression=self._conjunction()), first)
        return left

    def _conjunction(self) -> exp.Expression:
        first = self.current
        left = self._negation()
        while self.take("AND"):
            left = self.mark(exp.And(this=left, expression=self._negation()), first)
        return left

    def _negation(self) -> exp.Expression:
        if not self.at("NOT"):
            return self._is_predicate()
        first = self.advance()
        return self.mark(exp.Not(this=self._negation()), first)

    def _is_predicate(self) -> exp.Expression:
        first = self.current
        left = self._comparison()
        while self.at("IS"):
            self.advance()
            negated = self.take("NOT")
            node = self.mark(self._is_what(left), first)
            left = self.mark(exp.Not(this=node), first) if negated else node
        return left

    def _is_what(self, left: exp.Expression) -> exp.Expression:
        if self.take("JSON"):
            kind = exp.Var(this=self.take_any(*JSON_KINDS) or "VALUE")
            return exp.Anonymous(this="IS_JSON", expressions=[left, kind])
        if not self.at_any(*CONSTANTS):
            raise self.unexpected("NULL, TRUE, FALSE, UNKNOWN, JSON or DISTINCT FROM", *CONSTANTS)
        return exp.Is(this=left, expression=self._constant())

    def _comparison(self) -> exp.Expression:
        first = self.current
        left = self._range()
        while True:
            node: exp.Expression
            if self.current.key in COMPARISONS:
                compare = COMPARISONS[self.advance().key]
                node = compare(this=left, expression=self._comparand())
            elif self.take("IS", "DISTINCT", "FROM"):
                node = exp.NullSafeNEQ(this=left, expression=self._range())
            elif self.take("IS", "NOT", "DISTINCT", "FROM"):
                node = exp.NullSafeEQ(this=left, expression=self._range())
            else:
                return left
            left = self.mark(node, first)

    def _comparand(self) -> exp.Expression:
        quantifier = QUANTIFIERS.get(self.current.key)
        if quantifier and self.ahead().key == "(":
            first = self.advance()
            return self.mark(quantifier(this=self.subquery()), first)
        return self._range()

    def _range(self) -> exp.Expression:
        first = self.current
        left = self.additive()
        while True:
            negated = self.at("NOT") and self.ahead().key in ("LIKE", "SIMILAR", "IN", "BETWEEN")
            if negated:
                self.advance()
            node = self._range_predicate(left)
            if node is None:
                return left
            left = self.mark(node, first)
            if negated:
                left = self.mark(exp.Not(this=left), first)

    def _range_predicate(self, left: exp.Expression) -> exp.Expression | None:
        if self.take("LIKE"):
            return self._escaped(exp.Like(this=left, expression=self.additive()))
        if self.take("SIMILAR", "TO"):
            return self._escaped(exp.SimilarTo(this=left, expression=self.additive()))
        if self.take("IN"):
            return self._in(left)
        if self.take("BETWEEN"):
            return self._between(left)
        if self.take("OVERLAPS"):
            return exp.Anonymous(this="OVERLAPS", expressions=[left, self.additive()])
        return None

    def _escaped(self, node: exp.Expression) -> exp.Expression:
        if not self.take("ESCAPE"):
            return node
        token = self.string("the escape character")
        escape = self.mark(exp.Literal.string(token.text), token)
        return exp.Escape(this=node, expression=escape)

    def _in(self, left: exp.Expression) -> exp.In:
        if not self.at("("):
            raise self.unexpected("'(' and a list or a query after IN")
        if self._at_bracketed_query():
            return exp.In(this=left, query=self.subquery())
        return exp.In(this=left, expressions=self.wrapped(self.expression))

    def _between(self, left: exp.Expression) -> exp.Between:
        symmetric = self.take_any("SYMMETRIC", "ASYMMETRIC") == "SYMMETRIC"
        low = self.additive()
        self.expect("AND")
        high = self.additive()
        return exp.Between(this=left, low=low, high=high, symmetric=symmetric or None)

    def additive(self) -> exp.Expression:
        first = self.current
        left = self._multiplicative()
        while self.current.key in ADDITIVE:
            operator = ADDITIVE[self.advance().key]
            left = self.mark(operator(this=left, expression=self._multiplicative()), first)
        return left

    def _multiplicative(self) -> exp.Expression:
        first = self.current
        left = self._unary()
        while self.current.key in MULTIPLICATIVE:
            operator = MULTIPLICATIVE[self.advance().key]
            left = self.mark(operator(this=left, expression=self._unary()), first)
        return left

    def _unary(self) -> exp.Expression:
        first = self.current
        if self.take("-"):
            return self.mark(exp.Neg(this=self._unary()), first)
        self.take("+")
        return self._postfix()

    def _postfix(self) -> exp.Expression:
        first = self.current
        node = self._primary()
        while self.at_any("[", "."):
            opening = self.advance()
            if opening.key == ".":
                field = self.identifier(self._field_name())
                node = self.mark(exp.Dot(this=node, expression=field), first)
                continue
            index = self.expression()
            self.close(opening, between="an operator")
            node = self.mark(exp.Bracket(this=node, expressions=[index]), first)
        return node

    def _field_name(self) -> Token:
        """After a dot any word is a name."""
        return self.advance() if self.at_kind(TokenKind.WORD) else self.name("a field name")

    def _primary(self) -> exp.Expression:
        token = self.current
        match token.kind:
            case TokenKind.NUMBER:
                return self.mark(exp.Literal.number(self.advance().text), token)
            case TokenKind.STRING:
                return self.mark(exp.Literal.string(self.advance().text), token)
            case TokenKind.HEX:
                return self.mark(exp.HexString(this=self.advance().text), token)
            case TokenKind.DOUBLE_QUOTED:
                raise self.error(
                    "double quotes do not quote anything in a query",
                    expected="'text' in single quotes or a `name` in back quotes",
                )
            case TokenKind.WORD:
                return self._word()
            case TokenKind.QUOTED_NAME:
                return self._path()
        if token.key == "(":
            return self._bracketed()
        raise self.unexpected("an expression")

    def _word(self) -> exp.Expression:
        key = self.current.key
        following = self.ahead()
        if key in CONSTANTS and not (key == "UNKNOWN" and following.key in (".", "(")):
            return self._constant()
        if key == "CASE":
            return self._case()
        if key in ("CAST", "TRY_CAST") and following.key == "(":
            return self._cast()
        if key == "EXISTS":
            return self._exists()
        if key == "INTERVAL" and self._at_interval(following):
            return self._interval()
        if key in TIME_LITERALS and following.kind is TokenKind.STRING:
            return self._time_literal()
        if key in ("ARRAY", "MAP") and following.key == "[":
            return self._constructor()
        if key in BARE_FUNCTIONS and following.key not in ("(", "."):
            token = self.advance()
            return self.mark(exp.Anonymous(this=key, expressions=[]), token)
        return self._path()

    def _constant(self) -> exp.Expression:
        token = self.advance()
        if token.key in ("TRUE", "FALSE"):
            return self.mark(exp.Boolean(this=token.key == "TRUE"), token)
        return self.mark(exp.Null(), token)

    def _path(self) -> exp.Expression:
        """A column, a star or a call: names with dots between them."""
        first = self.current
        if first.key in CALLABLE_KEYWORDS and self.ahead().key == "(":
            return self.call(self.advance().key, first)
        if first.key in RESERVED:
            raise self.unexpected("an expression")
        tokens = [self.name("an expression")]
        while self.at(".") and self.ahead().key != "*":
            self.advance()
            tokens.append(self._field_name())
        if self.at(".", "*"):
            return self._qualified_star(tokens)
        if self.at("("):
            names = (token.key or token.text for token in tokens)
            return self.call(".".join(names), first)
        return self._column(tokens)

    def _qualified_star(self, tokens: list[Token]) -> exp.Column:
        if len(tokens) >= len(COLUMN_PARTS):
            raise self.unexpected("a table's name before '.*'")
        self.expect(".")
        star = self.mark(exp.Star(), self.advance())
        parts = [*(self.identifier(token) for token in tokens), star]
        node = exp.Column(**dict(zip(COLUMN_PARTS, reversed(parts), strict=False)))
        return self.mark(node, tokens[0])

    def _column(self, tokens: list[Token]) -> exp.Expression:
        names = [self.identifier(token) for token in tokens]
        parts, fields = names[: len(COLUMN_PARTS)], names[len(COLUMN_PARTS) :]
        node: exp.Expression = exp.Column(**dict(zip(COLUMN_PARTS, reversed(parts), strict=False)))
        for field in fields:
            node = exp.Dot(this=node, expression=field)
        return self.mark(node, tokens[0])

    def _at_bracketed_query(self, offset: int = 0) -> bool:
        """At `(` with a query behind it. `((SELECT …) + 1)` is not one: what follows the inner bracket tells."""
        if self.ahead(offset).key != "(":
            return False
        if self.ahead(offset + 1).key in QUERY_STARTS:
            return True
        if not self._at_bracketed_query(offset + 1):
            return False
        return self._after_bracket(offset + 1).key in QUERY_CONTINUATIONS

    def _after_bracket(self, offset: int) -> Token:
        depth = 0
        while self.ahead(offset).kind is not TokenKind.END:
            depth += {"(": 1, ")": -1}.get(self.ahead(offset).key, 0)
            offset += 1
            if depth == 0:
                break
        return self.ahead(offset)

    def subquery(self) -> exp.Subquery:
        first = self.expect("(")
        query = self.query()
        self.close(first, between="a clause of the query", before=CLAUSES)
        return self.mark(exp.Subquery(this=query), first)

    def _bracketed(self) -> exp.Expression:
        if self._at_bracketed_query():
            return self.subquery()
        first = self.current
        items = self.wrapped(self.expression)
        if len(items) > 1:
            return self.mark(exp.Tuple(expressions=items), first)
        if isinstance(items[0], exp.Sub) and self.current.key in INTERVAL_UNITS:
            return self._distance(items[0], first)
        return self.mark(exp.Paren(this=items[0]), first)

    def _distance(self, difference: exp.Sub, first: Token) -> exp.Expression:
        """`(a - b) DAY`, also `DAY TO SECOND`: only whether it counts months or seconds makes a difference."""
        unit = self._interval_unit()
        if self.take("TO"):
            self._interval_unit()
        ends = [unit, difference.this, difference.expression]
        return self.mark(exp.Anonymous(this="MINUS INTERVAL", expressions=ends), first)

    def _exists(self) -> exp.Exists:
        first = self.advance()
        return self.mark(exp.Exists(this=self.subquery().this), first)

    def _case(self) -> exp.Case:
        first = self.advance()
        operand = None if self.at("WHEN") else self.expression()
        branches = []
        while self.at("WHEN"):
            branches.append(self._when())
        if not branches:
            raise self.unexpected("WHEN", "WHEN")
        default = self.expression() if self.take("ELSE") else None
        if not self.take("END"):
            raise self.unexpected("WHEN, ELSE or END", "WHEN", "ELSE", "END")
        return self.mark(exp.Case(this=operand, ifs=branches, default=default), first)

    def _when(self) -> exp.If:
        first = self.advance()
        condition = self.expression()
        self.expect("THEN")
        return self.mark(exp.If(this=condition, true=self.expression()), first)

    def _cast(self) -> exp.Cast:
        first = self.advance()
        opening = self.expect("(")
        operand = self.expression()
        self.expect("AS")
        type_token = self.current
        kind = self.mark(type_node(self.data_type()), type_token)
        self.close(opening, between="NOT NULL")
        node = exp.TryCast if first.key == "TRY_CAST" else exp.Cast
        return self.mark(node(this=operand, to=kind), first)

    def _constructor(self) -> exp.Anonymous:
        first = self.advance()
        opening = self.expect("[")
        items = [] if self.at("]") else self.listed(self.expression)
        self.close(opening)
        if first.key == "MAP" and len(items) % 2:
            raise self.error(
                "MAP[…] needs a value for every key", first, found=f"{len(items)} items"
            )
        node = exp.Anonymous(this=first.key, expressions=items)
        return self.mark(node, first, last=first)

    def _time_literal(self) -> exp.Cast:
        first = self.advance()
        token = self.advance()
        pattern, example = TIME_LITERALS[first.key]
        match = pattern.fullmatch(token.text)
        if match is None:
            raise self.error(f"not a {first.key}", token, found=f"'{token.text}'", expected=example)
        fraction = match.groupdict().get("fraction") or ""
        kind = _literal_type(first.key, len(fraction)).not_null()
        text = self.mark(exp.Literal.string(token.text), token)
        return self.mark(exp.Cast(this=text, to=type_node(kind)), first)

    def _at_interval(self, following: Token) -> bool:
        return following.kind in (TokenKind.STRING, TokenKind.NUMBER) or (
            following.key in ("+", "-")
            and self.ahead(2).kind in (TokenKind.STRING, TokenKind.NUMBER)
        )

    def _interval(self) -> exp.Expression:
        first = self.advance()
        negative = self.take_any("+", "-") == "-"
        whole = self.at_kind(TokenKind.NUMBER) and self.current.text.isdigit()
        token = self.advance() if whole else self.string("the amount of the INTERVAL")
        amount = self.mark(exp.Literal.string(token.text), token)
        unit: exp.Expression = self._interval_unit()
        if self.take("TO"):
            unit = exp.IntervalSpan(this=unit, expression=self._interval_unit())
        node = self.mark(exp.Interval(this=amount, unit=unit), first)
        return self.mark(exp.Neg(this=node), first) if negative else node

    def _interval_unit(self) -> exp.Var:
        unit = self._unit()
        if unit.name not in INTERVAL_UNITS:
            raise self.error(f"an INTERVAL is not measured in {unit.name}", self.previous)
        # The number of digits, `DAY(3)`, only limits what may be written.
        self._size("digits of the INTERVAL", 1, 10, default=2)
        return unit


def _literal_type(name: str, precision: int) -> DataType:
    match name:
        case "DATE":
            return DATE
        case "TIME":
            return time(precision)
        case "TIMESTAMP":
            return timestamp(precision)
        case _:
            return timestamp_ltz(precision)
