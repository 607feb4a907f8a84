"""Unique keys: sets of columns of which no two rows of the node's current table share the values."""

from __future__ import annotations

from functools import singledispatch

from headrace.plan.nodes import Aggregate, Collect, Filter, Node, Normalize, Project, Scan, Sink

Keys = tuple[frozenset[str], ...]


@singledispatch
def unique_keys(node: Node) -> Keys:
    return ()


@unique_keys.register
def _(node: Scan) -> Keys:
    key = frozenset(node.table.primary_key)
    return (key,) if key and key <= set(node.names) else ()


@unique_keys.register
def _(node: Normalize) -> Keys:
    return (frozenset(node.key),)


@unique_keys.register(Filter)
@unique_keys.register(Collect)
@unique_keys.register(Sink)
def _(node: Filter | Collect | Sink) -> Keys:
    return unique_keys(node.input)


@unique_keys.register
def _(node: Project) -> Keys:
    renames = node.renames()
    return tuple(
        frozenset(renames[column] for column in key)
        for key in unique_keys(node.input)
        if key <= renames.keys()
    )


@unique_keys.register
def _(node: Aggregate) -> Keys:
    return (frozenset(node.keys),)
