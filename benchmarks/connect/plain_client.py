"""What one would write without a connector: one process that reads a table with psycopg and writes JSON to Kafka.

    python -m benchmarks.connect.plain_client URL SERVERS TABLE TOPIC

Rows come some thousand at a time from a cursor of the server's, as they must where a table is larger than memory. It prints the seconds
from the first statement to the last acknowledgement, as JSON.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import psycopg
from confluent_kafka import Producer

# Rows of one answer of the server; more made it no faster.
_ROWS = 5000


def plain(value: Any) -> Any:
    """As Connect's JSON tells it: milliseconds for a moment, a number for a decimal."""
    if isinstance(value, datetime):
        return int(value.replace(tzinfo=value.tzinfo or UTC).timestamp() * 1000)
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(type(value).__name__)


def copy(url: str, servers: str, table: str, topic: str) -> int:
    """How many rows it copied."""
    producer = Producer(
        {
            "bootstrap.servers": servers,
            "acks": "all",
            "linger.ms": 50,
            "batch.size": 1_000_000,
            "queue.buffering.max.messages": 1_000_000,
            "log_level": 4,
        }
    )
    encode = json.JSONEncoder(separators=(",", ":"), default=plain).encode
    count = 0
    with psycopg.connect(url) as connection, connection.cursor("rows") as cursor:
        cursor.itersize = _ROWS
        cursor.execute(f"SELECT * FROM {table}".encode())
        names = [column.name for column in cursor.description or ()]
        while rows := cursor.fetchmany(_ROWS):
            for row in rows:
                _send(producer, topic, encode(dict(zip(names, row, strict=True))))
            producer.poll(0)
            count += len(rows)
    producer.flush()
    return count


def _send(producer: Producer, topic: str, value: str) -> None:
    try:
        producer.produce(topic, value)
    except BufferError:
        producer.poll(1)
        producer.produce(topic, value)


def main(arguments: Sequence[str] | None = None) -> int:
    url, servers, table, topic = arguments or sys.argv[1:]
    began, used = time.monotonic(), time.process_time()
    rows = copy(url, servers, table, topic)
    took = {"seconds": time.monotonic() - began, "cpu_s": time.process_time() - used}
    print(json.dumps({"rows": rows, **took}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
