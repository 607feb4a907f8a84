"""Random changes of keyed rows, drawn with numpy: which key each change is of, and which of them delete."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class ChangeLog:
    """`keys[i]` is the key of the i-th change; `deletes[i]` whether it is a tombstone, `first[i]` its key's first."""

    keys: Ints
    deletes: Flags
    first: Flags

    def __len__(self) -> int:
        return len(self.keys)

    def live(self) -> Ints:
        """Positions of the changes that hold the final rows: the last of each key, unless it deletes."""
        _, from_the_end = np.unique(self.keys[::-1], return_index=True)
        last = len(self) - 1 - from_the_end
        return np.sort(last[~self.deletes[last]])

    def carried(self, values: Ints, renewed: Flags) -> Ints:
        """A column that keeps its key's previous value except where it is renewed."""
        by_key = np.argsort(self.keys, kind="stable")
        starts = (renewed | self.first)[by_key]
        origin = np.maximum.accumulate(np.where(starts, np.arange(len(self)), 0))
        column = np.empty_like(values)
        column[by_key] = values[by_key][origin]
        return column


def draw(random: np.random.Generator, count: int, keys: int, delete_share: float) -> ChangeLog:
    """`count` changes of `keys` keys, each key at least once; `delete_share` of all changes delete.

    A first change never deletes, but a delete may follow a delete: topics hold such tombstones too.
    """
    drawn = np.concatenate([np.arange(keys), random.integers(0, keys, count - keys)])
    random.shuffle(drawn)
    first = np.zeros(count, dtype=np.bool_)
    first[np.unique(drawn, return_index=True)[1]] = True
    may_delete = 1 - keys / count
    deletes = ~first & (random.random(count) < delete_share / may_delete)
    return ChangeLog(drawn, deletes, first)
