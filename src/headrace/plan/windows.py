"""Calls with OVER: ROW_NUMBER becomes a Rank, whose number the clauses above may ask for."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from headrace.errors import UnknownName, UnsupportedSql
from headrace.plan.binder import Scope, bind
from headrace.plan.expressions import Expr, InputRef
from headrace.plan.nodes import Node, Project, Rank, SortKey
from headrace.plan.queries import QueryContext
from headrace.plan.relation import unique_names
from headrace.plan.select_list import grouped_clauses, own_nodes
from headrace.types import BIGINT


def plan_windows(
    select: exp.Select, node: Node, scope: Scope, context: QueryContext
) -> tuple[Node, Scope]:
    """The node with a number for every ROW_NUMBER of the SELECT, and a scope in which the calls mean these numbers."""
    numbers: dict[exp.Expression, str] = {}
    for clause in grouped_clauses(select):
        for call in own_nodes(clause):
            # A window of the WINDOW clause has a name in place of a call.
            if isinstance(call, exp.Window) and call.args.get("over") and call not in numbers:
                window = _definition(call, select, context)
                _refuse_other_calls(call, window, context)
                node = _numbered(call, window, node, scope, context)
                numbers[call] = node.names[-1]
    return node, (_naming(numbers, scope) if numbers else scope)


def _naming(numbers: dict[exp.Expression, str], scope: Scope) -> Scope:
    def special(call: exp.Expression) -> Expr | None:
        if isinstance(call, exp.Window) and call in numbers:
            return InputRef(BIGINT.not_null(), numbers[call])
        return scope.resolve_special(call)

    return replace(scope, special=special)


def _definition(call: exp.Window, select: exp.Select, context: QueryContext) -> exp.Window:
    """The window itself, or the one of the WINDOW clause that it names."""
    name = call.args.get("alias")
    if name is None:
        return call
    if call.args.get("partition_by") or call.args.get("order"):
        raise context.refuse("a window that extends another", call)
    windows = {window.this.name: window for window in select.args.get("windows") or []}
    if name.name not in windows:
        raise UnknownName("window", name.name, windows, where=context.position(call))
    return _plain_window(windows[name.name], context)


def _plain_window(window: exp.Window, context: QueryContext) -> exp.Window:
    if window.args.get("alias") is not None:
        raise context.refuse("a window that extends another", window)
    return window


def _refuse_other_calls(call: exp.Window, window: exp.Window, context: QueryContext) -> None:
    name = str(call.this.this).upper() if isinstance(call.this, exp.Anonymous) else ""
    if name in ("RANK", "DENSE_RANK"):
        raise UnsupportedSql(
            f"{name} is not supported on a stream",
            where=context.position(call),
            cure="use ROW_NUMBER",
        )
    if name != "ROW_NUMBER" or window.args.get("spec") is not None:
        raise UnsupportedSql(
            f"{name or 'this call'} with OVER needs event time, which is not supported yet",
            where=context.position(call),
            cure="use ROW_NUMBER for the first rows of each group, or GROUP BY",
        )
    if window.args.get("order") is None:
        raise UnsupportedSql(
            "ROW_NUMBER without an order to count in is not supported",
            where=context.position(call),
            cure="add ORDER BY inside OVER (…)",
        )


def _numbered(
    call: exp.Window, window: exp.Window, node: Node, scope: Scope, context: QueryContext
) -> Node:
    columns = Columns(node)
    partition = dict.fromkeys(
        columns.name(bind(item, scope), "part") for item in window.args.get("partition_by") or []
    )
    order = columns.sort_keys(window.args["order"], scope)
    below = columns.node()
    number = unique_names([*below.names, "row_number"])[-1]
    return Rank(below, tuple(partition), order, rank=number, position=context.position(call))


class Columns:
    """A node's columns, and those computed from them to partition or to sort by."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._outputs: dict[str, Expr] = {column.name: column.ref() for column in node.schema}

    def name(self, expr: Expr, base: str) -> str:
        for name, known in self._outputs.items():
            if known == expr:
                return name
        name = unique_names([*self._outputs, base])[-1]
        self._outputs[name] = expr
        return name

    def sort_keys(self, order: exp.Order, scope: Scope) -> tuple[SortKey, ...]:
        keys: dict[str, SortKey] = {}
        for item in order.expressions:
            column = self.name(bind(item.this, scope), "sort")
            keys.setdefault(column, sort_key(item, column))
        return tuple(keys.values())

    def node(self) -> Node:
        if len(self._outputs) == len(self._node.schema):
            return self._node
        return Project(self._node, tuple(self._outputs.items()))


def sort_key(item: exp.Ordered, column: str) -> SortKey:
    descending = bool(item.args.get("desc"))
    nulls_first = item.args.get("nulls_first")
    return SortKey(column, descending, not descending if nulls_first is None else nulls_first)
