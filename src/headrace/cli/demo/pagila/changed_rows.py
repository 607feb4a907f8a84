"""Changed addresses side by side: before the changes, in PostgreSQL, in a topic of each capture, and in the lake."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from headrace.cli.demo.pagila.database import Row, Rows
from headrace.cli.demo.pagila.topics import Message

DELETED = "deleted"
MISSING = "missing"
# The log topic holds rows of the table `address` alone, the others hold its join with `city` and `country`.
NOT_CAPTURED = "not in table address"

# Every change moves it; it would only repeat in each row that something changed.
TIME = "last_update"


@dataclass(frozen=True, slots=True)
class ChangedValue:
    """One column of one changed row. `by_log` has every value that the log reported after its snapshot."""

    address_id: int
    column: str
    before: Any
    postgresql: Any
    by_query: Any
    by_log: tuple[Any, ...]
    lake: Any

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "by_log": list(self.by_log)}


@dataclass(frozen=True, slots=True)
class Places:
    """The newest rows of each place by key, and the log as it was written."""

    before: Rows
    postgresql: Rows
    by_query: Rows
    by_log: Mapping[int, list[Row | None]]
    lake: Rows
    # Columns that a transform of the sink renames, by their name in the table.
    renamed: Mapping[str, str]


def changed_values(places: Places, shown_of_deleted: str) -> list[ChangedValue]:
    """Compares the rows before and after the changes; a deleted row is shown by one column."""
    return [
        _value(places, key, column)
        for key, old in sorted(places.before.items())
        for column in _changed(old, places.postgresql.get(key), shown_of_deleted)
    ]


def versions(messages: Iterable[Message], key: str) -> dict[int, list[Row | None]]:
    """Rows of a change log by key, in order; None is a delete."""
    found: dict[int, list[Row | None]] = {}
    for event in (message.value for message in messages if message.value is not None):
        row = None if event["op"] == "d" else event["after"]
        found.setdefault((row or event["before"])[key], []).append(row)
    return found


def _changed(old: Row, new: Row | None, shown_of_deleted: str) -> Iterator[str]:
    if new is None:
        yield shown_of_deleted
        return
    yield from (name for name in old if name != TIME and old[name] != new[name])


def _value(places: Places, key: int, column: str) -> ChangedValue:
    new = places.postgresql.get(key)
    in_lake = places.renamed.get(column, column)
    return ChangedValue(
        key,
        column,
        places.before[key][column],
        DELETED if new is None else new[column],
        places.by_query.get(key, {}).get(column, MISSING),
        _logged(places.by_log.get(key, []), column),
        places.lake.get(key, {}).get(in_lake, MISSING),
    )


def _logged(rows: list[Row | None], column: str) -> tuple[Any, ...]:
    """Values in order without repeats; the first row is that of the snapshot."""
    values = [DELETED if row is None else row.get(column, NOT_CAPTURED) for row in rows]
    if NOT_CAPTURED in values:
        return (NOT_CAPTURED,)
    changes = [value for old, value in pairwise(values) if value != old]
    return tuple(changes or values or [MISSING])
