"""Where the changes of one key follow each other in one task: the columns of that key, or None if nothing is known."""

from __future__ import annotations

from functools import singledispatch

from headrace.plan.expressions import InputRef
from headrace.plan.nodes import Aggregate, Filter, Node, Normalize, Project


@singledispatch
def clustered_by(node: Node) -> frozenset[str] | None:
    return None


@clustered_by.register
def _(node: Normalize) -> frozenset[str] | None:
    return frozenset((*node.key, *node.origin))


@clustered_by.register
def _(node: Aggregate) -> frozenset[str] | None:
    return frozenset(node.keys)


@clustered_by.register
def _(node: Filter) -> frozenset[str] | None:
    return clustered_by(node.input)


@clustered_by.register
def _(node: Project) -> frozenset[str] | None:
    below = clustered_by(node.input)
    names = {expr.name: name for name, expr in node.outputs if isinstance(expr, InputRef)}
    if below is None or not below <= names.keys():
        return None
    return frozenset(names[column] for column in below)
