"""Rows that are gone from a table, found by comparing its keys with those that were known, and told by tombstones.

Known are the keys of the last comparison and of all rows that were sent since. They lie in files in the connector's folder:
    keys-N/      of the last comparison; `current` has N
    sent-N/      of rows sent after it
A crash before `current` is replaced tells the same tombstones again.
"""

from __future__ import annotations

import hashlib
import shutil
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headrace.connect.converters.batches import write_batch
from headrace.connect.data.records import Records
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.pipeline import Pipeline, Pipelines, outgoing, quoted
from headrace.connect.jdbc.predicates import Columns, Condition
from headrace.connect.jdbc.tables import Source, cells
from headrace.errors import InvalidOption, UnknownName

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(slots=True)
class KeyCompare:
    """Of one table."""

    source: Source
    folder: Path
    interval: float
    due: float = field(default=0.0)

    @classmethod
    def of(cls, source: Source, root: Path, interval_ms: int) -> KeyCompare:
        if not source.key:
            raise InvalidOption(
                "a table without a primary key has nothing to compare",
                condition="NO_KEY_TO_COMPARE",
                where=source.name,
                cure="name columns with headrace.delete.detection.keys",
            )
        known = {field.name for field in source.fields}
        for column in source.key:
            if column not in known:
                raise UnknownName("column", column, known, where=source.name)
        digest = hashlib.sha256(f"{source.name} {source.key}".encode()).hexdigest()[:12]
        return cls(source, root / f"deletes-{digest}", interval_ms / 1000)

    @property
    def number(self) -> int:
        """Of the last comparison, 0 before the first."""
        file = self.folder / "current"
        return int(file.read_text()) if file.exists() else 0

    def note(self, pipeline: Pipeline) -> None:
        """Keys of rows that are about to be sent."""
        frame = pipeline.plan.rows.select(*map(quoted, self.source.key))
        frame.write.mode("append").parquet(str(self.folder / f"sent-{self.number}"))

    def compare(self, link: Link, pipelines: Pipelines) -> DataFrame | None:
        """The keys that are gone, None before there is something to compare with; `finish` when they are told."""
        session, number = pipelines.session, self.number
        self._read(link, pipelines, number + 1)
        known = self._known(session, number)
        if known is None:
            return None
        present = session.read.parquet(str(self.folder / f"keys-{number + 1}"))
        gone: DataFrame = known.distinct().join(present, list(self.source.key), "left_anti")
        return gone

    def finish(self) -> None:
        """What was read last is what the next comparison knows."""
        number = self.number
        new = self.folder / "current.new"
        new.write_text(str(number + 1))
        new.replace(self.folder / "current")
        for old in ("keys", "sent"):
            shutil.rmtree(self.folder / f"{old}-{number}", ignore_errors=True)
        self.due = time.monotonic() + self.interval

    def _known(self, session: Any, number: int) -> DataFrame | None:
        names = ("keys", "sent") if number else ("sent",)
        folders = [self.folder / f"{name}-{number}" for name in names]
        there = [str(folder) for folder in folders if (folder / "_SUCCESS").exists()]
        return session.read.parquet(*there) if there else None

    def _read(self, link: Link, pipelines: Pipelines, number: int) -> None:
        """All keys of the table, in a file."""
        keys = replace(
            self.source,
            fields=tuple(field for field in self.source.fields if field.name in self.source.key),
            position=Columns(),
        )
        read = cells(pipelines.session, keys)
        query = link.query(keys.select(Condition()), "[]")
        rows, frame = pipelines.rows(read, 1)
        rows.ask(link.login, None, [query], read)
        target = frame.select(*map(quoted, self.source.key))
        target.write.mode("overwrite").parquet(str(self.folder / f"keys-{number}"))


def tombstones(pipelines: Pipelines, source: Source, gone: DataFrame) -> list[DataFrame]:
    """Records without values, whose keys the transforms make as they do of rows: of a row that has its key alone."""
    from pyspark.sql import functions as sf

    columns = [
        sf.col(quoted(field.name))
        if field.name in source.key
        else sf.lit(None).cast(field.schema.spark()).alias(field.name)
        for field in source.fields
    ]
    frame = gone.select(sf.lit(source.topic).alias("topic"), sf.struct(*columns).alias("value"))
    parts = pipelines.chain.apply(Records.of(frame, None, source.schema))
    return [outgoing(_without_value(pipelines, part)) for part in parts]


def _without_value(pipelines: Pipelines, records: Records) -> DataFrame:
    from pyspark.sql import functions as sf

    columns = {"value": sf.lit(None).cast("string"), "value_typed": sf.lit(False)}
    bare = replace(records.changed(columns), value=None)
    written = write_batch(bare, pipelines.key, pipelines.value)
    # What a converter makes of no value may be bytes; a tombstone has none. A record without a key deletes nothing.
    none = written.withColumn("value", sf.lit(None).cast("binary"))
    return none.filter(sf.col("key").isNotNull() & sf.col("error").isNull())
