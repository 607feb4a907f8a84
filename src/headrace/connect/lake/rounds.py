"""When a sink looks at its topics, and at which offsets.

A round reads what is not in files yet and writes the files that are full. Records that fill none are read again by the
next round, so rounds are spared while nothing can come of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from headrace.connect.lake.batch import Place

# Records of a partition that a round takes on at least: some seconds of work.
_WINDOW = 500_000

# Records that fill no file are looked at for errors and times this soon, and for at most a sixth of the time.
_LOOK_MS = 1000
_REST = 5


@dataclass(slots=True)
class Rounds:
    flush_size: int
    positions: dict[Place, int] = field(default_factory=dict)
    seen: dict[Place, int] = field(default_factory=dict)
    windows: dict[Place, int] = field(default_factory=dict)
    ended_ms: int = -(10**12)
    took_ms: int = 0

    def ranges(
        self, ends: Mapping[Place, int], now_ms: int, *, scheduled: bool
    ) -> dict[Place, tuple[int, int]]:
        """What the next round reads; nothing where it is not worth one."""
        open = {place: end for place, end in ends.items() if end > self.positions[place]}
        fresh = any(end > self.seen.get(place, -1) for place, end in open.items())
        if not (open and scheduled) and not (fresh and self._is_due(open, now_ms)):
            return {}
        return {
            place: (self.positions[place], min(end, self.positions[place] + self._window(place)))
            for place, end in open.items()
        }

    def _is_due(self, open: Mapping[Place, int], now_ms: int) -> bool:
        fills = any(
            end - self.positions[place] >= self.flush_size
            and end - max(self.positions[place], self.seen.get(place, -1)) > 0
            for place, end in open.items()
        )
        return fills or now_ms - self.ended_ms >= max(_LOOK_MS, _REST * self.took_ms)

    def _window(self, place: Place) -> int:
        return self.windows.get(place, max(_WINDOW, self.flush_size))

    def done(
        self,
        ranges: Mapping[Place, tuple[int, int]],
        after: Mapping[Place, int],
        began_ms: int,
        now_ms: int,
    ) -> None:
        """A round is over; a partition that did not come on takes more of it the next time."""
        for place, (start, until) in ranges.items():
            self.seen[place] = until
            if after.get(place, start) > start:
                self.windows.pop(place, None)
            elif until - start >= self._window(place):
                self.windows[place] = 2 * self._window(place)
        self.positions.update(after)
        self.ended_ms, self.took_ms = now_ms, now_ms - began_ms
