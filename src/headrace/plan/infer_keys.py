"""Unique keys: sets of columns of which no two rows of the node's current table share the values."""

from __future__ import annotations

from functools import singledispatch
from itertools import product

from headrace.plan.expressions import Cast, InputRef
from headrace.plan.nodes import (
    Aggregate,
    Collect,
    Filter,
    Join,
    JoinKind,
    Materialize,
    Node,
    Normalize,
    Project,
    Rank,
    Scan,
    Sink,
)
from headrace.types import CHARACTER, INTEGERS, Kind

Keys = tuple[frozenset[str], ...]


@singledispatch
def unique_keys(node: Node) -> Keys:
    return ()


@unique_keys.register
def _(node: Scan) -> Keys:
    key = frozenset(node.table.primary_key)
    return (key,) if key and key <= set(node.names) else ()


@unique_keys.register(Normalize)
@unique_keys.register(Materialize)
def _(node: Normalize | Materialize) -> Keys:
    return (frozenset(node.key),)


@unique_keys.register(Filter)
@unique_keys.register(Collect)
@unique_keys.register(Sink)
def _(node: Filter | Collect | Sink) -> Keys:
    return unique_keys(node.input)


@unique_keys.register
def _(node: Project) -> Keys:
    copies = _copies(node)
    found = (
        frozenset(choice)
        for key in unique_keys(node.input)
        if key <= copies.keys()
        for choice in product(*(copies[column] for column in sorted(key)))
    )
    return tuple(dict.fromkeys(found))


def _copies(node: Project) -> dict[str, list[str]]:
    """Input column to the output columns by which its values can still be told apart."""
    copies: dict[str, list[str]] = {}
    for name, expr in node.outputs:
        column = expr.operand if isinstance(expr, Cast) and _keeps_apart(expr) else expr
        if isinstance(column, InputRef):
            copies.setdefault(column.name, []).append(name)
    return copies


def _keeps_apart(cast: Cast) -> bool:
    """Whether different values stay different: integers that widen or become text, text without a limit."""
    source, target = cast.operand.type, cast.type
    if source.kind in INTEGERS:
        widens = target.kind in INTEGERS and INTEGERS.index(target.kind) >= INTEGERS.index(
            source.kind
        )
        return widens or target.kind is Kind.STRING
    return source.kind in CHARACTER and target.kind is Kind.STRING


@unique_keys.register
def _(node: Aggregate) -> Keys:
    return (frozenset(node.keys),)


@unique_keys.register
def _(node: Rank) -> Keys:
    """A row has one number, and a partition has a number once."""
    keys = list(unique_keys(node.input))
    if node.start == node.end:
        keys.append(frozenset(node.partition))
    elif node.rank is not None:
        keys.append(frozenset((*node.partition, node.rank)))
    return _smallest(keys)


@unique_keys.register
def _(node: Join) -> Keys:
    left, right = unique_keys(node.left), unique_keys(node.right)
    if node.kind.is_left_only:
        return left
    pairs = list(product(left, right))
    found: list[frozenset[str]] = []
    if node.kind in (JoinKind.INNER, JoinKind.LEFT):
        # A left row settles the right key columns that equal its own.
        found += [a | (b - set(node.right_keys)) for a, b in pairs]
    if node.kind in (JoinKind.INNER, JoinKind.RIGHT):
        found += [b | (a - set(node.left_keys)) for a, b in pairs]
    if node.kind is JoinKind.FULL:
        found += [a | b for a, b in pairs if _is_told_from_nulls(node, a, b)]
    if node.kind is JoinKind.INNER:
        found = [key for one in found for key in _with_equals(node, one)]
    return _smallest(found)


def _is_told_from_nulls(node: Join, left: frozenset[str], right: frozenset[str]) -> bool:
    """Rows without a match on either side have NULLs for the other's key, and must differ from each other."""
    return any(
        column.name in key and not column.type.nullable
        for side, key in ((node.left, left), (node.right, right))
        for column in side.schema
    )


def _with_equals(node: Join, key: frozenset[str]) -> list[frozenset[str]]:
    """The key, and the same with key columns of one side in place of the other's."""
    swaps = dict(zip(node.left_keys, node.right_keys, strict=True))
    swaps |= {b: a for a, b in swaps.items()}
    choices = ([name, swaps[name]] if name in swaps else [name] for name in sorted(key))
    return [frozenset(choice) for choice in product(*choices)]


def _smallest(keys: list[frozenset[str]]) -> Keys:
    unique = dict.fromkeys(keys)
    return tuple(key for key in unique if not any(other < key for other in unique))
