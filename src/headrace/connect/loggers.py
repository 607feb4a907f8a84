"""The worker's loggers with the level names of Connect's REST API."""

from __future__ import annotations

import logging
import time
from typing import Any

ROOT = "root"

LEVELS = {
    "ALL": 1,
    "TRACE": 5,
    "DEBUG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARN": logging.WARNING,
    "ERROR": logging.ERROR,
    "FATAL": logging.CRITICAL,
    # Above every level that a record can have.
    "OFF": logging.CRITICAL + 10,
}


class Loggers:
    """Levels of this process, and when they were last changed here."""

    def __init__(self) -> None:
        self.modified: dict[str, int] = {}

    def all(self) -> dict[str, Any]:
        """Loggers that have a level of their own."""
        own = [ROOT, *(name for name in self._known() if logging.getLogger(name).level)]
        return {name: self._shown(name) for name in sorted(own)}

    def one(self, name: str) -> dict[str, Any] | None:
        known = name == ROOT or name in self._known()
        return self._shown(name) if known else None

    def set(self, name: str, level: str) -> list[str]:
        """Set a logger and those below it; their names."""
        below = [] if name == ROOT else [n for n in self._known() if n.startswith(f"{name}.")]
        affected = sorted([name, *(self._known() if name == ROOT else below)])
        for one in dict.fromkeys(affected):
            _logger(one).setLevel(LEVELS[level.upper()])
            self.modified[one] = int(time.time() * 1000)
        return affected

    def _shown(self, name: str) -> dict[str, Any]:
        number = _logger(name).getEffectiveLevel()
        level = next((word for word, n in LEVELS.items() if n == number), str(number))
        return {"level": level, "last_modified": self.modified.get(name)}

    def _known(self) -> list[str]:
        table = logging.Logger.manager.loggerDict
        return [name for name, one in list(table.items()) if isinstance(one, logging.Logger)]


def _logger(name: str) -> logging.Logger:
    return logging.getLogger(None if name == ROOT else name)
