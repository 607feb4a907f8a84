"""`x IN (query)`, `x > ANY (query)` and `x > ALL (query)` as values beside every row of the query around.

ALL is the opposite of ANY with the opposite comparison. Either is unknown where the rows that decide hold a NULL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlglot import exp

from headrace.errors import Position
from headrace.plan.binder import OPERATORS
from headrace.plan.calls import call
from headrace.plan.expressions import AggregateCall, Case, Expr, InputRef
from headrace.plan.functions.lookup import lookup_aggregate, lookup_scalar
from headrace.plan.inner import Inner
from headrace.plan.literals import boolean_literal, null_literal
from headrace.plan.nodes import Aggregate, JoinKind, Node, Project
from headrace.plan.relation import Relation, unique_names
from headrace.plan.subquery_values import joined_by, marked
from headrace.types import BOOLEAN

OPPOSITES = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# What is less than any of several values is less than their greatest.
DECIDED_BY = {"<": "MAX", "<=": "MAX", ">": "MIN", ">=": "MIN"}


@dataclass(frozen=True, slots=True)
class Membership:
    """`items operator ANY (body)`, or with `negated` the opposite of it."""

    items: tuple[exp.Expression, ...]
    operator: str
    body: exp.Expr
    negated: bool = False


def is_membership(node: exp.Expr) -> bool:
    if isinstance(node, exp.In):
        return node.args.get("query") is not None
    return isinstance(node, exp.Binary) and isinstance(node.expression, exp.Any | exp.All)


def _is_row(node: exp.Expr) -> bool:
    """`(a, b)` or `ROW(a, b)`."""
    named = isinstance(node, exp.Anonymous) and str(node.this).upper() == "ROW"
    return named or isinstance(node, exp.Tuple)


def membership_of(test: exp.Expr) -> Membership:
    """`test` is one for which `is_membership` holds."""
    written = test.this
    items = tuple(written.expressions) if _is_row(written) else (written,)
    if isinstance(test, exp.In):
        return Membership(items, "=", test.args["query"].this)
    assert isinstance(test, exp.Expression)
    operator, body = OPERATORS[type(test)], test.expression.this.this
    if isinstance(test.expression, exp.Any):
        return Membership(items, operator, body)
    return Membership(items, OPPOSITES[operator], body, negated=True)


def membership(
    operands: Sequence[Expr],
    operator: str,
    inner: Inner,
    outer: Node,
    position: Position,
    *,
    known_only: bool,
) -> tuple[Node, Expr]:
    """`operands operator ANY (subquery)`: unknown, unless found, as soon as a NULL is on either side; with `known_only`
    false."""
    if operator in DECIDED_BY and inner.by_equality:
        return _by_extreme(operands[0], operator, inner, outer, position)
    pairs = list(zip(operands, inner.outputs, strict=True))
    conditions = (*inner.conditions, *(_called(operator, a, b) for a, b in pairs))
    node, found = marked(conditions, inner, outer, position)
    if known_only or not any(value.type.nullable for pair in pairs for value in pair):
        return node, found
    if len(pairs) == 1 and inner.by_equality:
        facts = _Facts(inner, node, position)
        return facts.node, _unless_known(found, facts.unknown(operands[0]))
    possible = (_may_hold(operator, a, b) for a, b in pairs)
    node, mark = marked((*inner.conditions, *possible), inner, node, position)
    return node, _unless_known(found, [mark])


def _unless_known(found: Expr, unknown: Sequence[Expr]) -> Expr:
    branches = (
        (found, boolean_literal(True)),
        *((test, null_literal(BOOLEAN)) for test in unknown),
    )
    return Case(BOOLEAN, branches, boolean_literal(False))


def _may_hold(operator: str, left: Expr, right: Expr) -> Expr:
    """It holds, or is not known not to."""
    result: Expr = _called(operator, left, right)
    for side in (left, right):
        if side.type.nullable:
            result = _called("OR", result, call(lookup_scalar("IS NULL"), [side]))
    return result


def _by_extreme(
    operand: Expr, operator: str, inner: Inner, outer: Node, position: Position
) -> tuple[Node, Expr]:
    facts = _Facts(inner, outer, position, DECIDED_BY[operator])
    holds = _called(operator, operand, facts.extreme)
    return facts.node, _unless_known(holds, facts.unknown(operand))


class _Facts:
    """The query around with facts beside every row: that the subquery has rows for it, whether one has no value, and the
    `extreme` of the values, by the name of its function."""

    def __init__(
        self, inner: Inner, outer: Node, position: Position, extreme: str | None = None
    ) -> None:
        self._output = inner.outputs[0]
        facts = self._collected(inner, extreme)
        right = Relation.of(facts, None).apart_from(outer.names).node
        keys = [field.ref() for field in right.schema[: len(list(inner.pairs()))]]
        self.node = joined_by(outer, right, JoinKind.LEFT, inner.compared_again(keys), position)
        columns = {field.name: field.ref() for field in self.node.schema}
        found, has_null, *rest = (columns[name] for name in right.names[len(keys) :])
        self._found, self._has_null = found, has_null
        self.extreme: Expr = rest[0] if rest else null_literal()

    def unknown(self, operand: Expr) -> list[Expr]:
        """The subquery has rows and the operand is NULL, or one of its own values is."""
        tests: list[Expr] = [self._has_null] if self._output.type.nullable else []
        if operand.type.nullable:
            is_null = call(lookup_scalar("IS NULL"), [operand])
            tests.append(_called("AND", self._found, is_null))
        return tests

    def _collected(self, inner: Inner, extreme: str | None) -> Node:
        """Counts would do as well, but they change with every row, and each change would visit all rows outside."""
        keys = [pair[1] for pair in inner.pairs()]
        value, *key_names, rows, values, found, has_null = unique_names(
            ["value", *("key" for _ in keys), "rows", "values", "found", "has_null"]
        )
        below = Project(
            inner.node, tuple(zip((value, *key_names), [self._output, *keys], strict=True))
        )
        argument = InputRef(self._output.type, value)
        calls = [(rows, _call("COUNT")), (values, _call("COUNT", argument))]
        if extreme is not None:
            calls.append(("extreme", _call(extreme, argument)))
        counted = Aggregate(below, tuple(key_names), tuple(calls))
        columns = {field.name: field.ref() for field in counted.schema}
        facts = [
            *((name, columns[name]) for name in key_names),
            (found, boolean_literal(True)),
            (has_null, _called("<", columns[values], columns[rows])),
        ]
        if extreme is not None:
            facts.append(("extreme", columns["extreme"]))
        return Project(counted, tuple(facts))


def _call(name: str, *values: Expr) -> AggregateCall:
    function = lookup_aggregate(name)
    return AggregateCall(function, values, function.returns([value.type for value in values]))


def _called(name: str, left: Expr, right: Expr) -> Expr:
    return call(lookup_scalar(name), [left, right])
