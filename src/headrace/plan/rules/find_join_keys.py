"""Equalities between the two sides of a join become its keys; computed ones are computed below it.

A column is in one pair of keys only: a second equality of the same column stays a condition. IS NOT DISTINCT FROM is an
equality too, whose NULLs match.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from headrace.plan.conditions import EQUALITIES, all_of, parts_of
from headrace.plan.expressions import Call, Expr, InputRef
from headrace.plan.nodes import Join, Node, Project
from headrace.plan.relation import unique_names
from headrace.plan.rules.rewrite import bottom_up


def find_join_keys(root: Node) -> Node:
    return bottom_up(root, _find)


def _find(node: Node) -> Node:
    if not isinstance(node, Join) or node.left_keys:
        return node
    keys = _Keys(node)
    rest = [part for part in parts_of(node.residual) if not keys.take(part)]
    joined = replace(
        node,
        left=_with_columns(node.left, keys.left.computed),
        right=_with_columns(node.right, keys.right.computed),
        left_keys=tuple(keys.left.names),
        right_keys=tuple(keys.right.names),
        residual=all_of(rest),
        null_safe=tuple(keys.null_safe),
    )
    if joined.names == node.names:
        return joined
    return Project(joined, tuple((column.name, column.ref()) for column in node.schema))


@dataclass(slots=True)
class _Side:
    columns: frozenset[str]
    names: list[str] = field(default_factory=list)
    computed: list[tuple[str, Expr]] = field(default_factory=list)

    def has(self, expr: Expr) -> bool:
        names = expr.input_names()
        return bool(names) and names <= self.columns

    def uses(self, expr: Expr) -> bool:
        return isinstance(expr, InputRef) and expr.name in self.names


class _Keys:
    def __init__(self, node: Join) -> None:
        self.left = _Side(frozenset(node.left.names))
        self.right = _Side(frozenset(node.right.names))
        self.null_safe: list[str] = []

    def take(self, part: Expr) -> bool:
        """Make the part a pair of keys, if it is an equality of the two sides."""
        if not isinstance(part, Call) or part.function.name not in EQUALITIES:
            return False
        first, second = part.args
        for left, right in ((first, second), (second, first)):
            if self.left.has(left) and self.right.has(right):
                return self._add(left, right) and self._note_nulls(part)
        return False

    def _note_nulls(self, part: Call) -> bool:
        """Where one side has no NULL, none can match."""
        if part.function.name != "=" and all(arg.type.nullable for arg in part.args):
            self.null_safe.append(self.left.names[-1])
        return True

    def _add(self, left: Expr, right: Expr) -> bool:
        if self.left.uses(left) or self.right.uses(right):
            return False
        self._name(self.left, left)
        self._name(self.right, right)
        return True

    def _name(self, side: _Side, expr: Expr) -> None:
        if isinstance(expr, InputRef):
            side.names.append(expr.name)
            return
        fresh = [name for one in (self.left, self.right) for name, _ in one.computed]
        taken = [*self.left.columns, *self.right.columns, *fresh]
        name = unique_names([*taken, f"key{len(side.names)}"])[-1]
        side.names.append(name)
        side.computed.append((name, expr))


def _with_columns(node: Node, more: list[tuple[str, Expr]]) -> Node:
    if not more:
        return node
    kept = tuple((column.name, column.ref()) for column in node.schema)
    return Project(node, (*kept, *more))
