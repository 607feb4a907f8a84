"""A table's rows as records of Kafka: transforms and converters as one plan, made once and run for every poll."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from headrace.connect.clients import converters, kafka_options
from headrace.connect.converters.base import Converter
from headrace.connect.converters.batches import write_batch
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data.records import Records
from headrace.connect.errors import Reporter, strict
from headrace.connect.jdbc.tables import Source, cells
from headrace.connect.transforms.chain import Chain, parse_chain
from headrace.connectors.kafka.write import PRODUCER_DEFAULTS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Transforms after which a record's topic is still that of its table.
_KEEPING_TOPICS = (
    "Cast", "DropHeaders", "ExtractField", "Filter", "Flatten", "HeaderFrom", "HoistField", "InsertField", "InsertHeader",
    "MaskField", "ReplaceField", "SetSchemaMetadata", "TimestampConverter", "ValueToKey",
)  # fmt: skip


@dataclass(slots=True)
class Pipeline:
    """`table` is the JVM's TableRecords, `rows` what it is given. `bad` are the records that failed, where these are tolerated; `routed`, where
    transforms choose topics, has the topics of what was given."""

    source: Source
    cells: Any
    table: Any
    rows: DataFrame
    bad: tuple[Records, ...] = ()
    routed: tuple[DataFrame, ...] = ()

    def topics(self) -> set[str]:
        """Those that what was given goes to."""
        if not self.routed:
            return {self.source.topic}
        return {row[0] for frame in self.routed for row in frame.distinct().collect()}


class Pipelines:
    """Makes pipelines of one configuration and writes what they are given."""

    def __init__(
        self, session: Any, config: Mapping[str, str], worker: Mapping[str, str], reporter: Reporter
    ) -> None:
        self.session = session
        self.reporter = reporter
        self.chain: Chain = parse_chain(config)
        chosen = converters(worker, config)
        self.key: Converter = parse_converter(chosen, "key.converter")
        self.value: Converter = parse_converter(chosen, "value.converter")
        self.routes = not all(_keeps_topic(type) for type in _types(config))
        self.writer = writer_spec(kafka_options(worker, config, "producer"))

    @property
    def _java(self) -> Any:
        return self.session._jvm.headrace.connect.jdbc

    def of(self, source: Source, partitions: int = 1) -> Pipeline:
        """A pipeline whose rows come in so many portions."""
        from pyspark.sql import functions as sf

        read = cells(self.session, source)
        rows, frame = self.rows(read, partitions)
        value = sf.struct(*(sf.col(f"`{field.name}`") for field in source.fields))
        batch = frame.select(sf.lit(source.topic).alias("topic"), value.alias("value"))
        done = [self._converted(part) for part in self._applied(batch, source)]
        tolerates = self.reporter.policy.tolerates
        kept = [part.good() if tolerates else strict(part) for part in done]
        outputs = [outgoing(part.frame) for part in kept]
        table = self._java.TableRecords(rows, [output._jdf for output in outputs])
        return Pipeline(
            source,
            read,
            table,
            frame,
            tuple(done) if tolerates else (),
            tuple(output.select("topic") for output in outputs) if self.routes else (),
        )

    def rows(self, read: Any, partitions: int) -> tuple[Any, DataFrame]:
        """The JVM's RowsRdd, and the frame over what it is given."""
        from pyspark.sql import DataFrame

        rows = self._java.RowsRdd(self.session.sparkContext._jsc.sc(), partitions)
        return rows, DataFrame(rows.frame(self.session._jsparkSession, read), self.session)

    def _applied(self, batch: DataFrame, source: Source) -> tuple[Records, ...]:
        return self.chain.apply(Records.of(batch, None, source.schema))

    def _converted(self, records: Records) -> Records:
        return replace(records, frame=write_batch(records, self.key, self.value))

    def send(self, pipelines: Sequence[Pipeline]) -> None:
        """Writes what the pipelines were given; returns when the brokers have it."""
        for pipeline in pipelines:
            for part in pipeline.bad:
                for failure in self.reporter.failures(part):
                    self.reporter.report(failure)
        with self.reporter.translating():
            self._java.TableRecords.send([pipeline.table for pipeline in pipelines], self.writer)

    def send_frames(self, frames: Sequence[DataFrame]) -> None:
        """Writes frames with the columns of `outgoing`."""
        self._java.TableRecords.write([frame._jdf for frame in frames], self.writer)


def outgoing(frame: DataFrame) -> DataFrame:
    """The columns that the writer takes, in its order."""
    from pyspark.sql import functions as sf

    return frame.select(
        "key",
        "value",
        sf.lit(1).cast("bigint").alias("weight"),
        "timestamp",
        "headers",
        "topic",
        sf.col("partition").cast("int").alias("partition"),
    )


def writer_spec(options: Mapping[str, str]) -> str:
    """Records name their topics themselves."""
    return json.dumps(
        {
            "topics": [],
            "pattern": ".*",
            "properties": {**PRODUCER_DEFAULTS, **options},
            "upsert": False,
            "changes": "single",
            "fixedPartition": False,
            "bufferedKeys": 0,
            "value": {"spec": {}},
        }
    )


def _types(config: Mapping[str, str]) -> list[str]:
    aliases = [alias.strip() for alias in config.get("transforms", "").split(",")]
    return [config.get(f"transforms.{alias}.type", "") for alias in aliases if alias]


def _keeps_topic(type: str) -> bool:
    simple = type.rpartition(".")[2].partition("$")[0]
    return type.startswith("org.apache.kafka.connect.transforms.") and simple in _KEEPING_TOPICS
