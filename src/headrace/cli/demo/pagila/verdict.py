"""Rows of a place compared with the rows of the database."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any, TypeVar

from headrace.cli.demo.pagila.database import Row

Key = TypeVar("Key", int, str)


@dataclass(frozen=True, slots=True)
class Check:
    """One place compared with the database, row by row and column by column.

    `left` are keys that only the place has. A place that is filled by queries must keep exactly the deleted rows; a
    place that is filled from the log must have none."""

    place: str
    rows: int
    missing: int
    different: int
    left: tuple[int | str, ...]
    may_be_left: tuple[int | str, ...]

    @property
    def equal(self) -> bool:
        return not self.missing and not self.different and self.left == self.may_be_left

    def to_dict(self) -> dict[str, Any]:
        return {
            "place": self.place,
            "rows": self.rows,
            "missing": self.missing,
            "different": self.different,
            "deleted_rows_kept": list(self.left),
            "equal": self.equal,
        }


def compare(
    place: str,
    found: Mapping[Key, Row],
    expected: Mapping[Key, Row],
    deleted: Set[Key] = frozenset(),
) -> Check:
    return Check(
        place,
        len(expected),
        len(expected.keys() - found.keys()),
        sum(found[key] != row for key, row in expected.items() if key in found),
        tuple(sorted(found.keys() - expected.keys())),
        tuple(sorted(deleted)),
    )
