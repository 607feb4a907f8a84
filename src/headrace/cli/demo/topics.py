"""The demo's ends of the two topics: a producer at its own pace, and a reader that decodes Avro by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from itertools import islice

from headrace.cli.demo.views import PageView, RegionCount
from headrace.errors import EnvironmentFault

INPUT_TOPIC = "pageviews"
OUTPUT_TOPIC = "pageviews_per_region"
# Two read in parallel and neither is idle; the result has a dozen keys.
INPUT_PARTITIONS = 2
OUTPUT_PARTITIONS = 1

# Page views are sent in bursts: often enough to look steady, seldom enough to leave the cores to Spark.
BURSTS_PER_SECOND = 20
ANSWER_SECONDS = 30.0


def create_topics(bootstrap_servers: str) -> None:
    from confluent_kafka.admin import AdminClient
    from confluent_kafka.cimpl import NewTopic

    wanted = {INPUT_TOPIC: INPUT_PARTITIONS, OUTPUT_TOPIC: OUTPUT_PARTITIONS}
    admin = AdminClient({"bootstrap.servers": bootstrap_servers, "log_level": 0})
    topics = [NewTopic(name, partitions, 1) for name, partitions in wanted.items()]
    for created in admin.create_topics(topics).values():
        created.result(ANSWER_SECONDS)


class Producer(threading.Thread):
    """Writes all views within `seconds`, in the background; `sent` counts them."""

    def __init__(
        self, bootstrap_servers: str, views: Iterable[PageView], rows: int, seconds: float
    ) -> None:
        super().__init__(name="page-views", daemon=True)
        from confluent_kafka import Producer as Client

        # Half a burst's time: batches form, and nothing waits for long.
        self._client = Client(
            {"bootstrap.servers": bootstrap_servers, "linger.ms": 25, "log_level": 0}
        )
        self._views = iter(views)
        self._rows = rows
        self._bursts = max(1, min(rows, int(seconds * BURSTS_PER_SECOND)))
        self._pause = seconds / self._bursts
        self._in_pace = threading.Event()
        self._halted = threading.Event()
        self.sent = 0
        self.done = False
        self.failure: str | None = None

    def run(self) -> None:
        """The first burst warms Spark up: a first batch takes seconds, and nobody would see the others."""
        self._send(self._rows // self._bursts)
        self._client.flush(ANSWER_SECONDS)
        self._in_pace.wait()
        began = time.monotonic()
        for burst in range(2, self._bursts + 1):
            self._send(self._rows * burst // self._bursts)
            early = began + burst * self._pause - time.monotonic()
            if self._halted.wait(max(0.0, early)):
                return
        if self._client.flush(ANSWER_SECONDS):
            self.failure = f"the broker took no more records after {self.sent}"
        self.done = True

    def _send(self, until: int) -> None:
        for view in islice(self._views, until - self.sent):
            self._produce(view.to_json())
            self.sent += 1
        self._client.poll(0)

    def _produce(self, record: bytes) -> None:
        while True:
            try:
                self._client.produce(INPUT_TOPIC, record)
                return
            except BufferError:  # the local queue is full; waiting for the broker empties it
                self._client.poll(0.1)

    def check(self) -> None:
        if self.failure is not None:
            raise EnvironmentFault(
                self.failure,
                condition="BROKER_UNREACHABLE",
                cure="run the demo again; --verbose shows more",
            )

    def keep_pace(self) -> None:
        """The first burst has arrived at the other end: send the rest."""
        self._in_pace.set()

    def halt(self) -> None:
        self._halted.set()
        self._in_pace.set()


class ResultReader:
    """The table in the output topic, as far as it has been read."""

    def __init__(self, bootstrap_servers: str) -> None:
        from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

        self._consumer = Consumer(
            {
                "bootstrap.servers": bootstrap_servers,
                "group.id": "headrace-demo",
                "enable.auto.commit": False,
                "log_level": 0,
            }
        )
        partitions = range(OUTPUT_PARTITIONS)
        self._consumer.assign(
            [TopicPartition(OUTPUT_TOPIC, p, OFFSET_BEGINNING) for p in partitions]
        )
        self.table: dict[str, RegionCount] = {}
        self.changes = 0

    def read(self, timeout: float = 0) -> None:
        """Takes what has arrived, and waits for as long as `timeout` for more."""
        for message in self._consumer.consume(1_000, timeout):
            key = message.key()
            if message.error() is None and key is not None:
                self.apply(key, message.value())

    def apply(self, key: bytes, value: bytes | None) -> None:
        """An upsert: the last value of a key is its row, none at all deletes it."""
        self.changes += 1
        region = AvroReader(key).text()
        if value is None:
            self.table.pop(region, None)
        else:
            self.table[region] = decode_row(value)

    def close(self) -> None:
        self._consumer.close()


def decode_row(value: bytes) -> RegionCount:
    """The primary key is NOT NULL, hence a plain string; the counts may be null, hence unions."""
    reader = AvroReader(value)
    return RegionCount(reader.text(), reader.optional_long() or 0, reader.optional_long() or 0)


class AvroReader:
    """As much of Avro's binary encoding as the result needs."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._offset = 0

    def long(self) -> int:
        """Seven bits a byte, lowest first, with the sign in the last bit."""
        number, shift = 0, 0
        while True:
            byte = self._data[self._offset]
            self._offset += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return (number >> 1) ^ -(number & 1)

    def text(self) -> str:
        length = self.long()
        self._offset += length
        return self._data[self._offset - length : self._offset].decode()

    def optional_long(self) -> int | None:
        """The union of null and long, in this order."""
        return self.long() if self.long() == 1 else None
