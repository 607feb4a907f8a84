"""The connectors: Confluent's sink to S3 by its class name, and the same into a folder."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import headrace
from headrace.connect.configdef import ConfigDef
from headrace.connect.lake.options import bucket, definition, files, folder
from headrace.connect.lake.positions import SinkTopics
from headrace.connect.lake.settings import Settings, faults
from headrace.connect.lake.store import bucket_spec, folder_spec
from headrace.connect.lake.task import SinkTask
from headrace.connect.outages import passes
from headrace.connect.plugins import Connector, ConnectorContext, Kind, TaskContext

logger = logging.getLogger("headrace.connect")


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
        """Brokers that are away for a time are waited for, as Connect's consumers do. What was begun then ends as after a
        restart: from what is kept, not from what this task still knows."""
        settings = Settings.of(self.config(), config)
        while not context.stopping.is_set():
            try:
                SinkTask(config, context, settings, self.store).run()
            except Exception as fault:
                if not passes(fault):
                    raise
                logger.warning(
                    "%s: brokers are out of reach, and waited for: %s", context.name, fault
                )
                _await_brokers(config, context, settings["retry.backoff.ms"] / 1000)


def _await_brokers(config: Mapping[str, str], context: TaskContext, pause: float) -> None:
    topics = SinkTopics(context.worker, config, context.name)
    while not context.stopping.wait(pause):
        try:
            topics.places()
            return
        except Exception as fault:
            if not passes(fault):
                raise
        finally:
            topics.close()


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
