"""Where a source starts that has no checkpoint yet, as options of Spark's Kafka source."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from headrace.connectors.kafka.offsets import parse_offsets
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.errors import EnvironmentFault, nearest

if TYPE_CHECKING:
    from headrace.connectors.kafka.admin import KafkaAdmin, Offsets

# Spark's own marks for "the first" and "the next" offset of a partition.
EARLIEST, LATEST = -2, -1
RESET = {"earliest": EARLIEST, "latest": LATEST}


def starting_options(
    settings: KafkaSettings, admin: KafkaAdmin, partitions: Mapping[str, int]
) -> dict[str, str]:
    """`partitions` counts those of every topic that is read now."""
    mode = "earliest-offset" if settings.upsert else settings.options["scan.startup.mode"]
    match mode:
        case "earliest-offset":
            return {"startingOffsets": "earliest"}
        case "latest-offset":
            return {"startingOffsets": "latest"}
        case "timestamp":
            return {
                "startingTimestamp": str(settings.options["scan.startup.timestamp-millis"]),
                # A partition without a record that young starts at its end, as in Flink.
                "startingOffsetsByTimestampStrategy": "latest",
            }
        case "specific-offsets":
            return _offsets(_specific(settings, admin, partitions))
        case _:
            return _offsets(_committed(settings, admin, partitions))


def _offsets(offsets: Offsets) -> dict[str, str]:
    return {"startingOffsets": json.dumps(offsets)}


def topics_of(settings: KafkaSettings, admin: KafkaAdmin) -> list[str]:
    if settings.pattern is None:
        return list(settings.topics)
    return [topic for topic in admin.topics() if re.fullmatch(settings.pattern, topic)]


def partitions_of(settings: KafkaSettings, admin: KafkaAdmin) -> dict[str, int]:
    """Partitions by topic. Asked before Spark does, which tries a missing topic or broker for minutes."""
    wanted = topics_of(settings, admin)
    counts = admin.partitions(wanted)
    for topic in wanted:
        if topic not in counts:
            raise _missing(topic, admin)
    return counts


def _missing(topic: str, admin: KafkaAdmin) -> EnvironmentFault:
    existing = admin.topics()
    close = nearest(topic, existing)
    return EnvironmentFault(
        f"topic '{topic}' does not exist",
        condition="UNKNOWN_TOPIC",
        where=admin.servers,
        expected=f"one of {len(existing)} topics there",
        cure=f"did you mean '{close}'?" if close else "create the topic, or correct 'topic'",
    )


def _specific(settings: KafkaSettings, admin: KafkaAdmin, partitions: Mapping[str, int]) -> Offsets:
    """A partition without an entry starts at the group's offset, else at its first."""
    given = parse_offsets(settings.options["scan.startup.specific-offsets"])
    committed = admin.committed_offsets(settings.group) if settings.group else {}
    return {
        topic: {p: given.get(p, committed.get(topic, {}).get(p, EARLIEST)) for p in range(count)}
        for topic, count in partitions.items()
    }


def _committed(
    settings: KafkaSettings, admin: KafkaAdmin, partitions: Mapping[str, int]
) -> Offsets:
    assert settings.group is not None
    committed = admin.committed_offsets(settings.group)
    reset = settings.properties.get("auto.offset.reset", "none").lower()
    found = {
        topic: {p: committed.get(topic, {}).get(p, RESET.get(reset)) for p in range(count)}
        for topic, count in partitions.items()
    }
    for topic, offsets in found.items():
        for partition, offset in offsets.items():
            if offset is None:
                raise _never_committed(settings, topic, partition)
    return {t: {p: o for p, o in by.items() if o is not None} for t, by in found.items()}


def _never_committed(settings: KafkaSettings, topic: str, partition: int) -> EnvironmentFault:
    return EnvironmentFault(
        f"group '{settings.group}' has committed no offset of topic '{topic}', partition {partition}",
        condition="NO_COMMITTED_OFFSET",
        expected="a committed offset, or a place to start without one",
        cure="'properties.auto.offset.reset' = 'earliest', or 'scan.startup.mode' = 'earliest-offset'",
    )
