"""Which rows a poll asks for: Connect's conditions, and those that also find rows of transactions that committed late."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from headrace.connect.jdbc.positions import Marks, Moment, Position

Parameters = tuple[Any, ...]

# Numbers of transactions have 32 bits in a row and 64 in a snapshot.
_EPOCH = 1 << 32

# Numbers that may be given out between the look at the transactions and the snapshot: far more than ever are.
_AHEAD = 1 << 24


@dataclass(frozen=True, slots=True)
class Condition:
    """Text of SQL with ? for its parameters; an empty text is always true."""

    sql: str = ""
    parameters: Parameters = ()

    def __and__(self, other: Condition) -> Condition:
        return _joined("AND", self, other)

    def __or__(self, other: Condition) -> Condition:
        return _joined("OR", self, other)

    def where(self) -> str:
        return f" WHERE {self.sql}" if self.sql else ""

    def json(self) -> str:
        return json.dumps(self.parameters)


def _joined(word: str, *conditions: Condition) -> Condition:
    some = [condition for condition in conditions if condition.sql]
    if len(some) == 1:
        return some[0]
    return Condition(
        f" {word} ".join(f"({condition.sql})" for condition in some),
        tuple(value for condition in some for value in condition.parameters),
    )


@dataclass(frozen=True, slots=True)
class Columns:
    """Quoted names of the columns that positions are made of; of several timestamps the first that is not null counts."""

    timestamps: tuple[str, ...] = ()
    incrementing: str | None = None

    @property
    def timestamp(self) -> str | None:
        if len(self.timestamps) < 2:
            return self.timestamps[0] if self.timestamps else None
        return f"COALESCE({', '.join(self.timestamps)})"

    @property
    def selected(self) -> tuple[str, ...]:
        """To stand behind a record's own columns, so that the last row tells the next position."""
        return tuple(name for name in (self.timestamp, self.incrementing) if name is not None)

    def order(self) -> str:
        names = ", ".join(f"{name} ASC" for name in self.selected)
        return f" ORDER BY {names}" if names else ""

    def last_first(self) -> str:
        return f" ORDER BY {', '.join(f'{name} DESC' for name in self.selected)}"


def after(columns: Columns, position: Position, end: Moment | None) -> Condition:
    """Connect's condition: rows behind the position, with timestamps before the end."""
    time, number = columns.timestamp, columns.incrementing
    if time is None:
        return _above(number, position.incrementing)
    bound = Condition(f"{time} < ?", (end,))
    later = Condition(f"{time} > ?", (position.timestamp,))
    if number is None:
        return later & bound
    if position.incrementing is None:
        return bound & later
    tied = Condition(f"{time} = ? AND {number} > ?", (position.timestamp, position.incrementing))
    return bound & (tied | later)


def _above(number: str | None, last: int | None) -> Condition:
    if number is None or last is None:
        return Condition()
    return Condition(f"{number} > ?", (last,))


def up_to(columns: Columns, last: Position) -> Condition:
    """Rows not behind a position, which is what the last row of an answer has."""
    time, number = columns.timestamp, columns.incrementing
    if time is None:
        return Condition() if number is None else Condition(f"{number} <= ?", (last.incrementing,))
    before = Condition(f"{time} <= ?", (last.timestamp,))
    if number is None:
        return before
    tied = Condition(f"{time} = ? AND {number} <= ?", (last.timestamp, last.incrementing))
    return Condition(f"{time} < ?", (last.timestamp,)) | tied


def unseen(
    columns: Columns, position: Position, marks: Marks, *, xmin: str, end: Moment | None, next: int
) -> Condition:
    """Rows that the last poll did not see: those of transactions that were open then, or began later. `next` is the
    number of the transaction that begins next, `xmin` the column with that of a row."""
    written = _written_since(marks, xmin, next)
    if columns.timestamp is None:
        return _above(columns.incrementing, position.incrementing) | (
            _in_gaps(columns.incrementing, marks) & written
        )
    time = columns.timestamp
    bound = Condition(f"{time} < ?", (end,))
    if marks.since is not None:
        bound = bound & Condition(f"{time} >= ?", (marks.since,))
    return bound & (Condition(f"{time} >= ?", (marks.end,)) | written)


def within(columns: Columns, since: Moment, end: Moment | None) -> Condition:
    """Rows of a span of time, whether they were sent or not."""
    time = columns.timestamp
    return Condition(f"{time} >= ? AND {time} < ?", (since, end))


def _written_since(marks: Marks, xmin: str, next: int) -> Condition:
    """A row shows the low 32 bits of its transaction's number; what lies far above `next` is of the round before. Frozen
    rows of older rounds may be taken for new ones, and are sent again; they are never missed."""
    bound = next + _AHEAD
    high, low = bound - bound % _EPOCH, bound % _EPOCH
    short = f"CAST(CAST({xmin} AS text) AS bigint)"
    full = f"({short} + CASE WHEN {short} >= {low} THEN {high - _EPOCH} ELSE {high} END)"
    began = Condition(f"{full} >= {marks.next}")
    if not marks.open:
        return began
    return began | Condition(f"{full} IN ({', '.join(map(str, marks.open))})")


def _in_gaps(number: str | None, marks: Marks) -> Condition:
    if not marks.gaps:
        return Condition("1 = 0")
    ranges = (f"{number} BETWEEN {low} AND {high}" for low, high, _ in marks.gaps)
    return Condition(" OR ".join(ranges))


Gap = tuple[int, int, int]


def merged(gaps: Sequence[Gap], most: int) -> tuple[Gap, ...]:
    """In order, the nearest ones joined until they are few enough: what lies between two is then looked at as well."""
    ranges = sorted(gaps)
    while len(ranges) > most:
        nearest = min(range(len(ranges) - 1), key=lambda i: ranges[i + 1][0] - ranges[i][1])
        (low, _, since), (_, high, later) = ranges[nearest], ranges[nearest + 1]
        ranges[nearest : nearest + 2] = [(low, high, max(since, later))]
    return tuple(ranges)


def initial(columns: Columns, timestamp: Moment, incrementing: int | None) -> Position:
    """Where a table without an offset begins."""
    start = Position()
    if columns.timestamps:
        start = replace(start, timestamp=timestamp)
    if columns.incrementing is not None:
        start = replace(start, incrementing=incrementing)
    return start
