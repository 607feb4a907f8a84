"""A job on executors that are processes of their own, as on a cluster, and one of them is killed while it writes."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import defaultdict
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from headrace.testing.jobs import running_script
from headrace.testing.topics import create_topic, eventually, produce, read_topic
from headrace.toolchain.spark_home import spark_jars_folder

pytestmark = [pytest.mark.spark, pytest.mark.services, pytest.mark.slow]

CUSTOMERS = 2_000
# Of some 1,000 rows of a task the first 500 have been passed on, and all but the last block of them is on its way.
HELD_AFTER = 500
WRITTEN_BY_EACH = 400

SCRIPT = """
SET 'spark.master' = 'local-cluster[2,1,1024]';
-- Python is given rows in small blocks, and answers each at once.
SET 'spark.sql.execution.arrow.maxRecordsPerBatch' = '100';
SET 'spark.buffer.size' = '256';
CREATE TABLE orders (customer BIGINT, item BIGINT) WITH ('connector' = 'kafka', 'topic' = '{orders}',
  'properties.bootstrap.servers' = '{servers}', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json');
CREATE TABLE totals (customer BIGINT, n BIGINT, items BIGINT, PRIMARY KEY (customer) NOT ENFORCED) WITH (
  'connector' = 'upsert-kafka', 'topic' = '{totals}', 'properties.bootstrap.servers' = '{servers}',
  'key.format' = 'json', 'value.format' = 'json', 'sink.partitioner' = 'held:choose',
  'sink.delivery-guarantee' = 'exactly-once', 'sink.transactional-id-prefix' = 'totals');
INSERT INTO totals SELECT customer, COUNT(*), COUNT(DISTINCT item) FROM orders GROUP BY customer;
"""

# A file `hold-n` holds tasks that have passed on more than n rows; they leave files `held-n-process`.
PARTITIONER = """
import os, pathlib, time

FOLDER = pathlib.Path({folder!r})
seen = 0

def held():
    limits = [file.name.removeprefix("hold-") for file in FOLDER.glob("hold-*")]
    return [limit for limit in limits if seen > int(limit)]

def choose(keys, values, partitions):
    global seen
    seen += len(values)
    while limits := held():
        for limit in limits:
            (FOLDER / f"held-{{limit}}-{{os.getpid()}}").touch()
        time.sleep(0.01)
    return [0] * len(values)
"""


class Totals:
    """The job, what it is given and what is seen of it."""

    def __init__(self, servers: str, orders: str, totals: str, folder: Path) -> None:
        self.servers, self.orders, self.totals, self.folder = servers, orders, totals, folder
        self.items: dict[int, list[int]] = defaultdict(list)
        create_topic(servers, orders, partitions=2)
        create_topic(servers, totals)
        script = SCRIPT.format(orders=orders, totals=totals, servers=servers)
        (folder / "totals.sql").write_text(script)
        (folder / "held.py").write_text(PARTITIONER.format(folder=str(folder)))

    def buy(self, customers: int, item: int) -> None:
        """Each of them an item, every second one the first item."""
        bought = [(customer, item * (customer % 2)) for customer in range(customers)]
        rows = [{"customer": customer, "item": item} for customer, item in bought]
        produce(self.servers, self.orders, [(None, row) for row in rows])
        for customer, each in bought:
            self.items[customer].append(each)

    def answer(self) -> dict[int, tuple[int, int]]:
        return {customer: (len(items), len(set(items))) for customer, items in self.items.items()}

    def changes(self) -> dict[int, list[tuple[int, int]]]:
        """By customer, as those who read committed records see them."""
        seen: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for record in read_topic(self.servers, self.totals, isolation_level="read_committed"):
            row = record.json_value()
            seen[row["customer"]].append((row["n"], row["items"]))
        return seen

    def shown(self) -> dict[int, tuple[int, int]]:
        return {customer: changes[-1] for customer, changes in self.changes().items()}

    def written(self) -> int:
        """Records, also of transactions that are open or were aborted."""
        return len(read_topic(self.servers, self.totals, isolation_level="read_uncommitted"))

    def hold(self, after: int) -> None:
        (self.folder / f"hold-{after}").touch()

    def release(self, after: int) -> None:
        (self.folder / f"hold-{after}").unlink()

    def held(self, after: int, tasks: int) -> list[int]:
        """The Python processes of these tasks, once so many wait."""
        look = lambda: list(self.folder.glob(f"held-{after}-*"))  # noqa: E731
        files = eventually(look, lambda files: len(files) == tasks)
        return [int(file.name.rpartition("-")[2]) for file in files]

    def running(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        own = {"SPARK_HOME": str(spark_home(self.folder / "spark"))}
        return running_script(self.folder / "totals.sql", self.folder / "home", variables=own)


def spark_home(folder: Path) -> Path:
    """Spark as it is installed, but executors leave their logs and jars in this folder."""
    folder.mkdir()
    for part in ("bin", "jars", "python"):
        (folder / part).symlink_to(spark_jars_folder().parent / part)
    return folder


def executor_of(process: int) -> int:
    """The JVM above a Python process, which is no child of it but of the one that forks them."""
    while process > 1:
        answer = subprocess.check_output(
            ["ps", "-ww", "-o", "ppid=,args=", "-p", str(process)], text=True
        )
        parent, command = answer.strip().split(maxsplit=1)
        if "CoarseGrainedExecutorBackend" in command:
            return process
        process = int(parent)
    raise AssertionError("the task does not run in an executor")


def test_an_executor_that_dies_while_it_writes_repeats_and_loses_nothing(servers, topic, tmp_path):
    job = Totals(servers, topic("orders"), topic("totals"), tmp_path)
    job.buy(CUSTOMERS, item=1)
    with job.running() as process:
        eventually(job.shown, lambda shown: shown == job.answer())
        # While one batch waits, all rows of the next come.
        job.hold(after=0)
        job.buy(1, item=1)
        job.held(after=0, tasks=1)
        job.buy(CUSTOMERS, item=2)
        job.hold(after=HELD_AFTER)
        job.release(after=0)
        first, _ = job.held(after=HELD_AFTER, tasks=2)
        eventually(job.written, lambda count: count >= CUSTOMERS + 1 + 2 * WRITTEN_BY_EACH)
        os.kill(executor_of(first), signal.SIGKILL)
        job.release(after=HELD_AFTER)
        eventually(job.shown, lambda shown: shown == job.answer())
        job.buy(100, item=1)
        eventually(job.shown, lambda shown: shown == job.answer())
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    # Each change counts more rows than the one before it, so none came twice.
    assert all(changes == sorted(set(changes)) for changes in job.changes().values())
    committed = sum(map(len, job.changes().values()))
    assert job.written() >= committed + WRITTEN_BY_EACH
