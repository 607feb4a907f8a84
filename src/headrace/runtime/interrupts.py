"""Ctrl-C, SIGTERM and SIGHUP as a request that running work looks up, so that jobs stop between two calls and not inside one."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

# A terminal that is closed sends SIGHUP, which Windows lacks.
SIGNALS = (signal.SIGINT, signal.SIGTERM, *filter(None, [getattr(signal, "SIGHUP", None)]))


class Interrupts:
    """While active, the first signal is kept as a request if someone is watching, and raises KeyboardInterrupt if nobody
    is; a second one always raises, for whom the clean stop takes too long. `terminated` tells whether one of them was not
    Ctrl-C, after which a session should not ask for more."""

    def __init__(self) -> None:
        self.terminated = False
        self._requested = False
        self._watched = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            handlers = {name: signal.getsignal(name) for name in SIGNALS}
            # Under nohup a command outlives its terminal.
            self._before = {
                name: handler
                for name, handler in handlers.items()
                if name in (signal.SIGINT, signal.SIGTERM) or handler is not signal.SIG_IGN
            }
            self._arm()
        return self

    def __exit__(self, *_: object) -> None:
        for name, handler in self._before.items():
            signal.signal(name, handler)
        self._before = {}

    def _arm(self) -> None:
        for name in self._before:
            signal.signal(name, self._on_signal)

    def _on_signal(self, number: int, _frame: FrameType | None) -> None:
        self.terminated = self.terminated or number != signal.SIGINT
        if self._watched and not self._requested:
            self._requested = True
            return
        raise KeyboardInterrupt

    def requested(self) -> bool:
        """Whether a stop was asked for since `watch`. Starting Spark puts a handler of its own in place, which cancels
        batches half way; so each look takes the signals back."""
        self._arm()
        return self._requested

    def watch(self, watched: bool) -> None:
        """Whether a request will be looked up from now on; forgets earlier ones when it begins."""
        if watched and not self._watched:
            self._requested = False
        self._watched = watched
        self._arm()
