"""The Parquet objects as a table of Spark's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from headrace.cli.demo.pagila.database import Row

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VIEW = "pagila_query"


def open_lake(folder: Path) -> Lake:
    """On the Spark of this process, which is started if there is none."""
    from headrace.runtime.session import spark_session

    session = spark_session({}).newSession()
    session.conf.set("spark.sql.session.timeZone", "UTC")
    return Lake(session, folder)


class Lake:
    """The column of the partitions is in the files too, so folders have nothing to add."""

    def __init__(self, session: SparkSession, folder: Path) -> None:
        self._session = session
        files = session.read.option("recursiveFileLookup", "true").parquet(str(folder))
        files.createOrReplaceTempView(VIEW)

    def query(self, text: str) -> list[Row]:
        """Times as text, in UTC."""
        frame = self._session.sql(text)
        shown = frame.withColumn("last_update", frame["last_update"].cast("string"))
        return [row.asDict() for row in shown.collect()]

    def rows(self) -> list[Row]:
        """All of them, with times in milliseconds as in the topics."""
        frame = self._session.sql(
            f"SELECT * EXCEPT (last_update), unix_millis(last_update) AS last_update FROM {VIEW}"
        )
        return [row.asDict() for row in frame.collect()]
