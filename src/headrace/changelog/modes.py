"""Row kinds exist at the edges only; a changelog mode says which of them a stream may carry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class RowKind(StrEnum):
    """What a change does to its row, written as Flink prints it."""

    INSERT = "+I"
    UPDATE_BEFORE = "-U"
    UPDATE_AFTER = "+U"
    DELETE = "-D"

    @property
    def short(self) -> str:
        """The name Flink's EXPLAIN uses: I, UB, UA, D."""
        return SHORT_NAMES[self]

    @property
    def adds(self) -> bool:
        return self in (RowKind.INSERT, RowKind.UPDATE_AFTER)


SHORT_NAMES = {
    RowKind.INSERT: "I",
    RowKind.UPDATE_BEFORE: "UB",
    RowKind.UPDATE_AFTER: "UA",
    RowKind.DELETE: "D",
}


@dataclass(frozen=True, slots=True)
class ChangelogMode:
    kinds: frozenset[RowKind]

    @classmethod
    def of(cls, kinds: Iterable[RowKind]) -> ChangelogMode:
        return cls(frozenset(kinds))

    @classmethod
    def append(cls) -> ChangelogMode:
        return cls.of([RowKind.INSERT])

    @classmethod
    def upsert(cls) -> ChangelogMode:
        """Updates arrive as the new row only; a key tells which row they replace."""
        return cls.of([RowKind.INSERT, RowKind.UPDATE_AFTER, RowKind.DELETE])

    @classmethod
    def retract(cls) -> ChangelogMode:
        return cls.of(RowKind)

    @property
    def is_append(self) -> bool:
        return self.kinds == {RowKind.INSERT}

    @property
    def is_upsert(self) -> bool:
        return not self.is_append and RowKind.UPDATE_BEFORE not in self.kinds

    @property
    def is_retract(self) -> bool:
        return RowKind.UPDATE_BEFORE in self.kinds

    def union(self, other: ChangelogMode) -> ChangelogMode:
        return ChangelogMode(self.kinds | other.kinds)

    def accepts(self, produced: ChangelogMode) -> bool:
        return produced.kinds <= self.kinds

    def __str__(self) -> str:
        return "[" + ",".join(kind.short for kind in RowKind if kind in self.kinds) + "]"
