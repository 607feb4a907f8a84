"""GROUPING SETS, ROLLUP and CUBE as the list of sets they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

from sqlglot import exp

Set = tuple[exp.Expression, ...]


def grouping_sets(group: exp.Group | None) -> list[Set]:
    """One set for a plain GROUP BY, none without one; what stands side by side is combined, each with each."""
    if group is None:
        return [()]
    clauses = [
        item
        for name in ("expressions", "grouping_sets", "rollup", "cube")
        for item in group.args.get(name) or []
    ]
    return [_joined(choice) for choice in product(*map(_sets_of, clauses))]


def _sets_of(item: exp.Expression) -> list[Set]:
    match item:
        case exp.GroupingSets():
            return [one for inner in item.expressions for one in _sets_of(inner)]
        case exp.Rollup():
            parts = [_elements(inner) for inner in item.expressions]
            return [_joined(parts[:length]) for length in range(len(parts), -1, -1)]
        case exp.Cube():
            parts = [_elements(inner) for inner in item.expressions]
            sizes = range(len(parts), -1, -1)
            return [_joined(choice) for size in sizes for choice in combinations(parts, size)]
        case _:
            return [_elements(item)]


def _elements(item: exp.Expression) -> Set:
    """`(a, b)` is one element of two columns."""
    match item:
        case exp.Tuple():
            return tuple(item.expressions)
        case exp.Paren():
            return (item.this,)
        case _:
            return (item,)


def _joined(parts: Iterable[Set]) -> Set:
    return tuple(item for part in parts for item in part)
