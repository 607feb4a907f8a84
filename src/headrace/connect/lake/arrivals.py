"""When records were first seen, which is their time where the clock of the wall counts.

Records that are in no file yet are read again by every round, and must keep the time of the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import Column

Place = tuple[str, int]

# Times of a partition that are told apart: an eighth of an interval is as exact as rounds are.
_MOST = 8


@dataclass(slots=True)
class Arrivals:
    """`times` are offsets from which records came at a time, in order. Nothing is overdue without an interval."""

    interval_ms: int
    times: dict[Place, list[tuple[int, int]]] = field(default_factory=dict)
    ends: dict[Place, int] = field(default_factory=dict)

    def note(self, ranges: Mapping[Place, tuple[int, int]], now_ms: int) -> None:
        """A round is about to read these."""
        for place, (start, until) in ranges.items():
            first = max(start, self.ends.get(place, start))
            if until > first:
                self.times[place] = _few([*self.times.get(place, []), (first, now_ms)])
                self.ends[place] = until

    def moved(self, positions: Mapping[Place, int]) -> None:
        """What lies before these is in files."""
        for place, times in self.times.items():
            at = positions[place]
            begun = [(at, time) for offset, time in times if offset <= at][-1:]
            later = [entry for entry in times if entry[0] > at]
            self.times[place] = [*begun, *later] if at < self.ends[place] else []

    def overdue(self, now_ms: int) -> bool:
        """Whether records are in no file that came an interval ago."""
        oldest = [times[0][1] for times in self.times.values() if times]
        return self.interval_ms > 0 and any(now_ms - time >= self.interval_ms for time in oldest)

    def column(self, now_ms: int) -> Column:
        """The time of a record; that of now for those nobody noted."""
        from pyspark.sql import functions as sf

        found = sf.lit(now_ms)
        for (topic, partition), times in self.times.items():
            here = (sf.col("origin_topic") == topic) & (sf.col("origin_partition") == partition)
            for offset, time in times:
                found = sf.when(here & (sf.col("offset") >= offset), sf.lit(time)).otherwise(found)
        return found.cast("long")


def _few(times: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The nearest ones joined until they are few enough; the earlier time stays."""
    while len(times) > _MOST:
        nearest = min(range(1, len(times)), key=lambda i: times[i][1] - times[i - 1][1])
        times = times[:nearest] + times[nearest + 1 :]
    return times
