"""What a source does with records that its formats cannot read: counters and the dead-letter topic, in the JVM."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.kafka.write import ensure_topic, producer_properties

# Option of our stream in front of Spark's: the id of the counter it reports with its progress.
COUNTER_OPTION = "headrace.skipped"

# What dead letters take over from the record beside its key and value.
ORIGINALS = ("timestamp", "headers")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """`handler` is the decoder's; `counter` the id by which the stream finds what the handler counts."""

    handler: Any
    counter: int
    keeps_originals: bool


def unreadable(session: Any, settings: KafkaSettings) -> Unreadable | None:
    """None where such a record fails the job. A missing dead-letter topic is made."""
    if settings.errors_mode == "fail":
        return None
    kafka: Any = session._jvm.headrace.kafka
    topic = settings.dead_letter_topic
    letters = None
    if topic is not None:
        ensure_topic(KafkaAdmin(session, settings.properties), settings, topic)
        letters = kafka.DeadLetterTopic(topic, json.dumps(producer_properties(settings)))
    counter = kafka.SkippedRecords.registered()
    return Unreadable(kafka.SkippingRecords(counter, letters), counter.id(), letters is not None)
