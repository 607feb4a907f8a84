"""Topics of a run, looked at while they are written."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable

from confluent_kafka import Consumer, TopicPartition

from benchmarks import topics


def _consumer(servers: str) -> Consumer:
    return Consumer(
        {
            "bootstrap.servers": servers,
            "group.id": "bench",
            "enable.auto.commit": False,
            "fetch.wait.max.ms": 1,
            "log_level": 4,
        }
    )


class Count:
    """How many records a topic holds, by the ends of its partitions."""

    def __init__(self, servers: str, topic: str) -> None:
        self._consumer = _consumer(servers)
        self._partitions = [TopicPartition(topic, n) for n in range(topics.PARTITIONS)]

    def __call__(self) -> int:
        ends = (self._consumer.get_watermark_offsets(p, timeout=10) for p in self._partitions)
        return sum(high for _, high in ends)

    def close(self) -> None:
        self._consumer.close()


class Notes(threading.Thread):
    """Reads topics and keeps when each record's `note` was first seen."""

    def __init__(self, servers: str, names: Iterable[str]) -> None:
        super().__init__(daemon=True)
        self.seen: dict[str, float] = {}
        self._consumer = _consumer(servers)
        self._consumer.assign(
            [TopicPartition(name, n, 0) for name in names for n in range(topics.PARTITIONS)]
        )
        self._stopped = threading.Event()

    def run(self) -> None:
        while not self._stopped.is_set():
            for message in self._consumer.consume(500, 0.02):
                if message.error() is None:
                    note = json.loads(message.value() or b"{}").get("note")
                    self.seen.setdefault(str(note), time.time())
        self._consumer.close()

    def stop(self) -> None:
        self._stopped.set()
        self.join()
