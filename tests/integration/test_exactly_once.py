"""A copy of rows without a key is killed at moments it cannot choose: those who read committed records see every row once.

Twice in every run, at moments in the middle of a batch; `--kills` (make soak) adds more, also at random moments.
"""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from headrace.services.kafka import KafkaService
from headrace.testing.jobs import running_script
from headrace.testing.topics import create_topic, eventually, produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

KILLS = 2
# A batch that is committed before the kill proves nothing, so that there are more kills until one was not.
MOST_KILLS = 8
SEED = 11
# Only in longer runs. Twice what a cold start takes: later kills fall between batches.
LATEST_SECONDS = 20.0
PATIENCE_SECONDS = 120.0
GUARANTEE = {
    "exactly-once": "'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'copy',",
    "at-least-once": "",
}
SCRIPT = """
CREATE TABLE numbers (n BIGINT) WITH ('connector' = 'kafka', 'topic' = '{source}',
  'properties.bootstrap.servers' = '{servers}', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE copies (n BIGINT) WITH ('connector' = 'kafka', 'topic' = '{sink}', {guarantee}
  'properties.bootstrap.servers' = '{servers}', 'format' = 'json');
INSERT INTO copies SELECT n FROM numbers;
"""


class Copy:
    """The job, started again and again, and the rows it is given."""

    def __init__(
        self,
        servers: str,
        topic: Callable[[str], str],
        folder: Path,
        guarantee: str,
        *,
        settings: str = "",
        options: str = "",
    ):
        self.servers, self.source, self.sink = servers, topic("numbers"), topic("copies")
        self.folder = folder
        self.home = folder / "home"
        self.script = folder / "copy.sql"
        text = SCRIPT.format(
            source=self.source,
            sink=self.sink,
            servers=servers,
            guarantee=GUARANTEE[guarantee] + options,
        )
        self.script.write_text(settings + text)
        self.given = 0
        for name in (self.source, self.sink):
            create_topic(servers, name, partitions=2)

    def give(self, count: int) -> None:
        rows = [(None, {"n": n}) for n in range(self.given, self.given + count)]
        produce(self.servers, self.source, rows)
        self.given += count

    def seen(self, isolation: str = "read_committed") -> Counter[int]:
        records = read_topic(self.servers, self.sink, isolation_level=isolation)
        return Counter(record.json_value()["n"] for record in records)

    def running(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        return running_script(self.script, self.home)

    def files(self, pattern: str) -> dict[str, int]:
        """By name, with the time of the last change."""
        found = self.home.glob(f"jobs/*/checkpoint/{pattern}")
        return {str(file): file.stat().st_mtime_ns for file in found if "." not in file.stem}

    def finish(self) -> None:
        """Runs until all rows have come, some of them while it does, and ends in order."""
        self.give(100)
        with self.running() as process:
            eventually(self.seen, lambda seen: len(seen) == self.given)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0


def until(process: subprocess.Popen[bytes], happened: Callable[[], bool], seconds: float) -> None:
    """Looks without a pause: what it waits for is over in some milliseconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and not happened():
        assert process.poll() is None, "the job ended by itself"


def decided(copy: Copy, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    """The decision about a batch is there, and its transactions are not all committed."""
    before = copy.files("transactions/*.json")
    copy.give(500)
    until(process, lambda: copy.files("transactions/*.json") != before, PATIENCE_SECONDS)


def records_are_there(copy: Copy, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    """A batch has begun to be written."""
    before = sum(copy.seen("read_uncommitted").values())
    copy.give(500)
    written = lambda: sum(copy.seen("read_uncommitted").values()) > before  # noqa: E731
    until(process, written, PATIENCE_SECONDS)


def any_time(copy: Copy, process: subprocess.Popen[bytes], dice: random.Random) -> None:
    copy.give(500)
    until(process, lambda: False, dice.uniform(1, LATEST_SECONDS))


MOMENTS = (decided, records_are_there, any_time)


@pytest.fixture
def dice(request) -> random.Random:
    more = request.config.getoption("--kills") is not None
    seed = request.config.getoption("--kill-seed")
    chosen = seed if seed is not None else random.randrange(10**6) if more else SEED
    sys.stdout.write(f"--kill-seed {chosen}\n")
    return random.Random(chosen)


@pytest.fixture
def kills(request) -> int:
    return request.config.getoption("--kills") or KILLS


def killed(copy: Copy, kills: int, dice: random.Random) -> Counter[str]:
    """After how many kills of each kind the topic held rows that are not committed."""
    open_after: Counter[str] = Counter()
    number = 0
    while number < kills or (not open_after.total() and number < MOST_KILLS):
        moment = MOMENTS[number % len(MOMENTS)]
        copy.give(500)
        with copy.running() as process:
            moment(copy, process, dice)
        uncommitted = sum(copy.seen("read_uncommitted").values()) - sum(copy.seen().values())
        open_after[moment.__name__] += uncommitted > 0
        number += 1
        sys.stdout.write(f"kill {number}: {moment.__name__}, {uncommitted} rows open or aborted\n")
    return open_after


def test_every_row_is_seen_once_after_kills(servers, topic, tmp_path, dice, kills):
    copy = Copy(servers, topic, tmp_path, "exactly-once")
    open_after = killed(copy, kills, dice)
    copy.finish()
    assert copy.seen() == Counter(range(copy.given))
    # What this is about: rows that were written and not yet to be seen when the process died.
    assert open_after.total() > 0


def test_no_row_is_lost_at_least_once(servers, topic, tmp_path, dice):
    copy = Copy(servers, topic, tmp_path, "at-least-once")
    copy.give(500)
    with copy.running() as process:
        records_are_there(copy, process, dice)
    copy.finish()
    assert set(copy.seen()) == set(range(copy.given))


FLAKY = """
import pathlib

MARKER = pathlib.Path({marker!r})

def has_records():
    from confluent_kafka import Consumer, TopicPartition

    settings = {{"group.id": "flaky", "isolation.level": "read_uncommitted"}}
    consumer = Consumer({{"bootstrap.servers": {servers!r}, **settings}})
    ends = [consumer.get_watermark_offsets(TopicPartition({sink!r}, n))[1] for n in (0, 1)]
    consumer.close()
    return any(ends)

def choose(keys, values, partitions):
    # Records of a task come in blocks; this one is not in the first, so that some are on their way already.
    if any(value.as_py() == b'{{"n":{last}}}' for value in values) and not MARKER.exists():
        while not has_records():
            pass
        MARKER.touch()
        raise ValueError("once")
    return [0] * len(values)
"""


def test_a_task_that_runs_again_repeats_nothing(servers, topic, tmp_path):
    copy = Copy(
        servers,
        topic,
        tmp_path,
        "exactly-once",
        settings="SET 'spark.master' = 'local[2,3]';",
        options=" 'sink.partitioner' = 'flaky:choose',",
    )
    # Python's answers come to the JVM when 64 KiB of them are together, at four bytes a record and two tasks.
    copy.give(100_000)
    marker = tmp_path / "failed"
    flaky = FLAKY.format(marker=str(marker), last=copy.given - 1, servers=servers, sink=copy.sink)
    (tmp_path / "flaky.py").write_text(flaky)
    copy.finish()
    assert marker.exists()
    assert copy.seen() == Counter(range(copy.given))
    assert sum(copy.seen("read_uncommitted").values()) > copy.given


def test_a_broker_that_restarts_repeats_and_loses_nothing(topic, tmp_path):
    with KafkaService(tmp_path / "kafka") as broker:
        copy = Copy(broker.bootstrap_servers, topic, tmp_path, "exactly-once")
        copy.give(500)
        with copy.running() as process:
            eventually(copy.seen, lambda seen: len(seen) == copy.given)
            copy.give(500)
            broker.stop()
            broker.start()
            copy.give(500)
            eventually(copy.seen, lambda seen: len(seen) == copy.given)
            process.send_signal(signal.SIGTERM)
            assert process.wait(60) == 0
        assert copy.seen() == Counter(range(copy.given))
