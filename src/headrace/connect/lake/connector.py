"""The connectors: Confluent's sink to S3 by its class name, and the same into a folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import headrace
from headrace.connect.configdef import ConfigDef
from headrace.connect.lake.options import bucket, definition, files, folder
from headrace.connect.lake.settings import Settings, faults
from headrace.connect.lake.store import bucket_spec, folder_spec
from headrace.connect.lake.task import SinkTask
from headrace.connect.plugins import Connector, ConnectorContext, Kind, TaskContext


class FilesSink(Connector):
    """One task, whatever `tasks.max` is: it reads all partitions side by side already."""

    kind: ClassVar[Kind] = Kind.SINK
    version: ClassVar[str | None] = headrace.__version__

    @classmethod
    def validate(cls, config: Mapping[str, str]) -> Mapping[str, Sequence[str]]:
        return faults(cls.config(), config)

    @classmethod
    def store(cls, settings: Settings) -> dict[str, Any]:
        """Where files go, for the JVM."""
        raise NotImplementedError

    def start(
        self, config: Mapping[str, str], context: ConnectorContext
    ) -> Sequence[Mapping[str, str]]:
        return [config]

    def run_task(self, config: Mapping[str, str], context: TaskContext) -> None:
        SinkTask(config, context, Settings.of(self.config(), config), self.store).run()


class S3Sink(FilesSink):
    class_name: ClassVar[str] = "io.confluent.connect.s3.S3SinkConnector"
    task_class: ClassVar[str | None] = "io.confluent.connect.s3.S3SinkTask"

    @classmethod
    def config(cls) -> ConfigDef:
        return definition([*files(), *bucket()])

    @classmethod
    def store(cls, settings: Settings) -> dict[str, Any]:
        return bucket_spec(settings)


class FolderSink(FilesSink):
    class_name: ClassVar[str] = "headrace.connect.FolderSinkConnector"

    @classmethod
    def config(cls) -> ConfigDef:
        return definition([*files(), *folder()])

    @classmethod
    def store(cls, settings: Settings) -> dict[str, Any]:
        return folder_spec(settings)
