"""Sinks to files whose rounds a test asks for one by one, and what they have written."""

from __future__ import annotations

import threading
import uuid
from pathlib import Path
from typing import Any

from headrace.connect.lake.connector import FilesSink, FolderSink, S3Sink
from headrace.connect.lake.settings import Settings
from headrace.connect.lake.task import SinkTask
from headrace.connect.plugins import TaskContext
from headrace.services.s3 import ACCESS_KEY, BUCKET, SECRET_KEY, S3Service

JSON_FORMAT = "io.confluent.connect.s3.format.json.JsonFormat"
PLAIN_JSON = {
    "key.converter": "org.apache.kafka.connect.storage.StringConverter",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "value.converter.schemas.enable": "false",
}


class Lake:
    """Of one connector's name, whose task can be made again and again."""

    connector: type[FilesSink] = FolderSink

    def __init__(self, servers: str, folder: Path) -> None:
        self.servers = servers
        self.folder = folder
        self.name = f"lake-{uuid.uuid4().hex[:8]}"
        self.used: set[str] = set()

    def context(self, stopping: threading.Event | None = None) -> TaskContext:
        worker = {
            "bootstrap.servers": self.servers,
            "headrace.state.dir": str(self.folder / "state"),
        }
        return TaskContext(
            self.name,
            0,
            worker,
            lambda _: None,
            lambda _: None,
            self.used.update,
            stopping or threading.Event(),
        )

    def store(self) -> dict[str, str]:
        return {"store.url": f"file://{self.folder}/lake"}

    def config(self, **options: str) -> dict[str, str]:
        """Underscores in names stand for points."""
        return {
            "connector.class": self.connector.class_name,
            "format.class": JSON_FORMAT,
            "flush.size": "3",
            **self.store(),
            **PLAIN_JSON,
            **{name.replace("_", "."): text for name, text in options.items()},
        }

    def task(self, **options: str) -> SinkTask:
        return self.exact_task(self.config(**options))

    def exact_task(self, config: dict[str, str]) -> SinkTask:
        settings = Settings.of(self.connector.config(), config)
        return SinkTask(config, self.context(), settings, self.connector.store)

    def files(self) -> dict[str, bytes]:
        """Those that show, by their names."""
        root = self.folder / "lake"
        return {
            str(file.relative_to(root)): file.read_bytes()
            for file in sorted(root.rglob("*"))
            if file.is_file() and ".headrace" not in file.parts
        }

    def offsets(self, task: SinkTask) -> dict[int, int]:
        """What the group has committed, by partition."""
        found = task.topics.client.all()
        return {partition: offset for (_, partition), offset in found.items()}


class S3Lake(Lake):
    connector = S3Sink

    def __init__(self, servers: str, folder: Path, service: S3Service) -> None:
        super().__init__(servers, folder)
        self.service = service
        self.root = f"lake-{uuid.uuid4().hex[:8]}"

    def store(self) -> dict[str, str]:
        return {
            "s3.bucket.name": BUCKET,
            "s3.region": "us-east-1",
            "store.url": self.service.endpoint,
            "aws.access.key.id": ACCESS_KEY,
            "aws.secret.access.key": SECRET_KEY,
            "topics.dir": self.root,
        }

    def keys(self, prefix: str | None = None) -> list[str]:
        pages = self.service.client().get_paginator("list_objects_v2")
        found = pages.paginate(Bucket=BUCKET, Prefix=prefix or f"{self.root}/")
        return [item["Key"] for page in found for item in page.get("Contents", [])]

    def object(self, key: str) -> Any:
        return self.service.client().get_object(Bucket=BUCKET, Key=key)

    def files(self) -> dict[str, bytes]:
        return {
            key.removeprefix(f"{self.root}/"): self.object(key)["Body"].read()
            for key in self.keys()
        }
