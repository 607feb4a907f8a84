"""The bucket: its objects, the rows of those in JSON, and those in Parquet as files for Spark."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headrace.cli.demo.pagila.database import Row

# The endpoint and this process each use one core; more would only queue.
DOWNLOADS = 4


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
        """The lines of all objects below the prefix, in the order of their keys, which is that of the offsets."""
        return [
            json.loads(line)
            for found in self.objects(prefix)
            for line in self._content(found.key).splitlines()
        ]

    def download(self, prefix: str, folder: Path) -> int:
        """Writes all objects below the prefix into the folder, numbered, since a key may not be a file name."""
        folder.mkdir(parents=True)
        keys = [entry.key for entry in self.objects(prefix)]
        with ThreadPoolExecutor(DOWNLOADS) as threads:
            for number, content in enumerate(threads.map(self._content, keys)):
                (folder / f"{number}.parquet").write_bytes(content)
        return len(keys)

    def _content(self, key: str) -> bytes:
        content: bytes = self._client.get_object(Bucket=self.name, Key=key)["Body"].read()
        return content
