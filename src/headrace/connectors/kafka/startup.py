"""Where a source starts and ends, as our stream in the JVM is told, and the topics that are there to read.

The stream asks the brokers for offsets when a job first runs, and only then: a job that resumes goes by its checkpoint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from headrace.connectors.kafka.offsets import parse_offsets
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.errors import EnvironmentFault, nearest

if TYPE_CHECKING:
    from headrace.connectors.kafka.admin import KafkaAdmin

Place = dict[str, Any]


def start_place(settings: KafkaSettings) -> Place:
    place = _place(settings, "startup")
    if place["at"] == "committed":
        place["otherwise"] = settings.properties.get("auto.offset.reset", "none").lower()
    return place


def end_place(settings: KafkaSettings) -> Place | None:
    """None for a source without an end. A group without a commit is no end, so nothing stands in for it."""
    if not settings.is_bounded:
        return None
    place = _place(settings, "bounded")
    return place | {"otherwise": "none"} if place["at"] == "committed" else place


def _place(settings: KafkaSettings, kind: str) -> Place:
    match settings.options[f"scan.{kind}.mode"]:
        case "earliest-offset":
            return {"at": "earliest"}
        case "latest-offset":
            return {"at": "latest"}
        case "timestamp":
            return {"at": "timestamp", "millis": settings.options[f"scan.{kind}.timestamp-millis"]}
        case "specific-offsets":
            offsets = parse_offsets(settings.options[f"scan.{kind}.specific-offsets"])
            return {"at": "offsets", "offsets": offsets, "group": settings.group}
        case _:
            return {"at": "committed", "group": settings.group}


def topics_of(settings: KafkaSettings, admin: KafkaAdmin) -> list[str]:
    if settings.pattern is None:
        return list(settings.topics)
    return admin.topics(settings.pattern)


def require_topics(settings: KafkaSettings, admin: KafkaAdmin) -> None:
    """Asked before a job starts, so that a wrong name is told with the right one. A pattern may match nothing yet."""
    counts = admin.partitions(settings.topics)
    for topic in settings.topics:
        if topic not in counts:
            raise _missing(topic, admin)


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
