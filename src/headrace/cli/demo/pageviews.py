"""Page views per region: from a topic of JSON to a topic of Avro that equals a GROUP BY, proved at the end."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.cli.demo.screen import Moment, Screen, print_sql, terminal
from headrace.cli.demo.topics import (
    INPUT_TOPIC,
    OUTPUT_TOPIC,
    Producer,
    ResultReader,
    create_topics,
)
from headrace.cli.demo.views import RegionCount, by_region, count_per_region, page_views
from headrace.cli.output import Output
from headrace.cli.progress import SetupBars
from headrace.cli.scripts import quiet_libraries
from headrace.plan.explain import explain_text
from headrace.runtime.environment import TableEnvironment
from headrace.runtime.interrupts import Interrupts
from headrace.runtime.jobs import Job
from headrace.runtime.results import Row, TableResult
from headrace.runtime.script import ScriptRunner
from headrace.services.kafka import KafkaService
from headrace.sql.dialect import parse_script, parse_statement
from headrace.sql.statements import Statement
from headrace.toolchain.coordinates import BROKER_SET, SPARK_SET
from headrace.toolchain.jars import fetch
from headrace.toolchain.operators import operator_jar, sets_to_compile
from headrace.toolchain.progress import silent

if TYPE_CHECKING:
    from rich.console import RenderableType

TABLES = f"""\
CREATE TABLE pageviews (
  user_id BIGINT,
  page_id BIGINT,
  viewtime TIMESTAMP(3),
  user_region STRING,
  WATERMARK FOR viewtime AS viewtime - INTERVAL '2' SECOND
) WITH (
  'connector' = 'kafka',
  'topic' = '{INPUT_TOPIC}',
  'properties.bootstrap.servers' = '%(servers)s',
  'scan.startup.mode' = 'earliest-offset',
  'format' = 'json'
);

CREATE TABLE pageviews_per_region (
  user_region STRING,
  pv BIGINT,
  uv BIGINT,
  PRIMARY KEY (user_region) NOT ENFORCED
) WITH (
  'connector' = 'upsert-kafka',
  'topic' = '{OUTPUT_TOPIC}',
  'properties.bootstrap.servers' = '%(servers)s',
  'key.format' = 'avro',
  'value.format' = 'avro'
);
"""

QUERY = """\
INSERT INTO pageviews_per_region
SELECT user_region, COUNT(*), COUNT(DISTINCT user_id)
FROM pageviews
GROUP BY user_region;
"""

# Read to the end of the topic as it is now, by key: the table that all its changes make.
READ_BACK = """\
SELECT user_region, pv, uv
FROM pageviews_per_region /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */
"""

NEXT = """\
Next: headrace dev up kafka, then headrace sql to type queries of your own, or headrace run pipeline.sql."""

LAST_LOOK_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the topic holds beside what it should hold, both sorted by region."""

    rows: Sequence[RegionCount]
    expected: Sequence[RegionCount]

    @property
    def equal(self) -> bool:
        return list(self.rows) == list(self.expected)

    def facts(self) -> dict[str, object]:
        return {
            "rows": [row.to_dict() for row in self.rows],
            "expected": [row.to_dict() for row in self.expected],
            "equal": self.equal,
        }

    def text(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in ("user_region", "pv", "uv", "pv counted in Python", "uv counted in Python", ""):
            table.add_column(name, justify="left" if name in ("user_region", "") else "right")
        for region, found, wanted in by_region(self.rows, self.expected):
            table.add_row(
                region, *_cells(found), *_cells(wanted), "" if found == wanted else "differs"
            )
        return Group(table, Text(""), Text(self._sentence()), Text(NEXT))

    def _sentence(self) -> str:
        if self.equal:
            total = sum(row.pv for row in self.expected)
            return (
                f"equal: the topic contains the query's exact answer over all {total:,} page views"
            )
        return "different: the topic does not contain the query's answer"


def _cells(row: RegionCount | None) -> tuple[str, str]:
    return ("–", "–") if row is None else (f"{row.pv:,}", f"{row.uv:,}")


def run_demo(output: Output, rows: int, seconds: float) -> Verdict:
    with quiet_libraries(output), Interrupts() as interrupts, ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="headrace-demo-")))
        with output.progress() as progress:
            fetch((BROKER_SET.name, SPARK_SET.name, *sets_to_compile()), progress)
            operator_jar(progress)
        servers = stack.enter_context(broker(output, folder / "kafka"))
        create_topics(servers)
        demo = Demo(output, servers, rows, seconds, folder / "jobs", interrupts)
        stack.callback(demo.close)
        demo.present()
        counts = demo.run()
    return Verdict(counts, count_per_region(page_views(rows)))


@contextmanager
def broker(output: Output, folder: Path) -> Iterator[str]:
    service = KafkaService(folder)
    service.owned = True
    with output.progress() as progress:
        service.start(progress)
    try:
        yield service.bootstrap_servers
    finally:
        service.stop()


class Demo:
    """The pipeline, its input and its picture. It observes its own job."""

    def __init__(
        self,
        output: Output,
        servers: str,
        rows: int,
        seconds: float,
        jobs: Path,
        interrupts: Interrupts,
    ) -> None:
        self._output = output
        self._rows = rows
        self._servers = servers
        self._producer = Producer(servers, page_views(rows), rows, seconds)
        self._reader = ResultReader(servers)
        self._screen = Screen(terminal(), output.note)
        self._setup = SetupBars()
        self._job: Job | None = None
        self._environment = TableEnvironment(
            {"execution.checkpointing.dir": str(jobs)},
            progress=silent if output.is_json else self._setup,
        )
        self._runner = ScriptRunner(self._environment, self, interrupts)
        for statement in parse_script(TABLES % {"servers": servers}):
            self._environment.define(statement)

    def present(self) -> None:
        """What is going to run."""
        if self._output.is_json:
            return
        print_sql(TABLES % {"servers": self._servers} + "\n" + QUERY)
        for plan in self._environment.plans(parse_statement(QUERY)):
            self._output.note(explain_text(plan) + "\n")

    def run(self) -> list[RegionCount]:
        """The result topic's table, after every page view was counted."""
        self._output.note("starting Spark …")
        self._go(parse_statement(QUERY))
        self._producer.start()
        if not self._runner.supervise(self._all_counted):
            raise KeyboardInterrupt
        self._runner.stop_all()
        self._last_picture()
        self._output.note("\nreading the topic back …")
        result = self._environment.execute_sql(READ_BACK)
        self._runner.attend(result)
        if not self._runner.until_ended(result):
            raise KeyboardInterrupt
        return sorted(RegionCount(*row) for row in result.collect())

    def _last_picture(self) -> None:
        """With the last changes, which the client fetches in the background."""
        self._reader.read(LAST_LOOK_SECONDS)
        if not self._output.is_json:
            self._screen.show(self._moment(), at_once=True)
        self._screen.close()

    def _go(self, statement: Statement) -> None:
        if not self._runner.execute(statement):
            raise KeyboardInterrupt

    def _all_counted(self) -> bool:
        """A batch is reported once its results are in the topic."""
        self._producer.check()
        if self._counted() > 0:
            self._producer.keep_pace()
        return self._producer.done and self._counted() >= self._producer.sent

    def _counted(self) -> int:
        progress = self._job.progress() if self._job else None
        return progress.rows if progress else 0

    def close(self) -> None:
        self._setup.close()
        self._producer.halt()
        self._runner.stop_all()
        self._screen.close()
        self._reader.close()

    def statement_done(self, statement: Statement, result: TableResult) -> None:
        """Definitions were shown before they were made."""

    def job_starting(self, statement: Statement) -> None:
        """Said before."""

    def job_started(self, job: Job, result: TableResult) -> None:
        if not result.is_query:
            self._job = job

    def progress(self, jobs: Sequence[Job]) -> None:
        if self._output.is_json or self._job not in jobs:
            return
        self._reader.read()
        self._screen.show(self._moment())

    def _moment(self) -> Moment:
        table = list(self._reader.table.values())
        changes = self._reader.changes
        return Moment(self._producer.sent, self._rows, self._counted(), changes, table)

    def job_ended(self, job: Job, result: TableResult) -> None:
        """The end of the job is the end of the picture."""

    def final_rows(self, result: TableResult) -> None:
        """The rows are taken when the verdict is made."""

    def changes(self, result: TableResult, rows: Sequence[Row]) -> None:
        """The only query is bounded."""
