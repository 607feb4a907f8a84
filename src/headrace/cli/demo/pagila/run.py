"""The course of the demo: load tables into topics and objects, change rows, and compare every place at the end."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.cli.demo.pagila import connectors
from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.changed_rows import ChangedValue, Places, changed_values, versions
from headrace.cli.demo.pagila.database import KEYS, Row
from headrace.cli.demo.pagila.districts import (
    TOPIC,
    ChangedCount,
    DistrictQuery,
    changed_counts,
    counted,
    table_of,
)
from headrace.cli.demo.pagila.example_files import LOG_SOURCE, PAIRS, config, statements
from headrace.cli.demo.pagila.flow import Flow
from headrace.cli.demo.pagila.lake import begin_spark, lake_rows
from headrace.cli.demo.pagila.places import (
    ID,
    KEYED,
    LOG,
    PLAIN,
    QUERY,
    RENAMED,
    SINKS,
    WRITERS,
    Source,
    newest,
    object_checks,
    prefix,
    topic_checks,
)
from headrace.cli.demo.pagila.report import Report
from headrace.cli.demo.pagila.stage import Stage, stage
from headrace.cli.demo.pagila.steps import POLL_SECONDS, Steps
from headrace.cli.demo.pagila.topics import Message, latest, replayed
from headrace.cli.demo.pagila.verdict import Check, compare
from headrace.cli.output import Output
from headrace.cli.scripts import quiet_libraries
from headrace.connect.jar_sets import WORKER_SETS
from headrace.runtime.interrupts import Interrupts
from headrace.toolchain.coordinates import BROKER_SET
from headrace.toolchain.jars import fetch
from headrace.toolchain.operators import operator_jar, sets_to_compile

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONNECTORS = (LOG_SOURCE, *PAIRS)
TOPICS = (*WRITERS, TOPIC)
# Minutes, as in the configurations of the example, would be most of the demo's time.
ROTATION_MS = 5_000
# Of a deleted address this column shows where the row still is.
SHOWN_OF_DELETED = "address"


def run_demo(output: Output) -> Report:
    with quiet_libraries(output), Interrupts(), ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headrace-demo-")))
        with output.progress() as progress:
            fetch((BROKER_SET.name, *WORKER_SETS, *sets_to_compile()), progress)
            operator_jar(progress)
        steps = Steps(output, ROTATION_MS / 1000)
        running = stack.enter_context(ExitStack())
        services = running.enter_context(stage(output, folder))
        stack.callback(steps.close)
        query = DistrictQuery(services.servers, folder / "jobs")
        running.callback(query.stop)
        walk = Walk(services, steps, query)
        walk.load()
        walk.change()
        found = walk.collect(folder / "lake")
        steps.note("reading the Parquet objects with Spark, and stopping the services")
        with ThreadPoolExecutor(1) as aside:
            stopped = aside.submit(running.close)
            report = found.report(lake_rows(walk.spark, folder / "lake"), steps)
            stopped.result()
        return report


class Walk:
    # Of the query; it reads the Parquet objects as well.
    spark: SparkSession

    def __init__(self, services: Stage, steps: Steps, query: DistrictQuery) -> None:
        self._services = services
        self._steps = steps
        self._query = query
        self._before = Source({}, {})

    def load(self) -> None:
        """Applies the connectors, starts the query, and waits until every row is in the topics and in the bucket."""
        # First, and in a thread: it starts the Java worker, which takes as long as all the others together.
        debezium = in_background(partial(self._apply_when_possible, LOG_SOURCE))
        self._steps.note(
            f"creating {len(CONNECTORS)} connectors at {self._services.client.url}; "
            f"sinks rotate files every {ROTATION_MS // 1000} s"
        )
        self._until(
            f"the worker accepted {len(PAIRS)} connectors", partial(self._unapplied, list(PAIRS))
        )
        self._until("all connectors are running", partial(self._starting, debezium))
        # Not before: it would take the cores from the Java worker, for which everything waits.
        session = begin_spark()
        self._until("all rows are in the topics", self._unsent)
        self._steps.sql(f"{self._query.text};")
        self.spark = session()
        self._query.start()
        self._until("the query has counted all addresses", self._uncounted)
        self._until("all records are in the bucket", self._unwritten)

    def change(self) -> None:
        """Runs the changes, and waits until they are in the topics and in the bucket."""
        self._before = self._source()
        self._steps.sql("\n".join(f"{statement};" for statement in statements("changes")))
        self._services.database.change()
        self._steps.note(f"{len(statements('changes'))} statements changed the tables")
        self._until("all changes are in the topics", self._unequal)
        self._until("the query has corrected its counts", self._uncounted)
        self._until("all changes are in the bucket", self._unwritten)

    def collect(self, folder: Path) -> Found:
        """Reads everything that is gone when the services stop; Parquet objects become files."""
        bucket = self._services.bucket
        # Nothing is left to do for it, and its end takes seconds; the stage waits for it.
        in_background(self._services.worker.stop)
        bucket.download(prefix(QUERY), folder)
        return Found(
            self._before,
            self._source(),
            self._messages(),
            {topic: bucket.json_rows(prefix(topic)) for topic in (*PLAIN.values(), KEYED)},
            bucket.name,
            bucket.objects(),
        )

    def _apply(self, name: str) -> bool:
        return connectors.accepted(self._services.client, name, demo_config(name))

    def _apply_when_possible(self, name: str) -> None:
        while not self._apply(name):
            time.sleep(POLL_SECONDS)

    def _unapplied(self, left: list[str]) -> str:
        while left and self._apply(left[0]):
            del left[0]
        return ", ".join(left)

    def _until(self, goal: str, missing: Callable[[], str]) -> None:
        self._steps.until(goal, missing, self._measured)

    def _measured(self) -> Flow:
        """The flow of this moment."""
        keys = [entry.key for entry in self._services.bucket.objects()]
        return Flow(
            self._services.topics.ends(TOPICS),
            self._written(),
            {
                sink: sum(key.startswith(tuple(map(prefix, topics))) for key in keys)
                for sink, topics in SINKS.items()
            },
        )

    def _written(self) -> dict[str, int]:
        return {sink: connectors.written(self._services.client, sink) for sink in SINKS}

    def _source(self) -> Source:
        database = self._services.database
        return Source({table: database.table(table) for table in KEYS}, database.joined())

    def _messages(self) -> dict[str, list[Message]]:
        return self._services.topics.read(TOPICS)

    def _starting(self, debezium: Future[None]) -> str:
        if debezium.done():
            debezium.result()
            return ", ".join(connectors.not_running(self._services.client, CONNECTORS))
        left = connectors.not_running(self._services.client, PAIRS)
        return ", ".join([*left, f"{LOG_SOURCE} (its Java worker is starting)"])

    def _fail_with_connectors(self) -> None:
        connectors.not_running(self._services.client, CONNECTORS)

    def _unsent(self) -> str:
        """By count, which is cheap: nothing changes while the tables are read for the first time."""
        self._fail_with_connectors()
        source = self._source()
        wanted = {topic: len(rows) for topic, rows in source.sent().items()}
        wanted[LOG] = len(source.tables["address"])
        ends = self._services.topics.ends(wanted)
        return ", ".join(
            f"{topic} {ends[topic]:,} of {count:,}"
            for topic, count in wanted.items()
            if ends[topic] < count
        )

    def _unwritten(self) -> str:
        self._fail_with_connectors()
        left = Flow(self._services.topics.ends(WRITERS), self._written()).unwritten()
        return ", ".join(f"{sink}: {count:,} records left" for sink, count in left.items())

    def _unequal(self) -> str:
        """Topics whose newest rows are not those of the database yet."""
        self._fail_with_connectors()
        checks = topic_checks(self._source(), self._messages())
        return ", ".join(check.place for check in checks if not check.equal)

    def _uncounted(self) -> str:
        """The topic of counts, until it contains those of the database."""
        self._query.require_running()
        check = count_check(self._source(), self._services.topics.read([TOPIC]))
        return "" if check.equal else check.place


def in_background(action: Callable[[], object]) -> Future[None]:
    """Runs it in a thread that an interrupted demo does not wait for."""
    future: Future[None] = Future()

    def run() -> None:
        try:
            action()
            future.set_result(None)
        except Exception as error:
            future.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return future


def count_check(source: Source, messages: Mapping[str, list[Message]]) -> Check:
    return compare(f"topic {TOPIC}", table_of(messages[TOPIC]), counted(source.tables["address"]))


def demo_config(name: str) -> dict[str, Any]:
    """The example's configuration; only the time between rotations is the demo's."""
    given = config(name)
    return {**given, "rotate.schedule.interval.ms": ROTATION_MS} if name in SINKS else given


@dataclass(frozen=True, slots=True)
class Found:
    """The contents of every place, and the tables that they must equal."""

    before: Source
    source: Source
    messages: Mapping[str, list[Message]]
    json_rows: Mapping[str, list[Row]]
    bucket: str
    objects: Sequence[Object]

    def report(self, lake: list[Row], steps: Steps) -> Report:
        deleted = replayed(self.messages[LOG], ID)[1]
        checks = [
            *topic_checks(self.source, self.messages),
            count_check(self.source, self.messages),
            *object_checks(self.source, {**self.json_rows, QUERY: lake}, deleted),
        ]
        return Report(
            {name: len(self.messages[name]) for name in TOPICS},
            self.bucket,
            self.objects,
            self.changed(lake),
            self.counts(),
            checks,
            steps.seconds(),
        )

    def changed(self, lake: list[Row]) -> list[ChangedValue]:
        places = Places(
            self.before.joined,
            self.source.joined,
            latest(self.messages[QUERY], ID),
            versions(self.messages[LOG], ID),
            newest(lake, ID),
            RENAMED,
        )
        return changed_values(places, SHOWN_OF_DELETED)

    def counts(self) -> list[ChangedCount]:
        return changed_counts(
            counted(self.before.tables["address"]),
            counted(self.source.tables["address"]),
            table_of(self.messages[TOPIC]),
        )
