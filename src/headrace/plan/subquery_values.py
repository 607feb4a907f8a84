"""A subquery's value beside every row of the query around it: one cell, or whether rows exist."""

from __future__ import annotations

from collections.abc import Iterable

from headrace.errors import Position, UserError
from headrace.plan.calls import call
from headrace.plan.conditions import all_of
from headrace.plan.expressions import AggregateCall, Case, Expr, InputRef, Literal
from headrace.plan.functions.aggregates import SINGLE_VALUE
from headrace.plan.functions.lookup import lookup_scalar
from headrace.plan.inner import Inner
from headrace.plan.literals import boolean_literal
from headrace.plan.nodes import Aggregate, Join, JoinKind, Node, Project
from headrace.plan.relation import Relation, unique_names
from headrace.types import BOOLEAN


def scalar(inner: Inner, outer: Node, position: Position) -> tuple[Node, Expr]:
    """The one cell of the subquery; NULL where it has no row."""
    if len(inner.outputs) != 1:
        raise UserError(
            f"a subquery used as a value gives one column, not {len(inner.outputs)}",
            condition="COLUMN_COUNT",
            where=position,
        )
    if not inner.is_single:
        inner = _checked(inner, outer)
    joined, (value,) = outputs_beside(inner, outer, JoinKind.LEFT, (), position)
    return joined, value


def _checked(inner: Inner, outer: Node) -> Inner:
    """The same with one row for each row outside; a second one fails the job, as in Flink."""
    keys = [pair[1] for pair in inner.pairs()]
    names = unique_names(["value", *("key" for _ in keys)])
    below = Project(inner.node, tuple(zip(names, [*inner.outputs, *keys], strict=True)))
    value = InputRef(inner.outputs[0].type, "value")
    only = AggregateCall(SINGLE_VALUE, (value,), value.type.as_nullable(), keeps_nulls=True)
    single = Aggregate(below, tuple(names[1:]), (("single", only),))
    *own, cell = (field.ref() for field in _apart(single, outer).schema)
    return Inner(_apart(single, outer), inner.names, (cell,), tuple(inner.compared_again(own)))


def _apart(node: Node, outer: Node) -> Node:
    return Relation.of(node, None).apart_from(outer.names).node


def outputs_beside(
    inner: Inner, outer: Node, kind: JoinKind, more: Iterable[Expr], position: Position
) -> tuple[Node, tuple[Expr, ...]]:
    """Rows of both together, under the subquery's conditions and `more`, and what each of its outputs is there."""
    node, refs = inner.with_outputs(outer)
    empty = inner.without_rows
    if empty is not None and all(_is_null(value) for value in empty) and kind is JoinKind.LEFT:
        empty = None
    if empty is None:
        joined = joined_by(outer, node, kind, (*inner.conditions, *more), position)
        fields = {field.name: field.ref() for field in joined.schema}
        return joined, tuple(fields[ref.name] for ref in refs)
    found = unique_names([*outer.names, *node.names, "found"])[-1]
    kept = tuple((field.name, field.ref()) for field in node.schema)
    flagged = Project(node, (*kept, (found, boolean_literal(True))))
    joined = joined_by(outer, flagged, JoinKind.LEFT, (*inner.conditions, *more), position)
    missing = call(lookup_scalar("IS NULL"), [InputRef(BOOLEAN, found)])
    fields = {field.name: field.ref() for field in joined.schema}
    values = (
        Case(ref.type, ((missing, value),), fields[ref.name])
        for ref, value in zip(refs, empty, strict=True)
    )
    return joined, tuple(values)


def _is_null(value: Expr) -> bool:
    return isinstance(value, Literal) and value.value is None


def joined_by(
    left: Node, right: Node, kind: JoinKind, conditions: Iterable[Expr], position: Position
) -> Join:
    return Join(left, right, kind, residual=all_of(conditions), position=position)


def marked(
    conditions: Iterable[Expr], inner: Inner, outer: Node, position: Position
) -> tuple[Node, Expr]:
    """Whether the subquery has a row for which the conditions hold."""
    mark = unique_names([*outer.names, *inner.node.names, "matched"])[-1]
    joined = Join(
        outer,
        inner.node,
        JoinKind.MARK,
        residual=all_of(conditions),
        position=position,
        mark=mark,
    )
    return joined, InputRef(BOOLEAN.not_null(), mark)
