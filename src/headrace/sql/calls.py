"""Function calls: the ordinary ones, those with a syntax of their own, and what may follow them (FILTER, OVER)."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from sqlglot import exp

from headrace.sql.datatypes import TypeParser
from headrace.sql.lexer import Token
from headrace.types import DataType

# Functions that stand without brackets.
BARE_FUNCTIONS = frozenset(
    ("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP")
)
TIME_UNITS = (
    "MILLENNIUM", "CENTURY", "DECADE", "YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND",
    "MILLISECOND", "MICROSECOND", "NANOSECOND", "EPOCH", "DOW", "ISODOW", "DOY", "ISOYEAR",
)  # fmt: skip
JSON_NULL_FUNCTIONS = ("JSON_OBJECT", "JSON_OBJECTAGG", "JSON_ARRAY", "JSON_ARRAYAGG")
JSON_PATH_FUNCTIONS = ("JSON_VALUE", "JSON_QUERY", "JSON_EXISTS")
JSON_BEHAVIOURS = ("NULL", "ERROR", "TRUE", "FALSE", "UNKNOWN", "EMPTY", "DEFAULT")

Arguments = list[exp.Expression]


def type_node(kind: DataType) -> exp.DataType:
    """A type inside a tree, in Flink's spelling; `cast_type` reads it back."""
    return exp.DataType(this=exp.DType.USERDEFINED, kind=kind.sql())


class CallParser(TypeParser):
    @abstractmethod
    def expression(self) -> exp.Expression: ...

    @abstractmethod
    def additive(self) -> exp.Expression: ...

    @abstractmethod
    def query(self) -> exp.Query: ...

    @abstractmethod
    def at_query(self) -> bool: ...

    @abstractmethod
    def table_argument(self) -> exp.Expression: ...

    def call(self, name: str, first: Token) -> exp.Expression:
        """A call whose name has been taken; the cursor is at its `(`."""
        last = self.previous
        opening = self.expect("(")
        special = self._special_form(name)
        arguments = special() if special else self._ordinary_arguments()
        self.close(opening)
        node = exp.Anonymous(this=name, expressions=arguments)
        return self._call_suffix(self.mark(node, first, last=last), first)

    def _special_form(self, name: str) -> Callable[[], Arguments] | None:
        if name in JSON_PATH_FUNCTIONS:
            return self._json_path_arguments
        if name in JSON_NULL_FUNCTIONS:
            return lambda: self._json_constructor_arguments(pairs="OBJECT" in name)
        return {
            "ARRAY_AGG": self._array_agg_arguments,
            "EXTRACT": self._extract_arguments,
            "POSITION": self._position_arguments,
            "SUBSTRING": self._substring_arguments,
            "TRIM": self._trim_arguments,
            "OVERLAY": self._overlay_arguments,
            "CEIL": self._rounding_arguments,
            "CEILING": self._rounding_arguments,
            "FLOOR": self._rounding_arguments,
            "TIMESTAMPADD": self._unit_first_arguments,
            "TIMESTAMPDIFF": self._unit_first_arguments,
        }.get(name)

    def _ordinary_arguments(self) -> Arguments:
        if self.at(")"):
            return []
        if self.at("*"):
            return [self.mark(exp.Star(), self.advance())]
        if self.at("DISTINCT"):
            first = self.advance()
            return [self.mark(exp.Distinct(expressions=self.listed(self.argument)), first)]
        self.take("ALL")
        return self.listed(self.argument)

    def _array_agg_arguments(self) -> Arguments:
        arguments = self._ordinary_arguments()
        if self.at("IGNORE", "NULLS") or self.at("RESPECT", "NULLS"):
            first = self.advance()
            self.advance()
            arguments.append(self._setting("NULLS", self.keyword(first), first))
        return arguments

    def argument(self) -> exp.Expression:
        if self.ahead().key == "=>" and self.is_name():
            first = self.advance()
            name = self.mark(exp.Var(this=first.text), first)
            self.expect("=>")
            return self.mark(exp.Kwarg(this=name, expression=self.argument()), first)
        if self.at("TABLE"):
            return self.table_argument()
        return self.expression()

    def _unit(self) -> exp.Var:
        key = self.current.key
        unit = key[:-1] if key.endswith("S") and key[:-1] in TIME_UNITS else key
        if unit not in TIME_UNITS:
            raise self.unexpected("a unit of time such as DAY or SECOND", *TIME_UNITS)
        token = self.advance()
        return self.mark(exp.Var(this=unit), token)

    def _extract_arguments(self) -> Arguments:
        unit = self._unit()
        self.expect("FROM")
        return [unit, self.expression()]

    def _unit_first_arguments(self) -> Arguments:
        arguments: Arguments = [self._unit()]
        for _ in range(2):
            self.expect(",")
            arguments.append(self.expression())
        return arguments

    def _position_arguments(self) -> Arguments:
        # Not a whole expression: its IN would be taken for the predicate.
        needle = self.additive()
        self.expect("IN")
        arguments = [needle, self.expression()]
        if self.take("FROM"):
            arguments.append(self.expression())
        return arguments

    def _substring_arguments(self) -> Arguments:
        arguments = [self.expression()]
        if not self.take("FROM"):
            return arguments + self._more_arguments()
        arguments.append(self.expression())
        if self.take("FOR"):
            arguments.append(self.expression())
        return arguments

    def _more_arguments(self) -> Arguments:
        return self.listed(self.argument) if self.take(",") else []

    def _overlay_arguments(self) -> Arguments:
        arguments = [self.expression()]
        if self.at(","):
            return arguments + self._more_arguments()
        self.expect("PLACING")
        arguments.append(self.expression())
        self.expect("FROM")
        arguments.append(self.expression())
        if self.take("FOR"):
            arguments.append(self.expression())
        return arguments

    def _trim_arguments(self) -> Arguments:
        side = exp.Var(this="BOTH")
        space = exp.Literal.string(" ")
        if self.at_any("BOTH", "LEADING", "TRAILING"):
            side = self.keyword(self.advance())
            characters = space if self.at("FROM") else self.expression()
            self.expect("FROM")
            return [side, characters, self.expression()]
        text = self.expression()
        if self.take("FROM"):
            return [side, text, self.expression()]
        return [side, space, text]

    def _rounding_arguments(self) -> Arguments:
        arguments = [self.expression()]
        if self.take("TO"):
            return [*arguments, self._unit()]
        return arguments + self._more_arguments()

    def _setting(self, name: str, value: exp.Expression, first: Token) -> exp.Kwarg:
        return self.mark(exp.Kwarg(this=exp.Var(this=name), expression=value), first)

    def _json_path_arguments(self) -> Arguments:
        arguments = [self.expression()]
        self.expect(",")
        arguments.append(self.expression())
        if self.at("RETURNING"):
            first = self.advance()
            arguments.append(self._setting("RETURNING", type_node(self.data_type()), first))
        if self.at_any("WITH", "WITHOUT"):
            arguments.append(self._json_wrapper())
        while self.at_any(*JSON_BEHAVIOURS):
            arguments.append(self._json_behaviour())
        return arguments

    def _json_wrapper(self) -> exp.Kwarg:
        first = self.advance()
        kind = first.key
        if kind == "WITH":
            kind += " " + (self.take_any("CONDITIONAL", "UNCONDITIONAL") or "UNCONDITIONAL")
        self.take("ARRAY")
        self.expect("WRAPPER")
        return self._setting("WRAPPER", exp.Var(this=kind), first)

    def _json_behaviour(self) -> exp.Kwarg:
        first = self.advance()
        value: exp.Expression = self.keyword(first)
        if first.key == "DEFAULT":
            value = self.expression()
        elif first.key == "EMPTY":
            kind = self.expect_any("ARRAY", "OBJECT")
            value = exp.Var(this=f"EMPTY {kind}")
        self.expect("ON")
        return self._setting(f"ON {self.expect_any('EMPTY', 'ERROR')}", value, first)

    def _json_constructor_arguments(self, *, pairs: bool) -> Arguments:
        arguments: Arguments = []
        while not self.at(")") and not self._at_json_null_clause():
            arguments += self._json_pair() if pairs else [self.argument()]
            if not self.take(","):
                break
            if self.at(")"):
                raise self.unexpected("a value")
        if self._at_json_null_clause():
            first = self.advance()
            self.expect("ON", "NULL")
            arguments.append(self._setting("ON NULL", self.keyword(first), first))
        return arguments

    def _at_json_null_clause(self) -> bool:
        return self.at("NULL", "ON", "NULL") or self.at("ABSENT", "ON", "NULL")

    def _json_pair(self) -> Arguments:
        if self.at("KEY") and self.ahead().key not in ("VALUE", ":", "."):
            self.advance()
        key = self.expression()
        if not self.take(":"):
            self.expect("VALUE")
        return [key, self.expression()]

    def _call_suffix(self, node: exp.Expression, first: Token) -> exp.Expression:
        if self.take("IGNORE", "NULLS"):
            node = exp.IgnoreNulls(this=node)
        elif self.take("RESPECT", "NULLS"):
            node = exp.RespectNulls(this=node)
        if self.take("WITHIN", "GROUP"):
            opening = self.expect("(")
            node = exp.WithinGroup(this=node, expression=self.order_by())
            self.close(opening)
        if self.at("FILTER", "("):
            node = self._filter(node)
        if self.take("OVER"):
            node = self._over(node)
        return node if node.meta.get("line") else self.mark(node, first)

    def _filter(self, node: exp.Expression) -> exp.Filter:
        self.advance()
        opening = self.expect("(")
        first = self.expect("WHERE")
        condition = self.mark(exp.Where(this=self.expression()), first)
        self.close(opening, between="AND")
        return exp.Filter(this=node, expression=condition)

    def _over(self, node: exp.Expression) -> exp.Window:
        if not self.at("("):
            return exp.Window(
                this=node, alias=self.identifier(self.name("a window's name")), over="OVER"
            )
        window = self.window_specification(node)
        window.set("over", "OVER")
        return window

    def window_specification(self, this: exp.Expression) -> exp.Window:
        """`( [w] [PARTITION BY …] [ORDER BY …] [ROWS|RANGE …] )` of a call, or of the name it defines."""
        opening = self.expect("(")
        base = None
        if self.is_name() and not self.at_any("PARTITION", "ROWS", "RANGE"):
            base = self.identifier(self.advance())
        partition = self.listed(self.expression) if self.take("PARTITION", "BY") else None
        order = self.order_by() if self.at("ORDER") else None
        frame = self._frame() if self.at_any("ROWS", "RANGE") else None
        self.close(opening, between="ORDER BY, ROWS, RANGE")
        return exp.Window(this=this, alias=base, partition_by=partition, order=order, spec=frame)

    def _frame(self) -> exp.WindowSpec:
        first = self.advance()
        between = self.take("BETWEEN")
        start, start_side = self._frame_bound()
        end: str | exp.Expression | None = None
        end_side = None
        if between:
            self.expect("AND")
            end, end_side = self._frame_bound()
        frame = exp.WindowSpec(
            kind=first.key, start=start, start_side=start_side, end=end, end_side=end_side
        )
        return self.mark(frame, first)

    def _frame_bound(self) -> tuple[str | exp.Expression, str | None]:
        if self.take("CURRENT", "ROW"):
            return "CURRENT ROW", None
        bound = "UNBOUNDED" if self.take("UNBOUNDED") else self.additive()
        return bound, self.expect_any("PRECEDING", "FOLLOWING")

    def order_by(self) -> exp.Order:
        first = self.current
        self.expect("ORDER", "BY")
        return self.mark(exp.Order(expressions=self.listed(self._ordered)), first)

    def _ordered(self) -> exp.Ordered:
        first = self.current
        key = self.expression()
        descending = self.take_any("ASC", "DESC") == "DESC"
        nulls_first = None
        if self.take("NULLS"):
            nulls_first = self.expect_any("FIRST", "LAST") == "FIRST"
        ordered = exp.Ordered(this=key, desc=descending, nulls_first=nulls_first)
        return self.mark(ordered, first)
