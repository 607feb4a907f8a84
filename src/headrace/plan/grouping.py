"""GROUP BY: the input is projected to keys and arguments, and what stands above refers to the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from headrace.errors import Position, UnsupportedSql, UserError
from headrace.plan.binder import Scope, bind, bind_aggregate, is_aggregate
from headrace.plan.conditions import equal
from headrace.plan.expressions import AggregateCall, Case, Expr, FieldAccess, InputRef, Literal
from headrace.plan.grouping_sets import grouping_sets
from headrace.plan.literals import null_literal
from headrace.plan.nodes import Aggregate, Expand, Node, Project
from headrace.plan.relation import unique_names
from headrace.plan.select_list import grouped_clauses, own_nodes
from headrace.types import BIGINT, INT, DataType, Kind

# Aggregates that are NULL for want of a value only.
OF_SOME_VALUE = (
    "MIN",
    "MAX",
    "SUM",
    "AVG",
    "FIRST_VALUE",
    "LAST_VALUE",
    "LISTAGG",
    "ARRAY_AGG",
    "STDDEV_POP",
    "VAR_POP",
)
GROUPING_CALLS = ("GROUPING", "GROUPING_ID", "GROUP_ID")

if TYPE_CHECKING:
    from headrace.plan.queries import QueryContext


def plan_grouping(
    select: exp.Select, node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Scope]:
    """The aggregate, and a scope in which grouped expressions and aggregate calls mean its columns."""
    grouping = grouping_of(select, scope, context)
    return grouping.node(node), grouping.result_scope()


def grouping_of(
    select: exp.Select, scope: Scope, context: QueryContext, more: Sequence[Expr] = ()
) -> Grouping:
    """What the SELECT groups by, and by `more`, with the calls of its clauses."""
    sets = [
        [*more, *(bind(item, scope) for item in items)]
        for items in grouping_sets(select.args.get("group"))
    ]
    grouping = Grouping(sets, scope, context)
    for clause in grouped_clauses(select):
        grouping.collect(clause)
    return grouping


class Grouping:
    """Collects the calls of one SELECT and lays out the columns below and above the aggregate. With several grouping
    sets every row is grouped once for each, with NULL in the keys that a set leaves out and the set's number beside."""

    def __init__(self, sets: list[list[Expr]], scope: Scope, context: QueryContext) -> None:
        self.sets = sets
        self.keys = list(dict.fromkeys(key for one in sets for key in one))
        self.scope = scope
        self.context = context
        names = (
            key.name if isinstance(key, InputRef) else f"key{i}" for i, key in enumerate(self.keys)
        )
        self.key_names = unique_names(names)
        self.set_number = unique_names([*self.key_names, "grouping_set"])[-1]
        self.calls: list[AggregateCall] = []

    def collect(self, clause: exp.Expression) -> None:
        for node in clause.walk(
            prune=lambda item: is_aggregate(item) or isinstance(item, exp.Query)
        ):
            if is_aggregate(node):
                self._add(node)

    def _add(self, node: exp.Expr) -> int:
        call = self._typed(bind_aggregate(node, self.scope))
        if call.function.accumulator is None:
            raise _not_run(call.function.name, self.context.position(node))
        if call not in self.calls:
            self.calls.append(call)
        return self.calls.index(call)

    def _typed(self, call: AggregateCall) -> AggregateCall:
        """A group has rows, so that of values which are never NULL there is a result."""
        plain = self.keys and call.filter is None and call.function.name in OF_SOME_VALUE
        if not plain or any(arg.type.nullable for arg in call.args):
            return call
        # A sum may outgrow its digits.
        if call.type.kind is Kind.DECIMAL and call.function.name in ("SUM", "AVG"):
            return call
        return replace(call, type=call.type.not_null())

    def node(self, input_node: Node) -> Node:
        """Keys and arguments become plain columns, equal expressions one column."""
        columns: dict[str, Expr] = dict(zip(self.key_names, self.keys, strict=True))
        # Grouping sets put NULLs into the keys, which the calls must not see.
        hidden = () if len(self.sets) == 1 else (*self.key_names, self.set_number)
        calls = tuple(
            (self._call_name(i), self._over_columns(call, columns, hidden))
            for i, call in enumerate(self.calls)
        )
        below: Node = Project(input_node, tuple(columns.items()))
        tables = (qualifier for qualifier, _, _ in self.scope.columns if qualifier)
        ttl = self.context.state_time(tables)
        if not hidden:
            return Aggregate(below, tuple(self.key_names), calls, ttl)
        return Aggregate(self._expanded(below), hidden, calls, ttl)

    def _expanded(self, below: Node) -> Node:
        rows = tuple(self._row(below, number) for number in range(len(self.sets)))
        return Expand(below, (*below.names, self.set_number), rows)

    def _row(self, below: Node, number: int) -> tuple[Expr, ...]:
        kept = {
            name
            for name, key in zip(self.key_names, self.keys, strict=True)
            if key in self.sets[number]
        }
        cells = (
            column.ref()
            if column.name in kept or column.name not in self.key_names
            else null_literal(column.type.as_nullable())
            for column in below.schema
        )
        return (*cells, Literal(INT.not_null(), number))

    def _over_columns(
        self, call: AggregateCall, columns: dict[str, Expr], hidden: tuple[str, ...]
    ) -> AggregateCall:
        args = tuple(_column_for(arg, columns, hidden) for arg in call.args)
        condition = _column_for(call.filter, columns, hidden) if call.filter is not None else None
        return replace(call, args=args, filter=condition)

    def _call_name(self, index: int) -> str:
        return f"agg{index}" if f"agg{index}" not in self.key_names else f"__agg{index}"

    def _key_type(self, key: Expr) -> DataType:
        """A key that a grouping set leaves out is NULL in its rows."""
        in_all = all(key in one for one in self.sets)
        return key.type if in_all else key.type.as_nullable()

    def result_scope(self) -> Scope:
        return replace(self.scope, special=self._resolve, grouped=True)

    def _resolve(self, node: exp.Expression) -> Expr | None:
        if isinstance(node, exp.Anonymous) and str(node.this).upper() in GROUPING_CALLS:
            return self._by_set(self._grouping_values(node))
        if is_aggregate(node):
            index = self._add(node)
            return InputRef(self.calls[index].type, self._call_name(index))
        if any(is_aggregate(inner) for inner in own_nodes(node)):
            return None
        if isinstance(node, exp.Column | exp.Dot) or self.keys:
            return self._key_ref(node)
        return None

    def _grouping_values(self, node: exp.Anonymous) -> list[int]:
        """For each grouping set. GROUP_ID: how many equal sets stand before it; the others: a bit per argument, the
        last one lowest, 1 where the set leaves the argument out."""
        if str(node.this).upper() == "GROUP_ID":
            sets = [frozenset(one) for one in self.sets]
            return [sets[:place].count(one) for place, one in enumerate(sets)]
        args = [bind(item, self.scope) for item in node.expressions]
        for arg, item in zip(args, node.expressions, strict=True):
            if arg not in self.keys:
                raise UserError(
                    f"{node.this} takes grouped columns",
                    condition="NOT_GROUPED",
                    where=self.context.position(item),
                    found=item.sql(),
                )
        return [sum((a not in one) << i for i, a in enumerate(args[::-1])) for one in self.sets]

    def _by_set(self, numbers: list[int]) -> Expr:
        values = [Literal(BIGINT.not_null(), number) for number in numbers]
        number = InputRef(INT.not_null(), self.set_number)
        tests = (equal(number, Literal(INT.not_null(), i)) for i in range(len(values)))
        *firsts, last = zip(tests, values, strict=True)
        return Case(BIGINT.not_null(), tuple(firsts), last[1]) if firsts else last[1]

    def _key_ref(self, node: exp.Expression) -> Expr | None:
        try:
            bound = bind(node, self.scope)
        except UnsupportedSql:
            return None
        found = self.over_keys(bound)
        if found is None and isinstance(node, exp.Column):
            raise UserError(
                f"column '{node.sql()}' is neither grouped nor aggregated",
                condition="NOT_GROUPED",
                where=self.context.position(node),
                cure=f"add it to GROUP BY, or aggregate it, e.g. MAX({node.sql()})",
            )
        return found

    def over_keys(self, bound: Expr) -> Expr | None:
        """A key, or a field of one."""
        for key, name in zip(self.keys, self.key_names, strict=True):
            if bound == key:
                return InputRef(self._key_type(key), name)
        if isinstance(bound, FieldAccess):
            operand = self.over_keys(bound.operand)
            return operand and replace(bound, operand=operand)
        return None


def _not_run(name: str, position: Position) -> UnsupportedSql:
    if name == "APPROX_COUNT_DISTINCT":
        return UnsupportedSql(
            f"{name} is not supported on a stream, as in Flink",
            where=position,
            cure="COUNT(DISTINCT x)",
        )
    return UnsupportedSql(f"{name} needs an OVER window", where=position)


def _column_for(expr: Expr, columns: dict[str, Expr], hidden: tuple[str, ...]) -> InputRef:
    for name, known in columns.items():
        if known == expr and name not in hidden:
            return InputRef(expr.type, name)
    name = expr.name if isinstance(expr, InputRef) else f"arg{len(columns)}"
    name = unique_names([*dict.fromkeys((*columns, *hidden)), name])[-1]
    columns[name] = expr
    return InputRef(expr.type, name)
