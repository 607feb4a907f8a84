"""Starting plans: compiled to DataFrames, given their sinks' writers, run as one streaming query with its own folder."""

from __future__ import annotations

import itertools
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.catalog.connector import Changes, PacedSink, RemarkingSink, TransactionalSink
from headrace.catalog.table import Table
from headrace.errors import HeadraceError
from headrace.plan.infer_clustering import clustered_by
from headrace.plan.nodes import Sink
from headrace.plan.plan import Plan
from headrace.plan.state_signature import state_signature
from headrace.runtime import real_time
from headrace.runtime.checkpoints import JobFolder, job_id, named_job_id, plan_digest
from headrace.runtime.config import Config
from headrace.runtime.faults import translate
from headrace.runtime.jobs import Job, JobState
from headrace.runtime.results import ChangeStream
from headrace.runtime.session import apply_job_settings
from headrace.runtime.takeover import Branch, Identity, Takeover, notices
from headrace.spark.compile import Compiler
from headrace.toolchain.paths import home_folder

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WriteLine = Callable[[str, bool], None]

CHANGED = (
    "job '{name}' goes on with its state under a changed query: rows written before stay as they are until they "
    "change; --fresh writes all of them anew"
)


# Its own number: a sink that counts batches must not take the first one for done.
BEFORE_FIRST_BATCH = -1


class Launcher:
    def __init__(self, spark: SparkSession, config: Config, *, fresh: bool) -> None:
        self.spark = spark
        self.config = config
        self.fresh = fresh
        self._jobs: list[tuple[str, Job]] = []
        self._sinks: list[tuple[Identity, Job]] = []

    def insert(self, plans: Sequence[Plan], write_line: WriteLine) -> list[Job]:
        """One job for all that read a stream, so that a source is read once; rows of constants are written at once."""
        jobs = [self._write_constants(plan, write_line) for plan in plans if not plan.has_stream]
        streams = [plan for plan in plans if plan.has_stream]
        return [*jobs, self._start_job(streams, write_line)] if streams else jobs

    def _write_constants(self, plan: Plan, write_line: WriteLine) -> Job:
        (branch,) = self._branches([plan])
        with tempfile.TemporaryDirectory(prefix="headrace-insert-") as folder:
            begin_transactions([branch], Path(folder))
            self._run_once(branch.rows, branch.writer)
        self._poll([branch], write_line)()
        job = Job(self._name([plan]), bounded=True)
        self._sinks.append((branch.identity, job))
        return job

    def _start_job(self, plans: Sequence[Plan], write_line: WriteLine) -> Job:
        name = self._name(plans)
        branches = self._branches(plans)
        for remark in remarks(branches):
            self.config.notify(remark)
        folder, resumed = self._open(name, branches)
        try:
            query = self._start_query(branches, name, folder)
        except HeadraceError:
            folder.record(JobState.FAILED)
            folder.close()
            raise
        job = Job(
            name,
            bounded=all(plan.is_bounded for plan in plans),
            query=query,
            folder=folder,
            resumed=resumed,
            on_poll=self._poll(branches, write_line),
        )
        self._jobs.append((plan_digest(plans), job))
        self._sinks += [(branch.identity, job) for branch in branches]
        return job

    def _start_query(self, branches: Sequence[Branch], name: str, folder: JobFolder) -> Any:
        plans = [branch.plan for branch in branches]
        if self.config.get(real_time.MODE) == real_time.REAL_TIME:
            writer = real_time.stream_writer(self.spark, branches).outputMode("update")
            when = self._trigger().RealTime(real_time.period(self._interval()))
            return self._run(writer, when, name, folder.checkpoint)
        begin_transactions(branches, folder.path)
        self._takeover(folder).prepare(branches, folder)
        return self._start(self._stream_writer(branches), plans, name, folder.checkpoint)

    def _name(self, plans: Sequence[Plan]) -> str:
        given: str | None = self.config.get("pipeline.name")
        return given or ",".join(f"insert-into_{_sink(plan).table.identifier}" for plan in plans)

    def _branches(self, plans: Sequence[Plan]) -> list[Branch]:
        frames = self._compile(plans)
        return [
            Branch(plan, frame, self._writer(plan), self._identity(_sink(plan).table))
            for plan, frame in zip(plans, frames, strict=True)
        ]

    def _open(self, name: str, branches: Sequence[Branch]) -> tuple[JobFolder, bool]:
        plans = [branch.plan for branch in branches]
        sources = self._sources(plans)
        sinks = {key: text for branch in branches for key, text in branch.identity.items()}
        digest = plan_digest(plans)
        identity = (
            named_job_id(name, plans, sinks)
            if self.config.get("pipeline.name")
            else job_id(name, plans, sources | sinks)
        )
        folder = JobFolder(self._jobs_folder() / self._unique(identity, digest))
        before = folder.facts().get("plan")
        resumed = folder.open(
            fresh=self.fresh,
            continues=all(_is_keyed(branch.sink) for branch in branches),
            description={
                "name": name,
                "plan": digest,
                "signature": state_signature(plans, sources),
                "sinks": [dict(branch.identity) for branch in branches],
            },
        )
        if resumed and before not in (None, digest):
            self.config.notify(CHANGED.format(name=name))
        return folder, resumed

    def _takeover(self, folder: JobFolder) -> Takeover:
        live = (JobState.RUNNING, JobState.FINISHED)
        others = [s for s, job in self._sinks if job.id != folder.name and job.state in live]
        return Takeover(self.spark, others, self._write_nothing)

    def _write_nothing(self, branch: Branch) -> None:
        session: Any = self.spark._jsparkSession
        rows = self.spark._jvm.java.util.ArrayList()  # type: ignore[union-attr]
        nothing = session.createDataFrame(rows, branch.rows.schema())
        self._run_once(nothing, branch.writer, BEFORE_FIRST_BATCH)

    def _stream_writer(self, branches: Sequence[Branch]) -> Any:
        """Spark gives a query one sink; several are written by one, from one evaluation of the batch."""
        if len(branches) == 1:
            return branches[0].rows.writeStream().foreachBatch(branches[0].writer)
        sinks: Any = self.spark._jvm.headrace.sinks.SeveralSinks()  # type: ignore[union-attr]
        for branch in branches:
            sinks.add(branch.rows, branch.writer)
        return sinks.rows().writeStream().foreachBatch(sinks)

    def select(self, plan: Plan, checkpoint: Path) -> tuple[Job, ChangeStream]:
        names = plan.sink.names
        key = plan.root.traits.key
        changes = ChangeStream(
            names, tuple(names.index(n) for n in key) if key is not None else None
        )
        (df,) = self._compile([plan])
        live = not plan.is_bounded
        if not plan.has_stream:
            changes.add_batch(_rows(df), live=live)
            return Job("select", bounded=True), changes
        writer = df.writeStream.foreachBatch(
            lambda batch, _: changes.add_batch(_rows(batch), live=live)
        )
        query = self._start(writer._jwrite, [plan], "select", checkpoint)
        job = Job("select", bounded=plan.is_bounded, query=query)
        job.on_end(lambda: shutil.rmtree(checkpoint.parent, ignore_errors=True))
        return job, changes

    def _compile(self, plans: Sequence[Plan]) -> list[DataFrame]:
        apply_job_settings(
            self.spark,
            parallelism=self.config.get("parallelism.default"),
            time_zone=self.config.get("table.local-time-zone"),
        )
        return Compiler(self.spark).compile_all(plans)

    def _writer(self, plan: Plan) -> Any:
        sink = _sink(plan)
        (child,) = plan.root.inputs
        return sink.table.connector.writer(
            self.spark,
            sink.table,
            sink.names,
            key=child.traits.key or (),
            changes=_layout(plan, sink),
        )

    def _start(self, writer: Any, plans: Sequence[Plan], name: str, checkpoint: Path) -> Any:
        trigger = self._trigger()
        interval = self._interval() or shared_pace(plans)
        millis = int(interval.total_seconds() * 1000)
        bounded = all(plan.is_bounded for plan in plans)
        when = trigger.AvailableNow() if bounded else trigger.ProcessingTime(millis)
        return self._run(writer.outputMode("append"), when, name, checkpoint)

    def _run(self, writer: Any, trigger: Any, name: str, checkpoint: Path) -> Any:
        # Not as_uri(): Hadoop does not decode %20, and would keep the checkpoint in another folder.
        location = f"file://{checkpoint}"
        try:
            return (
                writer.option("checkpointLocation", location)
                .trigger(trigger)
                .queryName(f"{name}#{checkpoint.parent.name}")
                .start()
            )
        except Exception as error:
            raise translate(error) from error

    def _trigger(self) -> Any:
        return self.spark._jvm.org.apache.spark.sql.streaming.Trigger  # type: ignore[union-attr]

    def _interval(self) -> timedelta:
        interval: timedelta = self.config.get("execution.checkpointing.interval")
        return interval

    def _run_once(self, batch: Any, writer: Any, number: int = 0) -> None:
        try:
            writer.call(batch, number)
        except Exception as error:
            raise translate(error) from error

    def _jobs_folder(self) -> Path:
        named = self.config.get("execution.checkpointing.dir")
        return Path(named.removeprefix("file://")).absolute() if named else home_folder("jobs")

    def _unique(self, identity: str, digest: str) -> str:
        """The same INSERT while it still runs is another job; after it ended it is the same one again. Another INSERT of
        the same name is another job as well, unless the first one was stopped to be changed."""
        taken = {
            job.id
            for plan, job in self._jobs
            if job.state is JobState.RUNNING or (job.state is JobState.FINISHED and plan != digest)
        }
        names = itertools.chain([identity], (f"{identity}-{n}" for n in itertools.count(2)))
        return next(name for name in names if name not in taken)

    def _sources(self, plans: Sequence[Plan]) -> dict[str, str]:
        tables = [scan.table for plan in plans for scan in plan.scans]
        return {key: text for table in tables for key, text in self._identity(table).items()}

    def _identity(self, table: Table) -> Identity:
        """What a table is by nature (a topic's id), so that a topic made anew is another one."""
        return table.connector.identity(self.spark, table)

    def _poll(self, branches: Sequence[Branch], write_line: WriteLine) -> Callable[[], None]:
        """What the sinks have to say, told whenever the job is looked at."""

        def poll() -> None:
            for branch in branches:
                for line, to_error in _console_lines(branch):
                    write_line(line, to_error)
            for notice in notices(branches):
                self.config.notify(notice)

        return poll


def _sink(plan: Plan) -> Sink:
    sink = plan.sink
    assert isinstance(sink, Sink)
    return sink


def _is_keyed(sink: Sink) -> bool:
    return sink.table.connector.sink_mode(sink.table).is_upsert


def _layout(plan: Plan, sink: Sink) -> Changes:
    """How the changes of one key of the sink lie in a batch, by what the operators below it do."""
    (child,) = plan.root.inputs
    if not child.traits.mode.is_retract:
        return Changes.SINGLE
    clustered = clustered_by(child.node)
    if clustered is not None and clustered <= frozenset(sink.table.primary_key):
        return Changes.CONTIGUOUS
    return Changes.SCATTERED


def begin_transactions(branches: Sequence[Branch], folder: Path) -> None:
    for number, branch in enumerate(branches):
        table = branch.sink.table
        if isinstance(table.connector, TransactionalSink):
            table.connector.begin_transactions(table, branch.writer, folder, number)


def remarks(branches: Sequence[Branch]) -> Iterator[str]:
    for table in (branch.sink.table for branch in branches):
        if isinstance(table.connector, RemarkingSink):
            yield from table.connector.remarks(table)


def shared_pace(plans: Sequence[Plan]) -> timedelta:
    """How long all sinks may wait for their changes: as long as the one that waits least."""
    sinks = [plan.sink.table for plan in plans if isinstance(plan.sink, Sink)]
    return min((_pace(table) for table in sinks), default=timedelta())


def _pace(table: Table) -> timedelta:
    connector = table.connector
    return connector.write_interval(table) if isinstance(connector, PacedSink) else timedelta()


def _rows(df: DataFrame) -> list[tuple[Any, ...]]:
    try:
        return [tuple(row) for row in df.collect()]
    except Exception as error:
        raise translate(error) from error


def _console_lines(branch: Branch) -> Iterable[tuple[str, bool]]:
    """Lines that a sink wants printed by this process (`print`)."""
    table = branch.sink.table
    console = getattr(table.connector, "console", None)
    return () if console is None else console(table, branch.writer)
