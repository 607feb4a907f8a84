"""What a source does with records that its formats cannot read, as our reader in the JVM is told."""

from __future__ import annotations

import json
from typing import Any

from headrace.connectors.kafka.admin import KafkaAdmin
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.kafka.write import ensure_topic, producer_properties


def unreadable_spec(settings: KafkaSettings) -> dict[str, Any]:
    """The part of the reader's specification; without `skips` such a record fails the job."""
    return {
        "skips": settings.errors_mode != "fail",
        "deadLetterTopic": settings.dead_letter_topic,
    }


def dead_letter_options(admin: KafkaAdmin, settings: KafkaSettings) -> dict[str, str]:
    """Options of the source: how the dead letters' producer connects. A missing topic is made."""
    topic = settings.dead_letter_topic
    if topic is None:
        return {}
    ensure_topic(admin, settings, topic)
    properties = producer_properties(settings)
    properties.pop("interceptor.classes", None)  # those of a table that is read are a consumer's
    return {"headrace.dead-letters.secret": json.dumps(properties)}
