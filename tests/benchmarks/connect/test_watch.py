from __future__ import annotations

import json
import time
import uuid

import pytest

from benchmarks import topics
from benchmarks.connect.watch import Count, Notes
from headrace.testing.topics import eventually

pytestmark = pytest.mark.services


def test_records_are_counted_and_their_notes_kept(kafka_broker):
    servers, topic = kafka_broker.bootstrap_servers, f"watch-{uuid.uuid4().hex}"
    began = time.time()
    topics.fill(servers, topic, [(None, json.dumps({"note": n})) for n in ("a", "b", None)])
    count = Count(servers, topic)
    assert count() == 3
    count.close()
    notes = Notes(servers, [topic])
    notes.start()
    try:
        eventually(lambda: set(notes.seen), lambda seen: seen == {"a", "b", "None"}, 30)
    finally:
        notes.stop()
    assert all(at >= began for at in notes.seen.values())
