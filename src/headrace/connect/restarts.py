"""Starting again what failed, where a connector asks for it; Connect itself leaves it to whoever calls its API."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from headrace.connect.configdef import ConfigKey, Importance, at_least
from headrace.connect.data.config import ConfigType, parse

ATTEMPTS = "headrace.restart.attempts"
DELAY = "headrace.restart.delay.ms"
GROUP = "Headrace"

# A service that is away for long is asked once a minute; who runs for longer than that has recovered.
LONGEST_SECONDS = 60.0

KEYS = (
    ConfigKey(
        ATTEMPTS,
        ConfigType.INT,
        0,
        Importance.LOW,
        "How often a task that failed, or a connector that could not start, is started again by itself; -1: without end.",
        GROUP,
        8,
        validator=at_least(-1),
    ),
    ConfigKey(
        DELAY,
        ConfigType.LONG,
        1000,
        Importance.LOW,
        "Wait before the first of these restarts, in milliseconds; doubled every time, up to a minute.",
        GROUP,
        9,
        validator=at_least(0),
    ),
)


@dataclass(frozen=True, slots=True)
class Policy:
    attempts: int = 0
    delay_seconds: float = 1.0

    @classmethod
    def of(cls, config: Mapping[str, str]) -> Policy:
        """Raises InvalidConfig, also of connectors that do not declare the options."""
        given = parse(KEYS, config)
        return cls(given[ATTEMPTS], given[DELAY] / 1000)

    def wait(self, made: int) -> float | None:
        """Seconds before the next attempt after so many; None where there is none."""
        if 0 <= self.attempts <= made:
            return None
        # The exponent is bounded, since attempts may have no end.
        return min(
            self.delay_seconds * 2.0 ** min(made, 32), max(LONGEST_SECONDS, self.delay_seconds)
        )


@dataclass(slots=True)
class _Run:
    began: float
    attempts: int = 0


@dataclass(slots=True)
class Restarts:
    """How often each part of a connector was started by itself; a task by its number, the connector by None."""

    clock: Callable[[], float] = time.monotonic
    runs: dict[tuple[str, int | None], _Run] = field(default_factory=dict)

    def started(self, name: str, part: int | None = None) -> None:
        run = self.runs.setdefault((name, part), _Run(self.clock()))
        run.began = self.clock()

    def next_wait(self, policy: Policy, name: str, part: int | None = None) -> float | None:
        """Seconds until a part that has failed is to be started again; None where it stays as it is."""
        run = self.runs.setdefault((name, part), _Run(self.clock()))
        if self.clock() - run.began > LONGEST_SECONDS:
            run.attempts = 0
        wait = policy.wait(run.attempts)
        run.attempts += wait is not None
        return wait

    def forget(self, name: str) -> None:
        """Someone changed it: whatever happens next is counted anew."""
        # Of a copy: other connectors come and go in threads of their own.
        for place in [place for place in list(self.runs) if place[0] == name]:
            self.runs.pop(place, None)
