"""Sources decode and operators keep only the columns that something above reads."""

from __future__ import annotations

from dataclasses import replace
from functools import singledispatch

from headrace.plan.nodes import (
    Aggregate,
    Expand,
    Filter,
    Join,
    Materialize,
    Node,
    Project,
    Rank,
    Repeat,
    Scan,
    Union,
    Unnest,
)


def prune_columns(root: Node) -> Node:
    return _prune(root, frozenset(root.names))


@singledispatch
def _prune(node: Node, wanted: frozenset[str]) -> Node:
    return node.with_inputs(tuple(_prune(child, frozenset(child.names)) for child in node.inputs))


@_prune.register
def _(node: Scan, wanted: frozenset[str]) -> Node:
    needed = wanted | set(node.table.primary_key)
    return Scan(node.table, tuple(field for field in node.columns if field.name in needed))


@_prune.register
def _(node: Project, wanted: frozenset[str]) -> Node:
    outputs = tuple((name, expr) for name, expr in node.outputs if name in wanted)
    below = frozenset(name for _, expr in outputs for name in expr.input_names())
    return Project(_prune(node.input, below), outputs)


@_prune.register
def _(node: Filter, wanted: frozenset[str]) -> Node:
    return Filter(_prune(node.input, wanted | node.condition.input_names()), node.condition)


@_prune.register
def _(node: Aggregate, wanted: frozenset[str]) -> Node:
    calls = tuple((name, call) for name, call in node.calls if name in wanted)
    below = set(node.keys)
    for _, call in calls:
        for expr in (*call.args, *([call.filter] if call.filter else [])):
            below |= expr.input_names()
    return replace(node, input=_prune(node.input, frozenset(below)), calls=calls)


@_prune.register
def _(node: Union, wanted: frozenset[str]) -> Node:
    kept = [i for i, name in enumerate(node.names) if name in wanted]
    branches = (_prune(b, frozenset(b.names[i] for i in kept)) for b in node.branches)
    return Union(
        tuple(
            _only(branch, kept, source)
            for branch, source in zip(branches, node.branches, strict=True)
        )
    )


@_prune.register
def _(node: Join, wanted: frozenset[str]) -> Node:
    read = wanted | (node.residual.input_names() if node.residual is not None else set())
    left = _narrowed(node.left, read | set(node.left_keys))
    return replace(node, left=left, right=_narrowed(node.right, read | set(node.right_keys)))


@_prune.register
def _(node: Rank, wanted: frozenset[str]) -> Node:
    read = wanted | {*node.partition, *(key.column for key in node.order)}
    # Without its number a row may move within the top without any change to report.
    rank = node.rank if node.rank in wanted else None
    return replace(node, input=_narrowed(node.input, read), rank=rank)


@_prune.register
def _(node: Materialize, wanted: frozenset[str]) -> Node:
    return replace(node, input=_narrowed(node.input, wanted | {*node.key, *node.own_key}))


@_prune.register
def _(node: Repeat, wanted: frozenset[str]) -> Node:
    return Repeat(_prune(node.input, wanted | node.count.input_names()), node.count)


@_prune.register
def _(node: Unnest, wanted: frozenset[str]) -> Node:
    below = (wanted & set(node.input.names)) | node.collection.input_names()
    return replace(node, input=_prune(node.input, below))


@_prune.register
def _(node: Expand, wanted: frozenset[str]) -> Node:
    kept = [i for i, name in enumerate(node.output_names) if name in wanted]
    rows = tuple(tuple(row[i] for i in kept) for row in node.rows)
    below = frozenset(name for row in rows for expr in row for name in expr.input_names())
    return Expand(_prune(node.input, below), tuple(node.output_names[i] for i in kept), rows)


def _narrowed(child: Node, wanted: frozenset[str]) -> Node:
    """What is kept as whole rows holds nothing that nobody reads."""
    kept = [i for i, name in enumerate(child.names) if name in wanted]
    pruned = _prune(child, frozenset(child.names[i] for i in kept))
    return _only(pruned, kept, child)


def _only(branch: Node, kept: list[int], source: Node) -> Node:
    """A branch may keep more columns than asked (a key, a filter's); a union needs them all alike."""
    wanted = [source.schema[i] for i in kept]
    if list(branch.names) == [field.name for field in wanted]:
        return branch
    return Project(branch, tuple((field.name, field.ref()) for field in wanted))
