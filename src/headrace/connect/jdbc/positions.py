"""Where a table stands: Connect's offset, and beside it what reading without loss needs to know of the last poll."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

Moment = tuple[int, int]
"""Seconds since 1970, and nanoseconds."""

_NANOS_PER_MILLI = 1_000_000
_MILLIS = 1000

# Marks a partition of ours among the offsets; such are not shown.
MARKS = "headrace.marks"


def moment_of_millis(millis: int, nanos: int | None = None) -> Moment:
    """`nanos`: of the second, where more is known than milliseconds."""
    seconds, rest = divmod(millis, _MILLIS)
    return seconds, rest * _NANOS_PER_MILLI if nanos is None else nanos


def millis_of(moment: Moment) -> int:
    return moment[0] * _MILLIS + moment[1] // _NANOS_PER_MILLI


def earlier(moment: Moment, millis: int) -> Moment:
    """So many milliseconds before."""
    seconds, rest = divmod(millis_of(moment) - millis, _MILLIS)
    return seconds, rest * _NANOS_PER_MILLI + moment[1] % _NANOS_PER_MILLI


def earlier_by_clock(moment: Moment, end: Moment, zone: str) -> Moment:
    """What the clock of a zone shows before both moments, also where it was put back between them."""
    put_back = _offset(moment, zone) - _offset(end, zone)
    return (moment[0] - put_back, moment[1]) if put_back > 0 else moment


def _offset(moment: Moment, zone: str) -> int:
    shown = datetime.fromtimestamp(moment[0], ZoneInfo(zone)).utcoffset()
    return 0 if shown is None else int(shown.total_seconds())


@dataclass(frozen=True, slots=True)
class Position:
    """The last row that was sent, as Connect's offset tells it."""

    timestamp: Moment | None = None
    incrementing: int | None = None

    @classmethod
    def of_offset(cls, offset: Mapping[str, Any] | None) -> Position:
        """Offsets of older connectors have milliseconds alone."""
        given = offset or {}
        millis, number = given.get("timestamp"), given.get("incrementing")
        nanos = given.get("timestamp_nanos")
        moment = None if millis is None else moment_of_millis(int(millis), _whole(nanos))
        return cls(moment, _whole(number))

    def offset(self) -> dict[str, int]:
        given: dict[str, int] = {}
        if self.timestamp is not None:
            given["timestamp"] = millis_of(self.timestamp)
            given["timestamp_nanos"] = self.timestamp[1]
        if self.incrementing is not None:
            given["incrementing"] = self.incrementing
        return given

    @classmethod
    def of_row(cls, row: Mapping[str, Any]) -> Position:
        """The last row of an answer, as the JVM tells it."""
        moment = row.get("timestamp")
        return cls(None if moment is None else (moment[0], moment[1]), row.get("incrementing"))

    def advanced(self, row: Position) -> Position:
        """A row that was found late does not move it back."""
        if self.timestamp is not None and row.timestamp is not None:
            return max(self, row, key=lambda position: (position.timestamp, position.incrementing))
        if self.incrementing is not None and row.incrementing is not None:
            return max(self, row, key=lambda position: position.incrementing or 0)
        return row


def _whole(value: Any) -> int | None:
    return None if value is None else int(value)


@dataclass(frozen=True, slots=True)
class Marks:
    """What was open when a table was last read: transactions from `next` on had not begun to write, `open` had not ended.
    `since` is before all timestamps that they may write, `end` is the bound of the timestamps that were read, and `gaps` are
    ranges of numbers below the last one that were not there, each with the second when that was seen. `sent` are digests of a query's rows that were sent and lie behind `since`."""

    next: int
    open: tuple[int, ...] = ()
    since: Moment | None = None
    end: Moment | None = None
    gaps: tuple[tuple[int, int, int], ...] = field(default=())
    sent: tuple[int, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        return {
            "next": self.next,
            "open": list(self.open),
            "since": self.since and list(self.since),
            "end": self.end and list(self.end),
            "gaps": [list(gap) for gap in self.gaps],
            "sent": list(self.sent),
        }

    @classmethod
    def of_json(cls, stored: Mapping[str, Any] | None) -> Marks | None:
        if not stored:
            return None
        return cls(
            int(stored["next"]),
            tuple(stored["open"]),
            _moment(stored["since"]),
            _moment(stored["end"]),
            tuple((low, high, seen) for low, high, seen in stored["gaps"]),
            tuple(stored.get("sent", ())),
        )


def _moment(parts: Any) -> Moment | None:
    return None if parts is None else (int(parts[0]), int(parts[1]))
