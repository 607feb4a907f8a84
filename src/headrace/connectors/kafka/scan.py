"""What a source reads and how its consumers are set up, as our stream in the JVM is told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from headrace.connectors.kafka.options import DISCOVERY, ON_DATA_LOSS
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.kafka.startup import end_place, start_place

# Used unless the table sets them. The client's defaults leave a task waiting for data more than it works.
CONSUMER_DEFAULTS: Mapping[str, str] = {
    # The broker holds back an empty answer this long; at its default of 500 an idle job's latency is mostly this wait.
    "fetch.max.wait.ms": "5",
    # Records handed over per poll; at the default of 500 the loop around the poll is what a task spends its time on.
    "max.poll.records": "20000",
    # 8 MiB per partition and fetch: eight times the default, so a task waits for one answer instead of eight.
    "max.partition.fetch.bytes": "8388608",
}

# Of no use to a client: where to start and what to commit is decided by the stream, not by its consumers.
_OWN_PROPERTIES = ("auto.offset.reset", "enable.auto.commit", "group.id")

# Spark's batch reader brings its own.
_REFUSED_BY_SPARK = ("key.deserializer", "value.deserializer", "interceptor.classes")


def scan_spec(settings: KafkaSettings) -> dict[str, Any]:
    return {
        "topics": None if settings.pattern else list(settings.topics),
        "pattern": settings.pattern,
        "start": start_place(settings),
        "end": end_place(settings),
        "discoveryMillis": _discovery_millis(settings),
        "parallelism": settings.options.get("scan.parallelism"),
        "commitTo": settings.commit_group,
        "goesOn": settings.options[ON_DATA_LOSS] == "continue",
    }


def _discovery_millis(settings: KafkaSettings) -> int:
    """A source with an end looks once: what comes later is not part of it."""
    interval: timedelta = settings.options[DISCOVERY]
    return 0 if settings.is_bounded else interval // timedelta(milliseconds=1)


def consumer_properties(settings: KafkaSettings) -> dict[str, str]:
    given = {k: v for k, v in settings.properties.items() if k not in _OWN_PROPERTIES}
    named = {"client.id": settings.client_prefix} if settings.client_prefix else {}
    return {**CONSUMER_DEFAULTS, **named, **given}


def consumer_options(settings: KafkaSettings) -> dict[str, str]:
    """For Spark's own batch reader of a topic."""
    properties = consumer_properties(settings)
    return {f"kafka.{key}": v for key, v in properties.items() if key not in _REFUSED_BY_SPARK}
