"""A SELECT inside another query: what it says about columns around it is sorted out from the rest."""

from __future__ import annotations

from dataclasses import replace

from sqlglot import exp

from headrace.plan.binder import Scope
from headrace.plan.conditions import bind_condition, filtered, written_parts
from headrace.plan.expressions import AggregateCall, Expr, InputRef, Literal
from headrace.plan.grouping import grouping_of
from headrace.plan.inner import Inner, as_written, sides_of
from headrace.plan.joins import plan_from
from headrace.plan.literals import null_literal
from headrace.plan.nodes import Aggregate, Filter, Join, JoinKind, Node
from headrace.plan.ordering import plan_ordering
from headrace.plan.outside import Outside, same
from headrace.plan.queries import QueryContext, scope_of
from headrace.plan.relation import Relation, project
from headrace.plan.select_list import (
    grouped_clauses,
    grouped_inputs,
    needs_grouping,
    own_nodes,
    select_list,
)
from headrace.plan.state_hints import check_hints, hinted
from headrace.types import BIGINT


def is_plain(select: exp.Select) -> bool:
    """Rows of FROM and WHERE, one by one."""
    clauses = ("group", "having", "qualify", "order", "limit", "offset")
    return not any(select.args.get(clause) for clause in clauses) and not needs_grouping(select)


def is_total(select: exp.Select) -> bool:
    """Aggregates over all rows: one row, even where there are none to aggregate."""
    clauses = ("group", "having", "qualify", "limit", "offset", "windows")
    return not any(select.args.get(clause) for clause in clauses) and needs_grouping(select)


def has_windows(select: exp.Select) -> bool:
    clauses = grouped_clauses(select)
    return any(isinstance(node, exp.Window) for clause in clauses for node in own_nodes(clause))


class Block:
    """One SELECT, with the conditions of its WHERE sorted by whether they look outside. `outside`: the values around it
    as a table beside its own, so that nothing looks outside any more. `single_rows`: how often a row is there is of no
    matter, so that DISTINCT can be left out."""

    def __init__(
        self,
        select: exp.Select,
        outer: Node,
        scope: Scope,
        context: QueryContext,
        outside: Outside | None = None,
        *,
        single_rows: bool = False,
    ) -> None:
        from headrace.plan.subqueries import has_subquery

        self.select, self.outer, self.scope, self.outside = select, outer, scope, outside
        self.in_rows = is_plain(select) and (single_rows or not select.args.get("distinct"))
        self.context = hinted(select, context)
        taken = (*outer.names, *(outside.names if outside is not None else ()))
        self.relation = plan_from(select, self.context).apart_from(taken)
        check_hints(select, self.relation, self.context)
        both = replace(scope_of(self.relation, self.context), outer=scope)
        moved = None if outside is None else outside.moved
        self.own = replace(both, outer=None if outside is None else scope, moved=moved)
        where = select.args.get("where")
        parts = list(written_parts(where.this)) if where is not None else []
        self.nested = [part for part in parts if has_subquery(part)]
        bound = [
            bind_condition(part, both if outside is None else self.own, self.context)
            for part in parts
            if not has_subquery(part)
        ]
        around = set(outer.names)
        self.plain = [part for part in bound if not part.input_names() & around]
        self.correlated = [part for part in bound if part.input_names() & around]

    def over(self, outside: Outside) -> Block:
        """The same over a table of the values outside."""
        single = self.in_rows
        return Block(self.select, self.outer, self.scope, self.context, outside, single_rows=single)

    def seen_outside(self) -> tuple[set[str], set[str]]:
        """Columns around it that conditions of its own compare, and those that it names anywhere else."""
        outside = Outside(self.outer, self.outer.names)
        block = self.over(outside)
        compared, outside.used = outside.used, set()
        block.result()
        return compared, outside.used

    @property
    def by_equality(self) -> bool:
        """Whether its rows are compared with what is outside by equalities alone."""
        own = set(self.relation.node.names)
        return all(sides_of(part, own) is not None for part in self._split()[0])

    def result(self) -> Inner:
        return self._rows() if self.in_rows else self._computed()

    def _joined(self) -> Node:
        """FROM, with the values outside."""
        if self.outside is None:
            return self.relation.node
        if not self.relation.node.names:
            return self.outside.node()
        position = self.context.position(self.select)
        tables = (self.outside.node(), self.relation.node)
        return Join(*tables, JoinKind.INNER, position=position)

    def _filtered(self) -> Node:
        from headrace.plan.subqueries import plan_where

        node = filtered(self._joined(), self.plain)
        for part in self.nested:
            node = plan_where(part, node, self.own, self.context)
        return node

    def _outputs(self, node: Node, scope: Scope) -> tuple[Node, list[tuple[str, Expr]], Scope]:
        from headrace.plan.subqueries import with_subqueries

        node, scope = with_subqueries(self.select.expressions, node, scope, self.context)
        listed = list(select_list(self.select, self.relation, scope, self.context))
        return node, listed, scope

    def _same(self) -> list[Expr]:
        """What a row outside has in common with the values that stand for it."""
        return [same(*pair) for pair in self.outside.pairs()] if self.outside is not None else []

    def _rows(self) -> Inner:
        node, listed, _ = self._outputs(self._filtered(), self.own)
        names, outputs = zip(*listed, strict=True)
        return Inner(node, names, outputs, (*self.correlated, *self._same()))

    def _computed(self) -> Inner:
        """Grouped, limited or both, for each value that the conditions compare."""
        about_rows, about_outside = self._split()
        compared = [(part, *self._sides(part)) for part in (*about_rows, *self._same())]
        node, scope, keys = self._grouped(self._filtered(), [own for _, _, own in compared])
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
        conditions = (
            as_written(part, outside, key)
            for (part, outside, _), key in zip(compared, refs[width:], strict=True)
        )
        return Inner(
            relation.node,
            tuple(name for name, _ in listed),
            refs[:width],
            (*conditions, *about_outside),
            self._without_rows(aggregate, listed, _back(keys, compared)),
        )

    def refuse_windows(self) -> None:
        """A window counts the rows of all values outside together."""
        if self.correlated:
            raise self.context.refuse(
                "OVER or QUALIFY in a query that looks at columns around it", self.select
            )

    def _split(self) -> tuple[list[Expr], list[Expr]]:
        """Conditions that compare rows of the subquery with what is outside, and those about the outside alone."""
        own = set(self.relation.node.names)
        about_rows = [part for part in self.correlated if part.input_names() & own]
        return about_rows, [part for part in self.correlated if not part.input_names() & own]

    def _sides(self, condition: Expr) -> tuple[Expr, Expr]:
        own = (*self.relation.node.names, *(self.outside.names if self.outside is not None else ()))
        sides = sides_of(condition, set(own))
        assert sides is not None
        return sides

    def _grouped(self, node: Node, keys: list[Expr]) -> tuple[Node, Scope, list[Expr]]:
        """The aggregate by the query's own groups and by the keys, which then are columns of it."""
        from headrace.plan.subqueries import with_subqueries

        if not needs_grouping(self.select):
            return node, self.own, keys
        inputs = grouped_inputs(self.select)
        node, inside = with_subqueries(inputs, node, self.own, self.context)
        grouping = grouping_of(self.select, inside, self.context, keys)
        scope = grouping.result_scope()
        result = grouping.node(node)
        having = self.select.args.get("having")
        if having is not None:
            result, inside = with_subqueries([having.this], result, scope, self.context)
            result = Filter(result, bind_condition(having.this, inside, self.context))
        found = [grouping.over_keys(key) for key in keys]
        return result, scope, [key for key in found if key is not None]

    def _without_rows(
        self, node: Node, listed: list[tuple[str, Expr]], back: dict[str, Expr]
    ) -> tuple[Expr, ...] | None:
        if not is_total(self.select) or not isinstance(node, Aggregate):
            return None
        known = back | {name: _over_nothing(call) for name, call in node.calls}
        return tuple(
            expr.transform(lambda e: known.get(e.name, e) if isinstance(e, InputRef) else e)
            for _, expr in listed
        )


def _back(keys: list[Expr], compared: list[tuple[Expr, Expr, Expr]]) -> dict[str, Expr]:
    """By the name of a key, what is outside in its place."""
    pairs = zip(keys, compared, strict=True)
    return {key.name: outside for key, (_, outside, _) in pairs if isinstance(key, InputRef)}


def _over_nothing(call: AggregateCall) -> Expr:
    if call.function.name == "COUNT":
        return Literal(BIGINT.not_null(), 0)
    return null_literal(call.type.as_nullable())
