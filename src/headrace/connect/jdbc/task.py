"""A task of the JDBC source: looks at its tables in turn, and writes what they tell as one job of Spark."""

from __future__ import annotations

import contextlib
import json
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from headrace.connect import application
from headrace.connect.clients import converters, kafka_options
from headrace.connect.errors import Reporter
from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.deletes import KeyCompare, tombstones
from headrace.connect.jdbc.faults import DatabaseFault, PassingDatabaseFault, retrying_queries
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.looks import Change, Looks
from headrace.connect.jdbc.pipeline import Pipelines
from headrace.connect.jdbc.positions import MARKS, Marks, Position
from headrace.connect.jdbc.states import States
from headrace.connect.jdbc.tables import Source
from headrace.connect.jdbc.topics import Topics
from headrace.connect.jdbc.transactions import Transactions, look
from headrace.connect.plugins import Offset, TaskContext
from headrace.connectors.kafka.login_modules import load_login_modules
from headrace.toolchain.jars import installed

logger = logging.getLogger("headrace.connect.jdbc")

# The option of a task that names its tables: JSON of [catalogue, schema, name] each.
TABLES = "tables"


def tables_option(tables: Sequence[TableId]) -> str:
    return json.dumps([[table.catalog, table.schema, table.name] for table in tables])


def tables_of(config: Mapping[str, str]) -> list[TableId]:
    return [TableId(*parts) for parts in json.loads(config.get(TABLES, "[]"))]


def marks_partition(source: Source) -> dict[str, str]:
    return {**source.partition, MARKS: "1"}


class SourceTask:
    def __init__(self, config: Mapping[str, str], context: TaskContext) -> None:
        self.config = config
        self.context = context
        session = application.session(context.worker, context.name)
        load_login_modules(session, kafka_options(context.worker, config, "producer"), installed)
        # Comparisons of keys shuffle; Spark's default of 200 partitions is for other machines than this.
        cores = session.sparkContext.defaultParallelism
        session.conf.set("spark.sql.shuffle.partitions", str(cores))
        self.link = Link(session, config, context.stopping)
        self.settings = self.link.settings
        whole = {**converters(context.worker, config), **config}
        reporter = Reporter.of(whole, context.name, context.number)
        self.policy = reporter.policy
        # Keys that were sent are noted by table.
        apart = self.settings.detects_deletes
        self.pipelines = Pipelines(session, config, context.worker, reporter, apart=apart)
        self.looks = Looks(self.link, self.pipelines)
        self.topics = Topics(config, context.worker)
        self.transactions: Transactions | None = None
        self.states = States(self.link, tables_of(config), self._stored)
        self.compared: dict[str, KeyCompare] = {}

    def run(self) -> None:
        self._cancel_when_stopped()
        try:
            interval = self.settings.values["poll.interval.ms"] / 1000
            while not self.context.stopping.is_set():
                begun = time.monotonic()
                self._retrying(self._poll)
                self._retrying(self._compare)
                self.context.stopping.wait(max(0.0, begun + interval - time.monotonic()))
        finally:
            self.link.close()
            # The application may have stopped before.
            with contextlib.suppress(Exception):
                self.pipelines.close()

    def _cancel_when_stopped(self) -> None:
        """A task is given seconds to end, and a snapshot may take minutes; what was not finished is read again. Interrupted,
        since records that wait for brokers would else arrive after those of the next task."""
        context, spark = self.context, self.link.session.sparkContext
        group = f"{context.name}-{context.number}-{id(self)}"
        spark.setJobGroup(group, f"connector {context.name}", True)

        def cancel() -> None:
            context.stopping.wait()
            # The application may have stopped before.
            with contextlib.suppress(Exception):
                spark.cancelJobGroup(group)

        threading.Thread(target=cancel, name=f"cancel-{group}", daemon=True).start()

    def _retrying(self, operation: Callable[[], None]) -> None:
        """From the start: rows that were not sent are not kept, and are read again."""
        attempts, stopping = self.settings.values["query.retry.attempts"], self.context.stopping
        retrying_queries(lambda: self.policy.retrying(operation, stopping), attempts, stopping)

    def _comparisons(self) -> dict[str, KeyCompare]:
        root = application.state_folder(self.context.worker, self.context.name)
        interval = self.settings.values["headrace.delete.detection.interval.ms"]
        found = [state.source for state in self.states.current]
        return {source.name: KeyCompare.of(source, root, interval) for source in found}

    def _stored(self, source: Source) -> tuple[Position | None, Marks | None]:
        stored = self.context.read_offset(source.partition)
        if stored is None:
            stored = self.context.read_offset(source.old_partition)
        return Position.of_offset(stored) if stored else None, self._marks(source)

    def _marks(self, source: Source) -> Marks | None:
        if not self.link.lossless:
            return None
        return Marks.of_json(self.context.read_offset(marks_partition(source)))

    def _poll(self) -> None:
        """Until the columns stay as they are while the rows are read."""
        while not self.context.stopping.is_set():
            try:
                if self._polled():
                    return
            except PassingDatabaseFault:
                raise
            except DatabaseFault as fault:
                if not (fault.state and self._columns_changed()):
                    raise
            # Statements that the connection has prepared are of the columns before.
            self.link.close()

    def _columns_changed(self) -> bool:
        with self.link.transaction() as database:
            return self.states.is_another(database)

    def _polled(self) -> bool:
        """False where the columns have changed, and nothing was read."""
        if self.link.lossless and not self.settings.is_bulk:
            with self.link.transaction() as database:
                self.transactions = look(database, self.transactions)
        with self.link.transaction() as database:
            begun = self.states.begun
            if self.states.refresh(database):
                self.compared = self._comparisons() if self.settings.detects_deletes else {}
                if begun:
                    return False
            self.pipelines.clear()
            moments = self.looks.moments(database, self.transactions)
            changes = [self.looks.look(database, state, moments) for state in self.states.current]
            self._send(changes)
        for change in changes:
            change.state.marks = change.marks
            change.state.position = change.position
        return True

    def _compare(self) -> None:
        """After the rows of a poll, so that a key that came back is told after its tombstone."""
        for comparison in self.compared.values():
            if comparison.due > time.monotonic() or self.context.stopping.is_set():
                continue
            with self.link.told("comparing keys"):
                gone = comparison.compare(self.link, self.pipelines)
            if gone is not None:
                frames = tombstones(self.pipelines, comparison.source, gone)
                self.topics.ensure([comparison.source.topic])
                self.pipelines.send_frames(frames)
            comparison.finish()

    def _send(self, changes: Sequence[Change]) -> None:
        """Rows first, offsets when the brokers have them."""
        given = [change for change in changes if change.pipeline is not None]
        if not given or self.context.stopping.is_set():
            return
        pipelines = [change.pipeline for change in given if change.pipeline is not None]
        self.context.used_topics(self.topics.ensure(self.pipelines.topics(pipelines)))
        if self.context.stopping.is_set():
            # Brokers may have been away meanwhile, and another task be at work.
            return
        for pipeline in pipelines:
            if self.compared:
                self.compared[pipeline.source.name].note(pipeline)
        self.pipelines.send(pipelines)
        offsets = [offset for change in given for offset in _offsets(change)]
        if offsets:
            self.context.write_offsets(offsets)


def _offsets(change: Change) -> list[tuple[Offset, Offset]]:
    source = change.state.source
    if change.position is None:
        return []
    written: list[tuple[Offset, Offset]] = [(source.partition, change.position.offset())]
    if change.marks is not None:
        written.append((marks_partition(source), change.marks.to_json()))
    return written
