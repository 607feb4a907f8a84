"""The walk: tables to topics to objects, changes on top, and everything compared at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from headrace.cli.demo.pagila import connectors, sightings
from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.database import KEYS, Row
from headrace.cli.demo.pagila.example_files import LOG_SOURCE, PAIRS, config, sql, statements
from headrace.cli.demo.pagila.lake import Lake, open_lake
from headrace.cli.demo.pagila.places import (
    ID,
    KEYED,
    LOG,
    PLAIN,
    QUERY,
    SINKS,
    WRITERS,
    Source,
    object_checks,
    prefix,
    topic_checks,
)
from headrace.cli.demo.pagila.report import Report, Topic
from headrace.cli.demo.pagila.stage import Stage, stage
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.demo.pagila.topics import Message, replayed
from headrace.cli.demo.screen import print_sql
from headrace.cli.output import Output
from headrace.cli.scripts import quiet_libraries
from headrace.runtime.interrupts import Interrupts

CONNECTORS = (*PAIRS, LOG_SOURCE)


def run_demo(output: Output) -> Report:
    with quiet_libraries(output), Interrupts(), ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headrace-demo-")))
        with stage(output, folder) as services:
            steps = Steps(output)
            stack.callback(steps.close)
            walk = Walk(output, services, steps)
            walk.load()
            walk.change()
            found = walk.collect(folder / "lake")
        # After the worker's own Spark: two at once would crowd a small machine.
        steps.note("asking the Parquet objects with Spark")
        return found.report(open_lake(folder / "lake"), steps.seconds())


class Walk:
    def __init__(self, output: Output, services: Stage, steps: Steps) -> None:
        self._output = output
        self._services = services
        self._steps = steps

    def load(self) -> None:
        """All rows there are, to the topics and on to the bucket."""
        client = self._services.client
        for name in CONNECTORS:
            self._steps.until(
                f"PUT {client.url}/connectors/{name}/config", partial(self._refused, name)
            )
        self._steps.until(f"{len(CONNECTORS)} connectors run", self._starting)
        self._steps.until("all rows are in the topics", self._unsent)
        self._steps.until("all records are in the bucket", self._unwritten)

    def change(self) -> None:
        if not self._output.is_json:
            print_sql(sql("changes"))
        self._services.database.change()
        self._steps.note(f"{len(statements('changes'))} statements changed the tables")
        self._steps.until("all changes are in the topics", self._unlike)
        self._steps.until("all changed rows are in the bucket", self._unwritten)

    def collect(self, folder: Path) -> Found:
        """Everything that goes with the services; Parquet as files."""
        bucket = self._services.bucket
        bucket.download(prefix(QUERY), folder)
        return Found(
            self._source(),
            self._messages(),
            {topic: bucket.json_rows(prefix(topic)) for topic in (*PLAIN.values(), KEYED)},
            bucket.name,
            bucket.objects(),
        )

    def _source(self) -> Source:
        database = self._services.database
        return Source({table: database.table(table) for table in KEYS}, database.joined())

    def _messages(self) -> dict[str, list[Message]]:
        return {topic: self._services.topics.read(topic) for topic in WRITERS}

    def _refused(self, name: str) -> str:
        taken = connectors.accepted(self._services.client, name, config(name))
        return "" if taken else "the worker does not lead its group yet"

    def _starting(self) -> str:
        return ", ".join(connectors.waiting_for(self._services.client, CONNECTORS))

    def _unsent(self) -> str:
        """By count, which is cheap: nothing changes while the tables are read for the first time."""
        self._starting()
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
        self._starting()
        ends = self._services.topics.ends(WRITERS)
        client = self._services.client
        left = {
            sink: connectors.unwritten(client, sink, {topic: ends[topic] for topic in topics})
            for sink, topics in SINKS.items()
        }
        return ", ".join(f"{sink} has {count:,} to write" for sink, count in left.items() if count)

    def _unlike(self) -> str:
        """Topics whose last rows are not those of the database yet."""
        self._starting()
        checks = topic_checks(self._source(), self._messages())
        return ", ".join(check.place for check in checks if not check.equal)


@dataclass(frozen=True, slots=True)
class Found:
    """What there was to see, and the tables it must equal."""

    source: Source
    messages: Mapping[str, list[Message]]
    json_rows: Mapping[str, list[Row]]
    bucket: str
    objects: Sequence[Object]

    def report(self, table: Lake, seconds: float) -> Report:
        deleted = replayed(self.messages[LOG], ID)[1]
        rows = {**self.json_rows, QUERY: table.rows()}
        return Report(
            [Topic(name, by, len(self.messages[name])) for name, by in WRITERS.items()],
            self.bucket,
            self.objects,
            table.query(sql("history")),
            table.query(sql("latest")),
            sightings.by_query(self.messages[PLAIN["address"]], ID),
            sightings.by_log(self.messages[LOG], ID),
            [
                *topic_checks(self.source, self.messages),
                *object_checks(self.source, rows, deleted),
            ],
            seconds,
        )
