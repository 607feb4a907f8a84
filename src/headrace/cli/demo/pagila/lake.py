"""The Parquet objects as Spark reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from headrace.cli.demo.pagila.database import Row
from headrace.cli.demo.pagila.worker import SHORT_LIVED

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# A few hundred rows are read, beside the worker's Spark.
SETTINGS = {
    "spark.driver.memory": "512m",
    "spark.master": "local[2]",
    "spark.driver.extraJavaOptions": SHORT_LIVED[0],
}


def begin_spark() -> Callable[[], SparkSession]:
    """Starts the JVM of this process's Spark, which gets ready meanwhile; call the result for the session."""
    from headrace.runtime.session import begin_session

    return begin_session(SETTINGS)


def lake_rows(session: SparkSession, folder: Path) -> list[Row]:
    """All rows, with times in milliseconds as in the topics. The partition's column is in the files too."""
    files = session.read.option("recursiveFileLookup", "true").parquet(str(folder))
    shown = files.selectExpr("* EXCEPT (last_update)", "unix_millis(last_update) AS last_update")
    return [row.asDict() for row in shown.collect()]
