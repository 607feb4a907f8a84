"""Which topic's records the files of a name are from.

Names of files say the topic that transforms give, its partition and an offset. Two topics that become one would write
files of the same names, the later over the earlier, so a name belongs to the first topic that wrote under it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from headrace.errors import UserError

_NAME = "routes.json"


class FilesCollide(UserError):
    """Records of two topics are about to be written under the same names."""

    condition = "FILES_COLLIDE"

    def __init__(self, folder: str, partition: int, first: str, second: str) -> None:
        super().__init__(
            f"two topics write files of the same names under {folder}",
            where=f"partition {partition} of topic {second}",
            found=f"records of topic {first} are there already",
            expected="for each topic a name of its own after transforms",
            cure="route the topics to different names, or write one with a connector of its own to another topics.dir",
        )


class Routes:
    """Kept in a folder, so that a task that starts again knows them."""

    def __init__(self, folder: Path, topics_dir: str) -> None:
        self.path = folder / _NAME
        self.topics_dir = topics_dir
        try:
            self.owners: dict[str, str] = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            self.owners = {}

    def claim(self, reports: Iterable[Any]) -> None:
        """Note where partitions write; raises FilesCollide where another topic does."""
        found = dict(self.owners)
        for report in reports:
            for name in report["names"]:
                self._claim(found, name, report["partition"], report["topic"])
        if found != self.owners:
            self._keep(found)

    def _claim(self, found: dict[str, str], name: str, partition: int, source: str) -> None:
        folder = f"{self.topics_dir}/{name}" if self.topics_dir else name
        owner = found.setdefault(f"{folder}+{partition}", source)
        if owner != source:
            raise FilesCollide(folder, partition, owner, source)

    def _keep(self, owners: dict[str, str]) -> None:
        draft = self.path.with_suffix(".draft")
        with draft.open("w", encoding="utf-8") as file:
            json.dump(owners, file)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)
        self.owners = owners
