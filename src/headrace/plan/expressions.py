"""Bound expressions: every column resolved, every call looked up, every node typed.

The binder makes them from sqlglot trees; `headrace.spark.expressions` prints them as Spark SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

from headrace.types import BOOLEAN, DataType, Kind

if TYPE_CHECKING:
    from headrace.plan.functions.registry import AggregateFunction, ScalarFunction


@dataclass(frozen=True, slots=True)
class Expr:
    type: DataType

    def children(self) -> tuple[Expr, ...]:
        return ()

    def with_children(self, children: tuple[Expr, ...]) -> Expr:
        assert not children
        return self

    def walk(self) -> Iterator[Expr]:
        yield self
        for child in self.children():
            yield from child.walk()

    def transform(self, change: Callable[[Expr], Expr]) -> Expr:
        """Bottom-up rewrite."""
        children = self.children()
        mapped = tuple(child.transform(change) for child in children)
        return change(self if mapped == children else self.with_children(mapped))

    def input_names(self) -> set[str]:
        return {node.name for node in self.walk() if isinstance(node, InputRef)}


@dataclass(frozen=True, slots=True)
class InputRef(Expr):
    """A column of the input node, by the unique name it has there."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Literal(Expr):
    """`value` is None, bool, int, float, Decimal, str, bytes, datetime.date/time/datetime, or (for intervals) a
    timedelta or a number of months."""

    value: object

    def __str__(self) -> str:
        if self.type.kind is Kind.INTERVAL_YEAR_MONTH and self.value is not None:
            return f"INTERVAL '{self.value}' MONTH"
        return literal_text(self.value)


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """A scalar function or operator; `function.spark` says how it reads in Spark."""

    function: ScalarFunction
    args: tuple[Expr, ...]

    def children(self) -> tuple[Expr, ...]:
        return self.args

    def with_children(self, children: tuple[Expr, ...]) -> Expr:
        return replace(self, args=children)

    def __str__(self) -> str:
        name = self.function.name
        if len(self.args) == 2 and not name.isidentifier():
            return f"({self.args[0]} {name} {self.args[1]})"
        return f"{name}({', '.join(map(str, self.args))})"


@dataclass(frozen=True, slots=True)
class Cast(Expr):
    operand: Expr
    try_cast: bool = False

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)

    def with_children(self, children: tuple[Expr, ...]) -> Expr:
        return replace(self, operand=children[0])

    def __str__(self) -> str:
        return f"{'TRY_' if self.try_cast else ''}CAST({self.operand} AS {self.type.as_nullable()})"


@dataclass(frozen=True, slots=True)
class Case(Expr):
    """`CASE WHEN c THEN v … ELSE e END`; the form with an operand is bound to this one."""

    branches: tuple[tuple[Expr, Expr], ...]
    otherwise: Expr

    def children(self) -> tuple[Expr, ...]:
        return (*(part for branch in self.branches for part in branch), self.otherwise)

    def with_children(self, children: tuple[Expr, ...]) -> Expr:
        pairs = tuple(zip(children[:-1:2], children[1:-1:2], strict=True))
        return replace(self, branches=pairs, otherwise=children[-1])

    def __str__(self) -> str:
        whens = " ".join(f"WHEN {c} THEN {v}" for c, v in self.branches)
        return f"CASE {whens} ELSE {self.otherwise} END"


@dataclass(frozen=True, slots=True)
class FieldAccess(Expr):
    """`row.field`."""

    operand: Expr
    name: str

    def children(self) -> tuple[Expr, ...]:
        return (self.operand,)

    def with_children(self, children: tuple[Expr, ...]) -> Expr:
        return replace(self, operand=children[0])

    def __str__(self) -> str:
        return f"{self.operand}.{self.name}"


@dataclass(frozen=True, slots=True)
class AggregateCall:
    """`function([DISTINCT] args) [FILTER (WHERE …)]`; args and filter refer to the aggregate's input. `separator`
    stands between what LISTAGG joins; `keeps_nulls`: a NULL is collected as an element. `percentages` are those that
    PERCENTILE is asked for."""

    function: AggregateFunction
    args: tuple[Expr, ...]
    type: DataType
    distinct: bool = False
    filter: Expr | None = None
    separator: str | None = None
    keeps_nulls: bool = False
    percentages: tuple[float, ...] = ()

    def __str__(self) -> str:
        inner = ", ".join(map(str, self.args)) or "*"
        if self.percentages:
            inner += f" AT {', '.join(map(str, self.percentages))}"
        if self.separator is not None:
            inner += f", {literal_text(self.separator)}"
        if self.keeps_nulls:
            inner += " NULL ON NULL" if self.function.name.startswith("JSON") else " RESPECT NULLS"
        shown = f"{self.function.name}({'DISTINCT ' if self.distinct else ''}{inner})"
        return shown + (f" FILTER (WHERE {self.filter})" if self.filter else "")


def literal_text(value: object) -> str:
    """A constant as SQL writes it, for EXPLAIN."""
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case str():
            return "'" + value.replace("'", "''") + "'"
        case bytes():
            return f"x'{value.hex()}'"
        case Decimal():
            return format(value, "f")
        case datetime():
            return f"TIMESTAMP '{value.isoformat(' ')}'"
        case date() | time():
            return f"{type(value).__name__.upper()} '{value.isoformat()}'"
        case timedelta():
            return f"INTERVAL '{value / timedelta(seconds=1):g}' SECOND"
        case _:
            return str(value)


def is_condition(expr: Expr) -> bool:
    return expr.type.same_as(BOOLEAN)
