"""What a sink is about to do, on disk before it does it: files that are uploaded and must appear, and the offsets after them.

A task that was killed in between finds it and ends it, so that no record is in two files or in none.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.connect.lake.batch import Place

_NAME = "intent.json"


@dataclass(frozen=True, slots=True)
class Intent:
    """`before` and `after` are offsets by partition; `files` as the JVM reported them."""

    before: Mapping[Place, int]
    after: Mapping[Place, int]
    files: list[Any]

    def keep(self, folder: Path) -> None:
        """On disk for good once this returns."""
        draft = folder / f"{_NAME}.draft"
        with draft.open("w", encoding="utf-8") as file:
            json.dump([_pairs(self.before), _pairs(self.after), self.files], file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(folder / _NAME)

    @classmethod
    def kept(cls, folder: Path) -> Intent | None:
        try:
            text = (folder / _NAME).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        before, after, files = json.loads(text)
        return cls(_places(before), _places(after), files)

    @staticmethod
    def done(folder: Path) -> None:
        (folder / _NAME).unlink(missing_ok=True)

    def left(self, committed: Mapping[Place, int]) -> dict[Place, int]:
        """Offsets that the group must still be told; where it stands elsewhere, somebody has moved it since."""
        return {
            place: offset
            for place, offset in self.after.items()
            if committed.get(place, self.before[place]) == self.before[place]
        }


def _pairs(offsets: Mapping[Place, int]) -> list[Any]:
    return [[*place, offset] for place, offset in offsets.items()]


def _places(pairs: list[Any]) -> dict[Place, int]:
    return {(topic, partition): offset for topic, partition, offset in pairs}
