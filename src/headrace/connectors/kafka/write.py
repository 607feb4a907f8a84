"""Makes the JVM writer of a sink, and its topics where they are missing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from headrace.catalog.connector import Changes
from headrace.catalog.table import Table
from headrace.changelog import WEIGHT
from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.partitioners import (
    check_java_class,
    is_python,
    java_class,
    python_function,
)
from headrace.connectors.kafka.settings import KafkaSettings, settings_of
from headrace.connectors.kafka.startup import topics_of
from headrace.connectors.support import option_error
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


# A broker's own limit unless it is told otherwise; Flink's hour is refused by such a broker.
TRANSACTION_TIMEOUT_MILLIS = "900000"

# Nothing is gathered for a request where every record is awaited.
LIVE_PRODUCER_DEFAULTS: Mapping[str, str] = {"linger.ms": "0"}


def writer(session: Any, table: Table, columns: Sequence[str], *, changes: Changes) -> Any:
    settings = settings_of(table)
    chosen = _prepared(session, table, settings)
    spec = json.dumps(writer_spec(settings, table, columns, changes=changes) | chosen)
    function = python_function(table, settings)
    return session._jvm.headrace.kafka.KafkaBatchWriter(spec, function)


def live_writer(session: Any, table: Table, columns: Sequence[str], rows: Any) -> Any:
    settings = settings_of(table)
    _check_live(table, settings)
    chosen = _prepared(session, table, settings)
    spec = writer_spec(settings, table, columns, changes=Changes.SINGLE) | chosen
    spec["properties"] = {**spec["properties"], **LIVE_PRODUCER_DEFAULTS, **_given(settings)}
    function = python_function(table, settings)
    return session._jvm.headrace.kafka.LiveWriter.of(rows._jdf, json.dumps(spec), function)


def _check_live(table: Table, settings: KafkaSettings) -> None:
    """What is done at the end of batches cannot be done without them."""
    for key, is_set in (
        ("sink.delivery-guarantee", settings.is_exactly_once),
        ("sink.buffer-flush.interval", bool(settings.options.get("sink.buffer-flush.interval"))),
    ):
        if is_set:
            raise option_error(
                table,
                key,
                f"option '{key}' needs batches, and this job runs in real time",
                condition="CONFLICTING_OPTIONS",
                cure="RESET 'headrace.execution.mode';",
            )


def _prepared(session: Any, table: Table, settings: KafkaSettings) -> dict[str, Any]:
    """Makes the topics that are missing, and tells the numbers of partitions where something is done with them."""
    admin = KafkaAdmin(session, settings.properties)
    for topic in settings.topics:
        ensure_topic(
            admin,
            settings,
            topic,
            partitions=settings.options.get("sink.topic.partitions"),
            cleanup=settings.options["sink.topic.cleanup-policy"],
        )
    check_java_class(session, table, settings)
    if not is_python(settings):
        return {}
    return {"partitions": admin.partitions(topics_of(settings, admin))}


def writer_spec(
    settings: KafkaSettings, table: Table, columns: Sequence[str], *, changes: Changes
) -> dict[str, Any]:
    written = {c.key: c.name for c in table.metadata_columns if c.name in columns and not c.virtual}
    return {
        "topics": settings.topics,
        "pattern": settings.pattern,
        "topicColumn": written.get("topic"),
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
        "fixedPartition": settings.options["sink.partitioner"] == "fixed",
        "bufferedKeys": settings.options.get("sink.buffer-flush.max-rows", 0),
    }


def _part(use: FormatUse, part: Part) -> dict[str, Any]:
    columns = [[column, inner, type.spark()] for column, inner, type in use.columns]
    return {"spec": part_spec(use, part), "columns": columns}


def producer_properties(settings: KafkaSettings) -> dict[str, str]:
    """The table's own over those that the guarantee asks for."""
    given = _given(settings)
    class_name = java_class(settings)
    own = {} if class_name is None else {"partitioner.class": class_name}
    return {**PRODUCER_DEFAULTS, **_guaranteeing(settings, given), **own, **given}


def _guaranteeing(settings: KafkaSettings, given: Mapping[str, str]) -> dict[str, str]:
    if settings.is_exactly_once:
        return {"transaction.timeout.ms": TRANSACTION_TIMEOUT_MILLIS}
    if settings.guarantee == "none":
        return {"acks": "1", "enable.idempotence": "false"}
    # Kafka's client refuses to leave out repeats where it may not wait for all brokers, or not try again.
    waits = given.get("acks", "all") in ("all", "-1") and given.get("retries") != "0"
    return {} if waits else {"enable.idempotence": "false"}


def _given(settings: KafkaSettings) -> dict[str, str]:
    return {k: v for k, v in settings.properties.items() if k not in NOT_PRODUCERS}


def remarks(table: Table) -> Iterator[str]:
    """Options that are there and do nothing, as in Flink."""
    for key in SERIALIZERS:
        if f"properties.{key}" in table.options:
            name = table.identifier.name
            yield f"'properties.{key}' of table '{name}' has no effect: its formats write bytes"


SERIALIZERS = ("key.serializer", "value.serializer")
# A table is often read and written; the producer would warn about these.
NOT_PRODUCERS = (
    AUTO_CREATE,
    "group.id",
    "auto.offset.reset",
    "enable.auto.commit",
    *SERIALIZERS,
)


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
