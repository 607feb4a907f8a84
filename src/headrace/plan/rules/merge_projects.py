"""Two projections in a row are one: the upper one's columns are replaced by what the lower one computes.

An expression that is computed below and read more than once above stays where it is.
"""

from __future__ import annotations

from collections import Counter

from headrace.plan.expressions import Expr, InputRef, Literal
from headrace.plan.nodes import Node, Project
from headrace.plan.rules.rewrite import bottom_up


def merge_projects(root: Node) -> Node:
    return bottom_up(root, _merge)


def _merge(node: Node) -> Node:
    if not isinstance(node, Project) or not isinstance(node.input, Project):
        return node
    below = dict(node.input.outputs)
    uses = Counter(
        ref.name for _, e in node.outputs for ref in e.walk() if isinstance(ref, InputRef)
    )
    if any(uses[name] > 1 and not _is_free(expr) for name, expr in below.items()):
        return node
    outputs = tuple((name, _inlined(expr, below)) for name, expr in node.outputs)
    return Project(node.input.input, outputs)


def _is_free(expr: Expr) -> bool:
    return isinstance(expr, InputRef | Literal)


def _inlined(expr: Expr, below: dict[str, Expr]) -> Expr:
    return expr.transform(lambda e: below[e.name] if isinstance(e, InputRef) else e)
