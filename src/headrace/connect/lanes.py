"""Work in lanes: what is asked for one name happens in that order, while other names do not wait for it."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable

Action = Callable[[], None]


class Lanes:
    """A thread for each name that has something to do. A closed one takes nothing more and forgets what waits."""

    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.waiting: dict[str, deque[Action]] = {}
        self.closed = False

    def put(self, name: str, action: Action) -> None:
        with self.changed:
            if self.closed:
                return
            lane = self.waiting.get(name)
            if lane is not None:
                lane.append(action)
                return
            self.waiting[name] = deque([action])
        threading.Thread(
            target=self._drain, args=(name,), name=f"connector-{name}", daemon=True
        ).start()

    def settled(self, timeout: float) -> bool:
        """Whether everything asked for so far is done in time."""
        marks = []
        with self.changed:
            for lane in self.waiting.values():
                marks.append(threading.Event())
                lane.append(marks[-1].set)
        deadline = time.monotonic() + timeout
        return all(mark.wait(max(0.0, deadline - time.monotonic())) for mark in marks)

    def close(self) -> bool:
        """Whether this call closed them."""
        with self.changed:
            first = not self.closed
            self.closed = True
            for lane in self.waiting.values():
                lane.clear()
            return first

    def wait(self, *, beside: str | None = None) -> None:
        """Until nothing is at work any more, but for the lane that asks."""
        with self.changed:
            self.changed.wait_for(lambda: not self.waiting.keys() - {beside})

    def _drain(self, name: str) -> None:
        while (action := self._next(name)) is not None:
            action()

    def _next(self, name: str) -> Action | None:
        with self.changed:
            lane = self.waiting[name]
            if lane:
                return lane.popleft()
            del self.waiting[name]
            self.changed.notify_all()
            return None
