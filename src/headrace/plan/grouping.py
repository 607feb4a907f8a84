"""GROUP BY: the input is projected to keys and arguments, and what stands above refers to the results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlglot import exp

from headrace.errors import UnsupportedSql, UserError
from headrace.plan.binder import Scope, bind, bind_aggregate, is_aggregate
from headrace.plan.expressions import AggregateCall, Expr, FieldAccess, InputRef
from headrace.plan.nodes import Aggregate, Node, Project
from headrace.plan.relation import unique_names
from headrace.plan.select_list import grouped_clauses

if TYPE_CHECKING:
    from headrace.plan.queries import QueryContext


def plan_grouping(
    select: exp.Select, node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Scope]:
    """The aggregate, and a scope in which grouped expressions and aggregate calls mean its columns."""
    keys = [bind(item, scope) for item in _group_expressions(select, context)]
    grouping = Grouping(keys, scope, context)
    for clause in grouped_clauses(select):
        grouping.collect(clause)
    return grouping.node(node), grouping.result_scope()


def _group_expressions(select: exp.Select, context: QueryContext) -> list[exp.Expression]:
    group = select.args.get("group")
    if group is None:
        return []
    for clause in ("grouping_sets", "cube", "rollup"):
        if group.args.get(clause):
            raise context.refuse(clause.replace("_", " ").upper(), group)
    return list(group.expressions)


class Grouping:
    """Collects the calls of one SELECT and lays out the columns below and above the aggregate."""

    def __init__(self, keys: list[Expr], scope: Scope, context: QueryContext) -> None:
        self.keys = keys
        self.scope = scope
        self.context = context
        names = (key.name if isinstance(key, InputRef) else f"key{i}" for i, key in enumerate(keys))
        self.key_names = unique_names(names)
        self.calls: list[AggregateCall] = []

    def collect(self, clause: exp.Expression) -> None:
        for node in clause.walk(prune=is_aggregate):
            if is_aggregate(node):
                self._add(node)

    def _add(self, node: exp.Expr) -> int:
        call = bind_aggregate(node, self.scope)
        if call.function.accumulator is None:
            raise self.context.refuse(f"aggregate function {call.function.name}", node)
        if len(call.args) > 1:
            raise self.context.refuse(f"{call.function.name} of several columns", node)
        if call not in self.calls:
            self.calls.append(call)
        return self.calls.index(call)

    def node(self, input_node: Node) -> Node:
        """Keys and arguments become plain columns, equal expressions one column."""
        columns: dict[str, Expr] = dict(zip(self.key_names, self.keys, strict=True))
        calls = tuple(
            (self._call_name(i), self._over_columns(call, columns))
            for i, call in enumerate(self.calls)
        )
        return Aggregate(Project(input_node, tuple(columns.items())), tuple(self.key_names), calls)

    def _over_columns(self, call: AggregateCall, columns: dict[str, Expr]) -> AggregateCall:
        args = tuple(_column_for(arg, columns) for arg in call.args)
        condition = _column_for(call.filter, columns) if call.filter is not None else None
        return replace(call, args=args, filter=condition)

    def _call_name(self, index: int) -> str:
        return f"agg{index}" if f"agg{index}" not in self.key_names else f"__agg{index}"

    def result_scope(self) -> Scope:
        return replace(self.scope, special=self._resolve)

    def _resolve(self, node: exp.Expression) -> Expr | None:
        if is_aggregate(node):
            index = self._add(node)
            return InputRef(self.calls[index].type, self._call_name(index))
        if any(is_aggregate(inner) for inner in node.walk()) or isinstance(node, exp.Query):
            return None
        if isinstance(node, exp.Column | exp.Dot) or self.keys:
            return self._key_ref(node)
        return None

    def _key_ref(self, node: exp.Expression) -> Expr | None:
        try:
            bound = bind(node, self.scope)
        except UnsupportedSql:
            return None
        found = self._over_keys(bound)
        if found is None and isinstance(node, exp.Column):
            raise UserError(
                f"column '{node.sql()}' is neither grouped nor aggregated",
                condition="NOT_GROUPED",
                where=self.context.position(node),
                cure=f"add it to GROUP BY, or aggregate it, e.g. MAX({node.sql()})",
            )
        return found

    def _over_keys(self, bound: Expr) -> Expr | None:
        """A key, or a field of one."""
        for key, name in zip(self.keys, self.key_names, strict=True):
            if bound == key:
                return InputRef(key.type, name)
        if isinstance(bound, FieldAccess):
            operand = self._over_keys(bound.operand)
            return operand and replace(bound, operand=operand)
        return None


def _column_for(expr: Expr, columns: dict[str, Expr]) -> InputRef:
    for name, known in columns.items():
        if known == expr:
            return InputRef(expr.type, name)
    name = expr.name if isinstance(expr, InputRef) else f"arg{len(columns)}"
    name = unique_names([*columns, name])[-1]
    columns[name] = expr
    return InputRef(expr.type, name)
