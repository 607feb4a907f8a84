"""Weighted rows: +1 the row appears, -1 it goes. Within one batch they commute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from typing import NamedTuple

from headrace.changelog.modes import RowKind

# The column that carries a row's weight through every Spark plan; the Java operators know it by this name.
WEIGHT = "__weight"


class Change(NamedTuple):
    row: tuple[Hashable, ...]
    weight: int


def consolidate(changes: Iterable[Change]) -> list[Change]:
    """The same Z-set with one entry per row and no zero weights, in order of first appearance."""
    total: Counter[tuple[Hashable, ...]] = Counter()
    for row, weight in changes:
        total[row] += weight
    return [Change(row, weight) for row, weight in total.items() if weight]


def to_row_kinds(
    changes: Iterable[Change], key: tuple[int, ...] | None
) -> Iterator[tuple[RowKind, tuple[Hashable, ...]]]:
    """A batch as row kinds. With a key, a removal and an addition of the same key are an update pair."""
    net = consolidate(changes)
    if key is None:
        yield from _plain_kinds(net)
        return
    groups: dict[tuple[Hashable, ...], list[Change]] = {}
    for change in net:
        groups.setdefault(tuple(change.row[i] for i in key), []).append(change)
    for group in groups.values():
        yield from _keyed_kinds(group)


def _plain_kinds(net: list[Change]) -> Iterator[tuple[RowKind, tuple[Hashable, ...]]]:
    for row, weight in sorted(net, key=lambda change: change.weight > 0):
        kind = RowKind.INSERT if weight > 0 else RowKind.DELETE
        for _ in range(abs(weight)):
            yield kind, row


def _keyed_kinds(group: list[Change]) -> Iterator[tuple[RowKind, tuple[Hashable, ...]]]:
    removed = [change.row for change in group if change.weight < 0]
    added = [change.row for change in group if change.weight > 0]
    updated = bool(removed and added)
    for row in removed:
        yield (RowKind.UPDATE_BEFORE if updated else RowKind.DELETE), row
    for row in added:
        yield (RowKind.UPDATE_AFTER if updated else RowKind.INSERT), row
