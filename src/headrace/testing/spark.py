"""The Spark session that all tests of a run share, and streams fed by hand to test operators with."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from headrace.runtime.session import spark_session
from headrace.toolchain.paths import HOME_VARIABLE

# Two cores and two state partitions: the least that shows what goes wrong between tasks.
TEST_SETTINGS = {
    "spark.master": "local[2]",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": "2",
    # Each test is mostly new code over few rows: without the optimizing compiler a run takes two thirds of the CPU time.
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}


@pytest.fixture(scope="session")
def headrace_home() -> Iterator[Path]:
    """A HEADRACE_HOME of the test run's own; jobs of one run never resume those of another."""
    folder = Path(tempfile.mkdtemp(prefix="headrace-home-"))
    patch = pytest.MonkeyPatch()
    patch.setenv(HOME_VARIABLE, str(folder))
    yield folder
    patch.undo()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def spark(headrace_home: Path) -> Iterator[Any]:
    session = spark_session(TEST_SETTINGS)
    yield session
    session.stop()
    _end_java()


def _end_java() -> None:
    """Ends the JVM that PySpark keeps after its session; Python would warn at its exit that a child still runs."""
    from pyspark import SparkContext

    gateway: Any = SparkContext._gateway
    SparkContext._gateway = SparkContext._jvm = None
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


def write_batch(writer: Any, frame: Any, number: int = 0) -> None:
    """Gives a sink's writer one batch, as a query would."""
    writer.call(writer.prepare(frame._jdf), number)


class ScriptedStream:
    """A stream whose rows a test adds batch by batch: `rows` are tuples of the columns in `schema` (Spark DDL)."""

    def __init__(self, spark: Any, schema: str) -> None:
        self._spark = spark
        self._schema = schema
        jvm = spark._jvm
        encoder = jvm.org.apache.spark.sql.Encoders.row(self._frame([]).schema())
        streams = jvm.org.apache.spark.sql.execution.streaming.runtime.MemoryStream
        self._stream = streams.apply(encoder, spark._jsparkSession)

    def _frame(self, rows: Iterable[Sequence[Any]]) -> Any:
        return self._spark.createDataFrame(list(rows), self._schema)._jdf

    @property
    def frame(self) -> Any:
        from pyspark.sql import DataFrame

        return DataFrame(self._stream.toDF(), self._spark)

    def add(self, rows: Iterable[Sequence[Any]]) -> None:
        converters = self._spark._jvm.scala.jdk.javaapi.CollectionConverters
        self._stream.addData(converters.asScala(self._frame(rows).collectAsList()).toSeq())


class ScriptedQuery:
    """A running query over scripted streams: `step()` processes what was added and gives the rows since the last step."""

    def __init__(self, frame: Any, checkpoint: Path) -> None:
        self._batch: list[tuple[Any, ...]] = []
        writer = frame.writeStream.foreachBatch(self._collect).outputMode("append")
        self._query = writer.option("checkpointLocation", str(checkpoint)).start()

    def _collect(self, batch: Any, _: int) -> None:
        self._batch.extend(tuple(row) for row in batch.collect())

    def step(self) -> list[tuple[Any, ...]]:
        self._query.processAllAvailable()
        rows, self._batch = self._batch, []
        return rows

    def consumed(self) -> set[int]:
        """How many additions each of the scripted sources was read of; one number if they are all at the same place.

        Constants beside them are a source as well, but not one of the script's."""
        sources = self._query.lastProgress["sources"]
        scripted = [s for s in sources if s["description"].startswith("MemoryStream")]
        return {int(source["endOffset"]) + 1 for source in scripted}

    def stop(self) -> None:
        self._query.stop()

    def __enter__(self) -> ScriptedQuery:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
