"""Makes the JVM writer of a sink, and its topic where that is missing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from headrace.catalog.connector import Changes
from headrace.catalog.table import Table
from headrace.changelog import WEIGHT
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.errors import EnvironmentFault
from headrace.formats.base import Part
from headrace.formats.codec import FormatUse, part_spec

AUTO_CREATE = "allow.auto.create.topics"

# Used unless the table sets them. Order and no loss come first; a task ends with a flush, so that waiting to fill
# a request costs no latency at the end of a batch.
PRODUCER_DEFAULTS: Mapping[str, str] = {
    "acks": "all",
    "enable.idempotence": "true",
    "linger.ms": "5",
    # 256 KiB: at the default of 16 KiB a batch of small records is thousands of requests.
    "batch.size": "262144",
}


# Nothing is gathered for a request where every record is awaited.
LIVE_PRODUCER_DEFAULTS: Mapping[str, str] = {"linger.ms": "0"}


def writer(session: Any, table: Table, columns: Sequence[str], *, changes: Changes) -> Any:
    settings = settings_of(table)
    _ensure_sink_topic(session, settings)
    spec = json.dumps(writer_spec(settings, table, columns, changes=changes))
    return session._jvm.headrace.kafka.KafkaBatchWriter(spec)


def live_writer(session: Any, table: Table, columns: Sequence[str], rows: Any) -> Any:
    settings = settings_of(table)
    _ensure_sink_topic(session, settings)
    spec = writer_spec(settings, table, columns, changes=Changes.SINGLE)
    spec["properties"] = {**spec["properties"], **LIVE_PRODUCER_DEFAULTS, **_given(settings)}
    return session._jvm.headrace.kafka.LiveWriter.of(rows._jdf, json.dumps(spec))


def _ensure_sink_topic(session: Any, settings: KafkaSettings) -> None:
    ensure_topic(
        KafkaAdmin(session, settings.properties),
        settings,
        settings.topics[0],
        partitions=settings.options.get("sink.topic.partitions"),
        cleanup=settings.options["sink.topic.cleanup-policy"],
    )


def writer_spec(
    settings: KafkaSettings, table: Table, columns: Sequence[str], *, changes: Changes
) -> dict[str, Any]:
    written = {c.key: c.name for c in table.metadata_columns if c.name in columns and not c.virtual}
    return {
        "topic": settings.topics[0],
        "properties": producer_properties(settings),
        "key": None if settings.key is None else _part(settings.key, "key"),
        "value": _part(settings.value, "value"),
        "weight": WEIGHT,
        "timestamp": written.get("timestamp"),
        "headers": written.get("headers"),
        "headerList": written.get("header-list"),
        "upsert": settings.upsert,
        "changes": changes,
        "parallelism": settings.options.get("sink.parallelism"),
        "fixedPartition": settings.options.get("sink.partitioner") == "fixed",
    }


def _part(use: FormatUse, part: Part) -> dict[str, Any]:
    columns = [[column, inner, type.spark()] for column, inner, type in use.columns]
    return {"spec": part_spec(use, part), "columns": columns}


def producer_properties(settings: KafkaSettings) -> dict[str, str]:
    return {**PRODUCER_DEFAULTS, **_given(settings)}


def _given(settings: KafkaSettings) -> dict[str, str]:
    return {k: v for k, v in settings.properties.items() if k not in CONSUMER_ONLY}


# A table is often read and written; the producer would warn about these.
CONSUMER_ONLY = (AUTO_CREATE, "group.id", "auto.offset.reset", "enable.auto.commit")


def ensure_topic(
    admin: KafkaAdmin,
    settings: KafkaSettings,
    topic: str,
    *,
    partitions: int | None = None,
    cleanup: str = "delete",
) -> None:
    if topic in admin.partitions([topic]):
        return
    if settings.properties.get(AUTO_CREATE, "true").lower() == "false":
        raise EnvironmentFault(
            f"topic '{topic}' does not exist and must not be created",
            condition="UNKNOWN_TOPIC",
            found=f"'properties.{AUTO_CREATE}' = 'false'",
            cure=f"create the topic at {admin.servers}, or remove the option",
        )
    admin.create(topic, partitions=partitions, config={"cleanup.policy": cleanup})
