"""Jobs without batches: a row is written as soon as it is read. Spark's real-time trigger runs them.

Each task holds its core for as long as the job runs, progress is kept once a period only, and no state may be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from headrace.catalog.connector import LiveSink, LiveSource
from headrace.errors import UnsupportedSql
from headrace.plan.infer_state import is_stateful
from headrace.plan.plan import Plan
from headrace.runtime.takeover import Branch

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MODE = "headrace.execution.mode"
REAL_TIME = "real-time"

# Between two periods a job stands still for the time Spark needs to begin anew (some 100 ms); after a crash up to a
# period's rows are written again.
DEFAULT_PERIOD = timedelta(minutes=1)

# Spark 4.1 knows its own sources by their class names; ours is around one of them. And the shortest period it accepts
# is five seconds unless it is told otherwise.
SPARK_SETTINGS = {
    "spark.sql.streaming.realTimeMode.allowlistCheck": "false",
    "spark.sql.streaming.realTimeMode.minBatchDuration": "100",
}


def check(plan: Plan) -> None:
    """Refuses what cannot run without batches."""
    stateful = [item for item in plan.root.walk() if is_stateful(item.node)]
    if stateful:
        raise _refused(
            f"{type(stateful[0].node).__name__} keeps state: {stateful[0].traits.state}",
            "only projections and filters of append-only tables, or copies of upserts by their key",
        )
    if plan.is_bounded:
        raise _refused("a bounded source", "sources without an end: remove 'scan.bounded.mode'")
    for table in (scan.table for scan in plan.scans):
        if not isinstance(table.connector, LiveSource):
            raise _refused(f"source '{table.identifier}' of connector '{table.connector.name}'")
        if "scan.parallelism" in table.options:
            raise _refused("'scan.parallelism'", "a task for every partition: remove the option")


def stream_writer(spark: SparkSession, branches: Sequence[Branch]) -> Any:
    """The query, to be given its trigger."""
    if len(branches) > 1:
        raise _refused(f"{len(branches)} INSERTs in one statement set", "one INSERT a job")
    (branch,) = branches
    check(branch.plan)
    connector = branch.sink.table.connector
    if not isinstance(connector, LiveSink):
        raise _refused(f"sink '{branch.sink.table.identifier}' of connector '{connector.name}'")
    for key, value in SPARK_SETTINGS.items():
        spark.conf.set(key, value)
    return connector.live_writer(spark, branch.sink.table, branch.sink.names, branch.frame)


def period(interval: timedelta) -> int:
    """Milliseconds between two times that progress is kept; `interval` is the user's, 0 where none is set."""
    return int((interval or DEFAULT_PERIOD).total_seconds() * 1000)


def _refused(found: str, expected: str = "tables of kafka and upsert-kafka") -> UnsupportedSql:
    return UnsupportedSql(
        "this job cannot run in real time",
        found=found,
        expected=expected,
        cure=f"RESET '{MODE}';",
    )
