"""The bucket: its objects as a tree, as rows of JSON, and as files for Spark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.cli.demo.pagila.database import Row

if TYPE_CHECKING:
    from rich.tree import Tree

# Enough to see how objects are named; a folder for every country would fill four screens.
SHOWN_ENTRIES = 3


@dataclass(frozen=True, slots=True)
class Object:
    key: str
    size: int


class Bucket:
    """`client` is boto3's."""

    def __init__(self, client: Any, name: str) -> None:
        self._client = client
        self.name = name

    def objects(self, prefix: str = "") -> list[Object]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self.name, Prefix=prefix
        )
        return [
            Object(entry["Key"], entry["Size"])
            for page in pages
            for entry in page.get("Contents", [])
        ]

    def json_rows(self, prefix: str) -> list[Row]:
        """The lines of all objects below it, in the order of their keys, which is that of the offsets."""
        return [
            json.loads(line)
            for found in self.objects(prefix)
            for line in self._content(found.key).splitlines()
        ]

    def download(self, prefix: str, folder: Path) -> int:
        """All objects below it, numbered, since a key may be no name of a file; returns how many."""
        folder.mkdir(parents=True)
        found = self.objects(prefix)
        for number, entry in enumerate(found):
            (folder / f"{number}.parquet").write_bytes(self._content(entry.key))
        return len(found)

    def _content(self, key: str) -> bytes:
        content: bytes = self._client.get_object(Bucket=self.name, Key=key)["Body"].read()
        return content


def tree(name: str, objects: Sequence[Object]) -> Tree:
    """Folders and objects; what is left out is counted."""
    from rich.text import Text
    from rich.tree import Tree

    root = Tree(Text(f"s3://{name}  {_summary(objects)}", style="bold"))
    _grow(root, [(entry.key.split("/"), entry) for entry in objects])
    return root


def _grow(branch: Tree, entries: Iterable[tuple[list[str], Object]]) -> None:
    children: dict[str, list[tuple[list[str], Object]]] = {}
    for parts, entry in entries:
        children.setdefault(parts[0], []).append((parts[1:], entry))
    few = list(children.items())[: _shown(len(children))]
    for name, below in few:
        _grow_one(branch, name, below)
    hidden = [entry for below in list(children.values())[len(few) :] for _, entry in below]
    if hidden:
        branch.add(f"… {len(children) - len(few)} more  {_summary(hidden)}", style="dim")


def _grow_one(branch: Tree, name: str, below: list[tuple[list[str], Object]]) -> None:
    from rich.text import Text

    rest, entry = below[0]
    if rest:
        folder = branch.add(Text(f"{name}/  {_summary([item for _, item in below])}"))
        _grow(folder, below)
    else:
        branch.add(Text(f"{name}  {entry.size:,} bytes"))


def _shown(children: int) -> int:
    """One more is shown rather than counted, and the five topics are all of interest."""
    return children if children <= SHOWN_ENTRIES + 2 else SHOWN_ENTRIES


def _summary(objects: Sequence[Object]) -> str:
    return f"({len(objects)} {'object' if len(objects) == 1 else 'objects'})"
