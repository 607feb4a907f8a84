"""A subquery's value beside every row of the query around it: one cell, whether rows exist, whether a value is among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from headrace.errors import Position, UnsupportedSql, UserError
from headrace.plan.calls import call
from headrace.plan.conditions import all_of, equal
from headrace.plan.correlation import Inner
from headrace.plan.expressions import AggregateCall, Case, Expr, InputRef, Literal
from headrace.plan.functions.lookup import lookup_aggregate, lookup_scalar
from headrace.plan.literals import boolean_literal, null_literal
from headrace.plan.nodes import Aggregate, Join, JoinKind, Node, Project
from headrace.plan.relation import Relation, unique_names
from headrace.types import BIGINT, BOOLEAN


def scalar(inner: Inner, outer: Node, position: Position) -> tuple[Node, Expr]:
    """The one cell of the subquery; NULL where it has no row."""
    if len(inner.outputs) != 1:
        raise UserError(
            f"a subquery used as a value gives one column, not {len(inner.outputs)}",
            condition="COLUMN_COUNT",
            where=position,
        )
    if not inner.is_single:
        raise UnsupportedSql(
            "a subquery used as a value must give one row at most, and this one may give several",
            condition="SEVERAL_ROWS",
            where=position,
            cure="aggregate it, as in MAX(x); add LIMIT 1; or compare its key with outer columns by =",
        )
    joined, (value,) = outputs_beside(inner, outer, JoinKind.LEFT, (), position)
    return joined, value


def outputs_beside(
    inner: Inner, outer: Node, kind: JoinKind, more: Iterable[Expr], position: Position
) -> tuple[Node, tuple[Expr, ...]]:
    """Rows of both together, under the subquery's conditions and `more`, and what each of its outputs is there."""
    node, refs = inner.with_outputs(outer)
    empty = inner.without_rows
    if empty is not None and all(_is_null(value) for value in empty) and kind is JoinKind.LEFT:
        empty = None
    if empty is None:
        joined = _join(outer, node, kind, (*inner.conditions, *more), position)
        fields = {field.name: field.ref() for field in joined.schema}
        return joined, tuple(fields[ref.name] for ref in refs)
    found = unique_names([*outer.names, *node.names, "found"])[-1]
    kept = tuple((field.name, field.ref()) for field in node.schema)
    flagged = Project(node, (*kept, (found, boolean_literal(True))))
    joined = _join(outer, flagged, JoinKind.LEFT, (*inner.conditions, *more), position)
    missing = call(lookup_scalar("IS NULL"), [InputRef(BOOLEAN, found)])
    fields = {field.name: field.ref() for field in joined.schema}
    values = (
        Case(ref.type, ((missing, value),), fields[ref.name])
        for ref, value in zip(refs, empty, strict=True)
    )
    return joined, tuple(values)


def _is_null(value: Expr) -> bool:
    return isinstance(value, Literal) and value.value is None


def _join(
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


def membership(
    operands: Sequence[Expr], inner: Inner, outer: Node, position: Position, *, known_only: bool
) -> tuple[Node, Expr]:
    """`operands IN (subquery)`: unknown, unless found, as soon as a NULL is on either side; with `known_only` false."""
    pairs = list(zip(operands, inner.outputs, strict=True))
    conditions = (*inner.conditions, *(equal(a, b) for a, b in pairs))
    node, found = marked(conditions, inner, outer, position)
    if known_only or not any(value.type.nullable for pair in pairs for value in pair):
        return node, found
    if len(pairs) == 1 and len(list(inner.pairs())) == len(inner.conditions):
        node, unknown = _unknown_by_counts(*pairs[0], inner, node, position)
    else:
        possible = (_may_equal(a, b) for a, b in pairs)
        node, mark = marked((*inner.conditions, *possible), inner, node, position)
        unknown = [mark]
    branches = (
        (found, boolean_literal(True)),
        *((test, null_literal(BOOLEAN)) for test in unknown),
    )
    return node, Case(BOOLEAN, branches, boolean_literal(False))


def _may_equal(left: Expr, right: Expr) -> Expr:
    """Equal, or not known to differ."""
    result: Expr = equal(left, right)
    for side in (left, right):
        if side.type.nullable:
            result = _called("OR", result, call(lookup_scalar("IS NULL"), [side]))
    return result


def _unknown_by_counts(
    operand: Expr, output: Expr, inner: Inner, outer: Node, position: Position
) -> tuple[Node, list[Expr]]:
    """The subquery has rows and the operand is NULL, or one of its own values is."""
    outside = [pair[0] for pair in inner.pairs()]
    facts = _facts(output, [pair[1] for pair in inner.pairs()], inner.node)
    right = Relation.of(facts, None).apart_from(outer.names).node
    *keys, found, has_null = (field.ref() for field in right.schema)
    conditions = (equal(a, b) for a, b in zip(outside, keys, strict=True))
    joined = _join(outer, right, JoinKind.LEFT, conditions, position)
    tests: list[Expr] = [InputRef(BOOLEAN, has_null.name)] if output.type.nullable else []
    if operand.type.nullable:
        is_null = call(lookup_scalar("IS NULL"), [operand])
        tests.append(_called("AND", InputRef(BOOLEAN, found.name), is_null))
    return joined, tests


def _facts(output: Expr, keys: Sequence[Expr], node: Node) -> Node:
    """For each of the keys, that it has rows and whether one has no value. Counts would do as well, but they change with
    every row, and each change would visit all rows outside."""
    names = unique_names(["value", *("key" for _ in keys), "rows", "values", "found", "has_null"])
    below = Project(node, tuple(zip(names, [output, *keys], strict=False)))
    rows, values = (InputRef(BIGINT.not_null(), name) for name in names[-4:-2])
    calls = (
        (rows.name, _count()),
        (values.name, _count(InputRef(output.type, "value"))),
    )
    counted = Aggregate(below, tuple(names[1:-4]), calls)
    kept = tuple((column.name, column.ref()) for column in counted.schema[:-2])
    facts = (boolean_literal(True), _called("<", values, rows))
    return Project(counted, (*kept, *zip(names[-2:], facts, strict=True)))


def _count(*values: Expr) -> AggregateCall:
    return AggregateCall(lookup_aggregate("COUNT"), values, BIGINT.not_null())


def _called(name: str, left: Expr, right: Expr) -> Expr:
    return call(lookup_scalar(name), [left, right])
