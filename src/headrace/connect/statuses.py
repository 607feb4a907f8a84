"""Statuses on their way to the log: those that cannot be written while brokers are away follow when they are back."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping, Sequence

from headrace.connect.topics import Apply, Entry, Fenced, Log, Store

logger = logging.getLogger("headrace.connect")

# Between two tries. A try waits for brokers itself; this is for those that refuse at once.
_PAUSE_SECONDS = 1.0


class Statuses:
    """Of one term as the leader. `apply` shows a status here before others can see it."""

    def __init__(self, log: Log, apply: Apply) -> None:
        self.log = log
        self.apply = apply
        self.lock = threading.Lock()
        self.closed = threading.Event()
        # The last status of each part that this worker was told, and those of them that are not written yet.
        self.newest: dict[str, Entry] = {}
        self.waiting: dict[str, Entry] = {}
        self.thread: threading.Thread | None = None

    def write(self, entries: Sequence[Entry]) -> None:
        """Now, or not at all; older statuses that wait are of no more interest."""
        with self.lock:
            for entry in entries:
                if entry.store is Store.STATUS:
                    self.newest[entry.key] = entry
                    self.waiting.pop(entry.key, None)
        self.log.write(entries)

    def report(self, entry: Entry) -> None:
        """As soon as it can be; the caller goes on after the first try."""
        self.apply(entry)
        try:
            self.write([entry])
        except Fenced:
            # Another worker writes statuses of its own.
            pass
        except Exception as error:
            logger.warning("%s is not written yet: %s", entry.key, error)
            self._keep(entry)

    def close(self) -> None:
        """Forget what waits: the next leader writes its own."""
        self.closed.set()
        with self.lock:
            self.waiting.clear()

    def _keep(self, entry: Entry) -> None:
        with self.lock:
            if self.closed.is_set() or self.newest.get(entry.key) is not entry:
                return
            self.waiting[entry.key] = entry
            if self.thread is None:
                self.thread = threading.Thread(
                    target=self._deliver, name="connect-statuses", daemon=True
                )
                self.thread.start()

    def _deliver(self) -> None:
        while not self.closed.wait(_PAUSE_SECONDS):
            with self.lock:
                due = dict(self.waiting)
                if not due:
                    self.thread = None
                    return
            try:
                self.log.write(list(due.values()))
                self._settle(due)
            except Fenced:
                self.close()
            except Exception as error:
                logger.warning("%d statuses are not written yet: %s", len(due), error)

    def _settle(self, written: Mapping[str, Entry]) -> None:
        """A status that came while an older one of its part was written may have been overtaken by it."""
        with self.lock:
            for key, entry in written.items():
                if self.waiting.get(key) is entry:
                    del self.waiting[key]
                if self.newest[key] is not entry and not self.closed.is_set():
                    self.waiting[key] = self.newest[key]
