"""Starting a plan: compiled to DataFrames, given its sink's writer, run as one streaming query with its own folder."""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.catalog.connector import Changes
from headrace.errors import HeadraceError
from headrace.plan.infer_clustering import clustered_by
from headrace.plan.nodes import Sink
from headrace.plan.plan import Plan
from headrace.runtime.checkpoints import JobFolder, job_id
from headrace.runtime.config import Config
from headrace.runtime.faults import translate
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.results import ChangeStream
from headrace.runtime.session import apply_job_settings
from headrace.spark.compile import Compiler
from headrace.toolchain.paths import home_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Launcher:
    def __init__(self, spark: SparkSession, config: Config, *, fresh: bool) -> None:
        self.spark = spark
        self.config = config
        self.fresh = fresh
        self._jobs: list[Job] = []

    def insert(self, plan: Plan, write_line: Callable[[str, bool], None]) -> Job:
        sink = plan.sink
        assert isinstance(sink, Sink)
        name = self.config.get("pipeline.name") or f"insert-into_{sink.table.identifier}"
        df = self._compile(plan)
        writer = self._writer(plan, sink)
        on_poll = _console_poll(sink, writer, write_line)
        if not plan.has_stream:
            self._run_once(df, writer)
            on_poll()
            return Job(name, bounded=True)
        folder = JobFolder(
            self._jobs_folder() / self._unique(job_id(name, plan, self._topics(plan)))
        )
        keyed = sink.table.connector.sink_mode(sink.table).is_upsert
        resumed = folder.open(fresh=self.fresh, continues=keyed, description={"name": name})
        try:
            query = self._start(
                df._jdf.writeStream().foreachBatch(writer), plan, name, folder.checkpoint
            )
        except HeadraceError:
            folder.record(JobState.FAILED)
            folder.close()
            raise
        job = Job(
            name,
            bounded=plan.is_bounded,
            query=query,
            folder=folder,
            resumed=resumed,
            on_poll=on_poll,
        )
        self._jobs.append(job)
        return job

    def select(self, plan: Plan, checkpoint: Path) -> tuple[Job, ChangeStream]:
        names = plan.sink.names
        key = plan.root.traits.key
        changes = ChangeStream(
            names, tuple(names.index(n) for n in key) if key is not None else None
        )
        df = self._compile(plan)
        live = not plan.is_bounded
        if not plan.has_stream:
            changes.add_batch(_rows(df), live=live)
            return Job("select", bounded=True), changes
        writer = df.writeStream.foreachBatch(
            lambda batch, _: changes.add_batch(_rows(batch), live=live)
        )
        query = self._start(writer._jwrite, plan, "select", checkpoint)
        job = Job("select", bounded=plan.is_bounded, query=query)
        job.on_end(lambda: shutil.rmtree(checkpoint.parent, ignore_errors=True))
        return job, changes

    def _compile(self, plan: Plan) -> DataFrame:
        apply_job_settings(
            self.spark,
            parallelism=self.config.get("parallelism.default"),
            time_zone=self.config.get("table.local-time-zone"),
        )
        return Compiler(self.spark).compile(plan)

    def _writer(self, plan: Plan, sink: Sink) -> Any:
        (child,) = plan.root.inputs
        return sink.table.connector.writer(
            self.spark,
            sink.table,
            sink.names,
            key=child.traits.key or (),
            changes=_layout(plan, sink),
        )

    def _start(self, writer: Any, plan: Plan, name: str, checkpoint: Path) -> Any:
        trigger = self.spark._jvm.org.apache.spark.sql.streaming.Trigger  # type: ignore[union-attr]
        interval: timedelta = self.config.get("execution.checkpointing.interval")
        millis = int(interval.total_seconds() * 1000)
        when = trigger.AvailableNow() if plan.is_bounded else trigger.ProcessingTime(millis)
        try:
            return (
                writer.outputMode("append")
                .option("checkpointLocation", checkpoint.as_uri())
                .trigger(when)
                .queryName(f"{name}#{checkpoint.parent.name}")
                .start()
            )
        except Exception as error:
            raise translate(error) from error

    def _run_once(self, df: DataFrame, writer: Any) -> None:
        try:
            writer.call(df._jdf, 0)
        except Exception as error:
            raise translate(error) from error

    def _jobs_folder(self) -> Path:
        named = self.config.get("execution.checkpointing.dir")
        return Path(named.removeprefix("file://")).absolute() if named else home_folder("jobs")

    def _unique(self, identity: str) -> str:
        """The same INSERT while it still runs is another job; after it ended it is the same one again."""
        taken = {job.id for job in self._jobs if job.state is JobState.RUNNING}
        names = itertools.chain([identity], (f"{identity}-{n}" for n in itertools.count(2)))
        return next(name for name in names if name not in taken)

    def _topics(self, plan: Plan) -> Mapping[str, str]:
        """What the tables are by nature (a topic's id), so that a topic made anew is another one."""
        identities: dict[str, str] = {}
        sink = plan.sink
        assert isinstance(sink, Sink)
        for table in (*(scan.table for scan in plan.scans), sink.table):
            identities |= table.connector.identity(self.spark, table)
        return identities


def _layout(plan: Plan, sink: Sink) -> Changes:
    """How the changes of one key of the sink lie in a batch, by what the operators below it do."""
    (child,) = plan.root.inputs
    if not child.traits.mode.is_retract:
        return Changes.SINGLE
    clustered = clustered_by(child.node)
    if clustered is not None and clustered <= frozenset(sink.table.primary_key):
        return Changes.CONTIGUOUS
    return Changes.SCATTERED


def _rows(df: DataFrame) -> list[tuple[Any, ...]]:
    try:
        return [tuple(row) for row in df.collect()]
    except Exception as error:
        raise translate(error) from error


def _console_poll(
    sink: Sink, writer: Any, write_line: Callable[[str, bool], None]
) -> Callable[[], None]:
    """Lines a sink wants printed by this process (`print`), handed over whenever the job is looked at."""
    console = getattr(sink.table.connector, "console", None)
    if console is None:
        return lambda: None

    def poll() -> None:
        for line, to_error in console(sink.table, writer):
            write_line(line, to_error)

    return poll
