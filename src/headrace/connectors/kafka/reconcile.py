"""A topic that holds rows before a job first writes to it: where they end, and how the writer finds their keys.

Keys that the job's answer lacks get tombstones with its first batch. They are read inside that batch, by its own tasks,
so that no process holds them all; only the offsets at which they end are fixed when the job starts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.options import RECONCILE
from headrace.connectors.kafka.scan import consumer_options
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.kafka.startup import topics_of
from headrace.formats.codec import part_spec


def is_replayed(settings: KafkaSettings) -> bool:
    mode: str = settings.options["scan.startup.mode"]
    return mode == "earliest-offset"


def is_empty(session: Any, settings: KafkaSettings) -> bool:
    admin = KafkaAdmin(session, settings.properties)
    return not _ends(admin, topics_of(settings, admin))


def existing(session: Any, settings: KafkaSettings) -> dict[str, int]:
    """The end of each partition of the sink's topic, by its number; none when the topic is empty. Of several topics,
    which its rows choose, none is the sink's own."""
    if not settings.options[RECONCILE] or settings.rows_name_topics:
        return {}
    (topic,) = settings.topics
    return _ends(KafkaAdmin(session, settings.properties), [topic]).get(topic, {})


def _ends(admin: KafkaAdmin, topics: list[str]) -> dict[str, dict[str, int]]:
    """End offsets by topic and partition; a topic without any record is left out."""
    first = admin.earliest_offsets(topics)
    return {
        topic: {str(partition): end for partition, end in ends.items()}
        for topic, ends in admin.latest_offsets(topics).items()
        if ends != first[topic]
    }


def specification(settings: KafkaSettings, ends: Mapping[str, int]) -> str:
    """For the writer: how to read the topic up to `ends`, and what its keys are."""
    assert settings.key is not None
    (topic,) = settings.topics
    options = consumer_options(settings) | {
        "subscribe": topic,
        "startingOffsets": "earliest",
        "endingOffsets": json.dumps({topic: ends}),
        # Records that have expired meanwhile need no deleting.
        "failOnDataLoss": "false",
    }
    names = [column for column, _, _ in settings.key.columns]
    return json.dumps({"options": options, "key": part_spec(settings.key, "key", names)})


def notices(settings: KafkaSettings, writer: Any) -> Iterator[str]:
    strange = writer.takeStrangeKeys()
    if strange:
        yield (
            f"topic '{settings.topics[0]}' holds {strange} key{'s' if strange > 1 else ''} that "
            "this table cannot have; left as they are"
        )
    deleted = writer.takeDeletedKeys()
    if deleted:
        yield (
            f"deleted {deleted} key{'s' if deleted > 1 else ''} of topic '{settings.topics[0]}' that the answer lacks; "
            f"'{RECONCILE}' = 'false' keeps such keys"
        )
