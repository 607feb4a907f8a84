"""A query inside another one, made ready to be joined to it.

What it says about columns around it becomes a condition of the join. Where it aggregates or limits, it does so for each
value that those conditions compare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from headrace.errors import UnsupportedSql
from headrace.plan.binder import Scope
from headrace.plan.conditions import bind_condition, equal, filtered, written_parts
from headrace.plan.expressions import AggregateCall, Call, Expr, InputRef, Literal
from headrace.plan.grouping import grouping_of
from headrace.plan.infer_keys import unique_keys
from headrace.plan.joins import plan_from
from headrace.plan.literals import null_literal
from headrace.plan.nodes import Aggregate, Filter, Node, Project, Values
from headrace.plan.ordering import plan_ordering
from headrace.plan.queries import QueryContext, plan_query, scope_of, with_tables
from headrace.plan.relation import Relation, project, unique_names
from headrace.plan.select_list import needs_grouping, select_list
from headrace.plan.state_hints import check_hints, hinted
from headrace.types import BIGINT

# Clauses that may follow a query in brackets; without them the brackets mean nothing.
ORDERING = ("order", "limit", "offset", "with_")


@dataclass(frozen=True, slots=True)
class Inner:
    """The subquery's `node` shares no column name with the query around it; `names` and `outputs` are what it selects,
    over the node. `conditions` say which of its rows belong to a row outside. `without_rows`: what it gives where there
    are none, if that is a row all the same, as with a COUNT."""

    node: Node
    names: tuple[str, ...]
    outputs: tuple[Expr, ...]
    conditions: tuple[Expr, ...] = ()
    without_rows: tuple[Expr, ...] | None = None

    @property
    def is_single(self) -> bool:
        """Whether at most one row belongs to a row outside."""
        if isinstance(self.node, Values):
            return len(self.node.rows) <= 1
        compared = {own.name for _, own in self.pairs() if isinstance(own, InputRef)}
        return any(key <= compared for key in unique_keys(self.node))

    def pairs(self) -> Iterator[tuple[Expr, Expr]]:
        """The equalities among the conditions: what is compared outside, and in the subquery."""
        own = set(self.node.names)
        for condition in self.conditions:
            pair = sides_of(condition, own)
            if pair is not None:
                yield pair

    def with_outputs(self, outer: Node) -> tuple[Node, tuple[InputRef, ...]]:
        """The node with a column for every output."""
        columns = {field.name: field.ref() for field in self.node.schema}
        taken = [*outer.names, *columns]
        names = unique_names([*taken, *self.names])[len(taken) :]
        made = tuple(
            out if isinstance(out, InputRef) else InputRef(out.type, name)
            for name, out in zip(names, self.outputs, strict=True)
        )
        more = zip(made, self.outputs, strict=True)
        computed = tuple((ref.name, out) for ref, out in more if ref is not out)
        if not computed:
            return self.node, made
        return Project(self.node, (*columns.items(), *computed)), made


def sides_of(condition: Expr, own: set[str]) -> tuple[Expr, Expr] | None:
    """What an equality compares outside and among `own` columns; None for any other condition."""
    if not isinstance(condition, Call) or condition.function.name != "=":
        return None
    first, second = condition.args
    for outside, inside in ((first, second), (second, first)):
        names = inside.input_names()
        if names and names <= own and outside.input_names().isdisjoint(own):
            return outside, inside
    return None


def plan_inner(
    body: exp.Expr, outer: Node, scope: Scope, context: QueryContext, *, as_table: bool = False
) -> Inner:
    """`as_table`: whether it matters how often a row is there."""
    while isinstance(body, exp.Subquery) and not any(map(body.args.get, ORDERING)):
        body = body.this
    if not isinstance(body, exp.Select):
        return _closed(plan_query(body, context), outer)
    context = with_tables(body, context)
    block = _Block(body, outer, scope, context)
    if _is_plain(body) and not (as_table and body.args.get("distinct")):
        return block.rows()
    if block.correlated or _is_total(body):
        return block.computed()
    return _closed(plan_query(body, context), outer)


def _closed(node: Node, outer: Node) -> Inner:
    """A query that looks at nothing around it."""
    relation = Relation.of(node, None).apart_from(outer.names)
    return Inner(relation.node, node.names, tuple(field.ref() for field in relation.node.schema))


def _is_plain(select: exp.Select) -> bool:
    """Rows of FROM and WHERE, one by one."""
    clauses = ("group", "having", "qualify", "order", "limit", "offset")
    return not any(select.args.get(clause) for clause in clauses) and not needs_grouping(select)


def _is_total(select: exp.Select) -> bool:
    """Aggregates over all rows: one row, even where there are none to aggregate."""
    clauses = ("group", "having", "qualify", "limit", "offset", "windows")
    return not any(select.args.get(clause) for clause in clauses) and needs_grouping(select)


class _Block:
    """One SELECT, with the conditions of its WHERE sorted by whether they look outside."""

    def __init__(
        self, select: exp.Select, outer: Node, scope: Scope, context: QueryContext
    ) -> None:
        from headrace.plan.subqueries import has_subquery

        context = hinted(select, context)
        self.select = select
        self.outer = outer
        self.context = context
        self.relation = plan_from(select, context).apart_from(outer.names)
        check_hints(select, self.relation, context)
        self.own = scope_of(self.relation, context)
        both = replace(self.own, outer=scope)
        where = select.args.get("where")
        parts = list(written_parts(where.this)) if where is not None else []
        self.nested = [part for part in parts if has_subquery(part)]
        bound = [bind_condition(part, both, context) for part in parts if not has_subquery(part)]
        around = set(outer.names)
        self.plain = [part for part in bound if not part.input_names() & around]
        self.correlated = [part for part in bound if part.input_names() & around]

    def _filtered(self) -> Node:
        from headrace.plan.subqueries import plan_where

        node = filtered(self.relation.node, self.plain)
        for part in self.nested:
            node = plan_where(part, node, self.own, self.context)
        return node

    def _outputs(self, node: Node, scope: Scope) -> tuple[Node, list[tuple[str, Expr]], Scope]:
        from headrace.plan.subqueries import with_subqueries

        node, scope = with_subqueries(self.select.expressions, node, scope, self.context)
        listed = list(select_list(self.select, self.relation, scope, self.context))
        return node, listed, scope

    def rows(self) -> Inner:
        node, listed, _ = self._outputs(self._filtered(), self.own)
        names, outputs = zip(*listed, strict=True)
        return Inner(node, names, outputs, tuple(self.correlated))

    def computed(self) -> Inner:
        """Grouped, limited or both, for each value that the conditions compare."""
        self._refuse_windows()
        about_rows, about_outside = self._split()
        outside, keys = self._compared(about_rows)
        node, scope, keys = self._grouped(self._filtered(), keys)
        aggregate = node
        node, listed, scope = self._outputs(node, scope)
        result: Node = project(node, [*listed, *(("key", key) for key in keys)])
        if self.select.args.get("distinct"):
            result = Aggregate(result, result.names, ())
        width = len(listed)
        source = None if self.select.args.get("distinct") else scope
        ordered = plan_ordering(
            self.select, result, source, self.context, partition=result.names[width:]
        )
        relation = Relation.of(ordered, None).apart_from(self.outer.names)
        refs = tuple(field.ref() for field in relation.node.schema)
        conditions = (equal(a, b) for a, b in zip(outside, refs[width:], strict=True))
        return Inner(
            relation.node,
            tuple(name for name, _ in listed),
            refs[:width],
            (*conditions, *about_outside),
            self._without_rows(aggregate, [expr for _, expr in listed]),
        )

    def _refuse_windows(self) -> None:
        for clause in ("qualify", "windows"):
            if self.select.args.get(clause):
                raise self.context.refuse(
                    f"{clause.upper().rstrip('S')} in a query that looks at columns around it",
                    self.select,
                )

    def _split(self) -> tuple[list[Expr], list[Expr]]:
        """Conditions that compare rows of the subquery with what is outside, and those about the outside alone."""
        own = set(self.relation.node.names)
        about_rows = [part for part in self.correlated if part.input_names() & own]
        return about_rows, [part for part in self.correlated if not part.input_names() & own]

    def _compared(self, conditions: list[Expr]) -> tuple[list[Expr], list[Expr]]:
        own = set(self.relation.node.names)
        pairs = [(part, sides_of(part, own)) for part in conditions]
        for part, pair in pairs:
            if pair is None:
                raise UnsupportedSql(
                    "a subquery that aggregates or limits its rows looks outside by equality only",
                    where=self.context.position(self.select),
                    found=f"condition {part}",
                    cure="compare its columns with outer ones by =, joined with AND; or write it as a JOIN",
                )
        found = [pair for _, pair in pairs if pair is not None]
        return [pair[0] for pair in found], [pair[1] for pair in found]

    def _grouped(self, node: Node, keys: list[Expr]) -> tuple[Node, Scope, list[Expr]]:
        """The aggregate by the query's own groups and by the keys, which then are columns of it."""
        if not needs_grouping(self.select):
            return node, self.own, keys
        grouping = grouping_of(self.select, self.own, self.context, keys)
        scope = grouping.result_scope()
        result = grouping.node(node)
        having = self.select.args.get("having")
        if having is not None:
            result = Filter(result, bind_condition(having.this, scope, self.context))
        found = [grouping.over_keys(key) for key in keys]
        return result, scope, [key for key in found if key is not None]

    def _without_rows(self, node: Node, outputs: list[Expr]) -> tuple[Expr, ...] | None:
        if not _is_total(self.select) or not isinstance(node, Aggregate):
            return None
        empty = {name: _over_nothing(call) for name, call in node.calls}
        values = tuple(
            expr.transform(lambda e: empty.get(e.name, e) if isinstance(e, InputRef) else e)
            for expr in outputs
        )
        return None if any(value.input_names() for value in values) else values


def _over_nothing(call: AggregateCall) -> Expr:
    if call.function.name == "COUNT":
        return Literal(BIGINT.not_null(), 0)
    return null_literal(call.type.as_nullable())
