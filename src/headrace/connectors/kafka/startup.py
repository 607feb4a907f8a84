"""Where a source starts that has no checkpoint yet, as options of Spark's Kafka source."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from headrace.connectors.kafka.offsets import parse_offsets
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.errors import EnvironmentFault

if TYPE_CHECKING:
    from headrace.connectors.kafka.admin import KafkaAdmin, Offsets

# Spark's own marks for "the first" and "the next" offset of a partition.
EARLIEST, LATEST = -2, -1
RESET = {"earliest": EARLIEST, "latest": LATEST}


def starting_options(
    settings: KafkaSettings, open_admin: Callable[[], KafkaAdmin]
) -> dict[str, str]:
    """The cluster is asked only where Spark needs every partition spelled out."""
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
            return _offsets(_specific(settings, open_admin()))
        case _:
            return _offsets(_committed(settings, open_admin()))


def _offsets(offsets: Offsets) -> dict[str, str]:
    return {"startingOffsets": json.dumps(offsets)}


def topics_of(settings: KafkaSettings, admin: KafkaAdmin) -> list[str]:
    if settings.pattern is None:
        return list(settings.topics)
    return [topic for topic in admin.topics() if re.fullmatch(settings.pattern, topic)]


def _partitions(settings: KafkaSettings, admin: KafkaAdmin) -> Mapping[str, int]:
    wanted = topics_of(settings, admin)
    counts = admin.partitions(wanted)
    missing = [topic for topic in wanted if topic not in counts]
    if missing or not wanted:
        raise EnvironmentFault(
            f"topic '{', '.join(missing) or settings.pattern}' does not exist",
            condition="UNKNOWN_TOPIC",
            found=f"at {admin.servers}: {', '.join(admin.topics()) or 'no topics'}",
            cure="create the topic, or correct 'topic'",
        )
    return counts


def _specific(settings: KafkaSettings, admin: KafkaAdmin) -> Offsets:
    """A partition without an entry starts at the group's offset, else at its first."""
    given = parse_offsets(settings.options["scan.startup.specific-offsets"])
    committed = admin.committed_offsets(settings.group) if settings.group else {}
    return {
        topic: {p: given.get(p, committed.get(topic, {}).get(p, EARLIEST)) for p in range(count)}
        for topic, count in _partitions(settings, admin).items()
    }


def _committed(settings: KafkaSettings, admin: KafkaAdmin) -> Offsets:
    assert settings.group is not None
    committed = admin.committed_offsets(settings.group)
    reset = settings.properties.get("auto.offset.reset", "none").lower()
    found = {
        topic: {p: committed.get(topic, {}).get(p, RESET.get(reset)) for p in range(count)}
        for topic, count in _partitions(settings, admin).items()
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
