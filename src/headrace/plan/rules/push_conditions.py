"""Conditions go down to where their columns come from, so that joins and ranks keep fewer rows.

Above an outer join only the side that keeps its rows may be filtered early; inside its ON only the other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from headrace.plan.conditions import all_of, filtered, parts_of
from headrace.plan.expressions import Expr, InputRef
from headrace.plan.nodes import Filter, Join, JoinKind, Node, Project, Rank

Parts = list[Expr]

# Sides of a join by kind: where a condition above it may go, and where a part of its own condition may go.
ABOVE = {
    JoinKind.INNER: ("left", "right"),
    JoinKind.LEFT: ("left",),
    JoinKind.RIGHT: ("right",),
    JoinKind.FULL: (),
    JoinKind.SEMI: ("left",),
    JoinKind.ANTI: ("left",),
    JoinKind.MARK: ("left",),
}
INSIDE = {
    JoinKind.INNER: ("left", "right"),
    JoinKind.LEFT: ("right",),
    JoinKind.RIGHT: ("left",),
    JoinKind.FULL: (),
    JoinKind.SEMI: ("left", "right"),
    JoinKind.ANTI: ("right",),
    JoinKind.MARK: ("right",),
}


def push_conditions(root: Node) -> Node:
    return _push(root, [])


def _push(node: Node, parts: Parts) -> Node:
    """The node with `parts` applied to its rows, each as far down as it may go."""
    match node:
        case Filter():
            return _push(node.input, [*parts_of(node.condition), *parts])
        case Join():
            return _push_into_join(node, parts)
        case Rank():
            return _push_below_rank(node, parts)
        case Project():
            return _push_below_project(node, parts)
        case _:
            inputs = tuple(_push(child, []) for child in node.inputs)
            return filtered(node.with_inputs(inputs), parts)


def _push_below_project(node: Project, parts: Parts) -> Node:
    """A condition over columns that are only passed on can be asked before."""
    passed = {name: expr for name, expr in node.outputs if isinstance(expr, InputRef)}
    lower, upper = _split(parts, lambda part: part.input_names() <= passed.keys())
    renamed = [
        part.transform(lambda e: passed[e.name] if isinstance(e, InputRef) else e) for part in lower
    ]
    return filtered(node.with_inputs((_push(node.input, renamed),)), upper)


def _push_below_rank(node: Rank, parts: Parts) -> Node:
    """Whole partitions may be left out before; a single row only after it has its number."""
    partition = set(node.partition)
    lower, upper = _split(
        parts, lambda part: bool(part.input_names()) and part.input_names() <= partition
    )
    return filtered(node.with_inputs((_push(node.input, lower),)), upper)


def _push_into_join(node: Join, parts: Parts) -> Node:
    sides: dict[str, Parts] = {"left": [], "right": []}
    above = _settle(parts, ABOVE[node.kind], node, sides)
    if node.kind is JoinKind.INNER:
        inside, above = [*parts_of(node.residual), *above], []
    else:
        inside = list(parts_of(node.residual))
    residual = _settle(inside, INSIDE[node.kind], node, sides)
    left, right = _push(node.left, sides["left"]), _push(node.right, sides["right"])
    return filtered(replace(node, left=left, right=right, residual=all_of(residual)), above)


def _settle(parts: Parts, allowed: tuple[str, ...], node: Join, sides: dict[str, Parts]) -> Parts:
    """Put each part on the allowed side that has all its columns; the rest comes back."""
    rest = []
    for part in parts:
        for name in allowed:
            if part.input_names() <= set(getattr(node, name).names):
                sides[name].append(part)
                break
        else:
            rest.append(part)
    return rest


def _split(parts: Iterable[Expr], test: Callable[[Expr], bool]) -> tuple[Parts, Parts]:
    yes: Parts = []
    no: Parts = []
    for part in parts:
        (yes if test(part) else no).append(part)
    return yes, no
