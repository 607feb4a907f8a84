"""Rows of tables as records of Kafka: transforms and converters as one plan, made once and run for every poll."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from headrace.connect.clients import converters, kafka_options
from headrace.connect.converters.base import Converter
from headrace.connect.converters.batches import write_batch
from headrace.connect.converters.headers import parse_header_converter
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data.records import VALUE, Records
from headrace.connect.errors import Reporter, strict
from headrace.connect.jdbc.tables import Source, cells
from headrace.connect.transforms.chain import Chain, parse_chain
from headrace.connect.transforms.python import is_python
from headrace.connectors.kafka.write import PRODUCER_DEFAULTS

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

# An option that no client reads.
_OWNER = "headrace.owner"

# The column of given rows that has their topic.
_TOPIC = "__headrace_topic"

# Transforms after which a record's topic is still that of its table.
_KEEPING_TOPICS = (
    "Cast", "DropHeaders", "ExtractField", "Filter", "Flatten", "HeaderFrom", "HoistField", "InsertField", "InsertHeader",
    "MaskField", "ReplaceField", "SetSchemaMetadata", "TimestampConverter", "ValueToKey",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Plan:
    """`records` is the JVM's TableRecords, `rows` what it is given. `bad` are the records that failed, where these are tolerated; `routed`,
    where transforms choose topics, has the topics of what was given."""

    records: Any
    rows: DataFrame
    bad: tuple[Records, ...] = ()
    routed: tuple[DataFrame, ...] = ()

    def topics(self) -> set[str]:
        """Those that what was given goes to, where transforms choose them."""
        return {row[0] for frame in self.routed for row in frame.distinct().collect()}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A table and the plan of its records, which tables of the same columns may share."""

    source: Source
    cells: Any
    plan: Plan

    def give(self, portion: Any) -> None:
        self.plan.records.give(self.source.topic, portion)


class Pipelines:
    """Makes pipelines of one configuration and writes what they are given."""

    def __init__(
        self,
        session: Any,
        config: Mapping[str, str],
        worker: Mapping[str, str],
        reporter: Reporter,
        *,
        apart: bool = False,
    ) -> None:
        """`apart`: no two tables share a plan, so that a plan's rows are those of one table."""
        self.session = session
        self.apart = apart
        self.plans: dict[Any, Plan] = {}
        self.reporter = reporter
        self.chain: Chain = parse_chain(config)
        chosen = converters(worker, config)
        self.key: Converter = parse_converter(chosen, "key.converter")
        self.value: Converter = parse_converter(chosen, "value.converter")
        self.headers = parse_header_converter(chosen)
        self.types = _types(config)
        self.routes = not all(map(_keeps_topic, self.types))
        options = kafka_options(worker, config, "producer")
        # As Connect calls it.
        named = {"client.id": f"connector-producer-{reporter.connector}-{reporter.task}"}
        # A producer is shared by equal options, and one that fails or ends is closed for all who share it.
        self.writer = writer_spec({**named, **options, _OWNER: uuid.uuid4().hex})

    @property
    def _java(self) -> Any:
        return self.session._jvm.headrace.connect.jdbc

    def of(self, source: Source) -> Pipeline:
        """For rows that are given."""
        from pyspark.sql import DataFrame
        from pyspark.sql import functions as sf

        read, shape = cells(self.session, source), self._shape(source)
        if shape not in self.plans:
            rows = self._rdd(self.session.sparkContext.defaultParallelism)
            frame = DataFrame(rows.frame(self.session._jsparkSession, read, _TOPIC), self.session)
            self.plans[shape] = self._plan(source, rows, frame, sf.col(_TOPIC))
        return Pipeline(source, read, self.plans[shape])

    def asking(self, source: Source, partitions: int) -> Pipeline:
        """For so many queries."""
        from pyspark.sql import functions as sf

        read = cells(self.session, source)
        rows, frame = self.rows(read, partitions)
        return Pipeline(source, read, self._plan(source, rows, frame, sf.lit(source.topic)))

    def _shape(self, source: Source) -> Any:
        """What the plan of a table is made of. A schema's name is that of its table: it counts where it is written, or a transform of
        the user's may see it."""
        named = not _hides_names(self.value) or any(map(is_python, self.types))
        whose = source.name if self.apart or named else None
        return source.fields, source.settings, whose

    def _plan(self, source: Source, rows: Any, frame: DataFrame, topic: Column) -> Plan:
        from pyspark.sql import functions as sf

        value = sf.struct(*(sf.col(quoted(field.name)) for field in source.fields))
        batch = frame.select(topic.alias("topic"), value.alias("value"))
        done = [self._converted(part) for part in self._applied(batch, source)]
        tolerates = self.reporter.policy.tolerates
        kept = [part.good() if tolerates else strict(part) for part in done]
        outputs = [outgoing(part.frame) for part in kept]
        return Plan(
            self._java.TableRecords(rows, [output._jdf for output in outputs]),
            frame,
            tuple(done) if tolerates else (),
            tuple(output.select("topic") for output in outputs) if self.routes else (),
        )

    def _rdd(self, partitions: int) -> Any:
        return self._java.RowsRdd(self.session.sparkContext._jsc.sc(), partitions)

    def rows(self, read: Any, partitions: int) -> tuple[Any, DataFrame]:
        """The JVM's RowsRdd, and the frame over what it is given."""
        from pyspark.sql import DataFrame

        rows = self._rdd(partitions)
        return rows, DataFrame(rows.frame(self.session._jsparkSession, read), self.session)

    def _applied(self, batch: DataFrame, source: Source) -> tuple[Records, ...]:
        records = Records.of(batch, None, source.schema, VALUE)
        return self.chain.apply(self.headers.writing(records))

    def _converted(self, records: Records) -> Records:
        return replace(records, frame=write_batch(records, self.key, self.value))

    def clear(self) -> None:
        """Forget what was given and not sent."""
        for plan in self.plans.values():
            plan.records.clear()

    def topics(self, pipelines: Sequence[Pipeline]) -> set[str]:
        """Those that what the pipelines were given goes to."""
        if not self.routes:
            return {pipeline.source.topic for pipeline in pipelines}
        return {topic for plan in _plans(pipelines) for topic in plan.topics()}

    def send(self, pipelines: Sequence[Pipeline]) -> None:
        """Writes what the pipelines were given; returns when the brokers have it."""
        plans = _plans(pipelines)
        for part in (part for plan in plans for part in plan.bad):
            for failure in self.reporter.failures(part):
                self.reporter.report(failure)
        with self.reporter.translating():
            self._java.TableRecords.send([plan.records for plan in plans], self.writer)

    def send_frames(self, frames: Sequence[DataFrame]) -> None:
        """Writes frames with the columns of `outgoing`."""
        self._java.TableRecords.write([frame._jdf for frame in frames], self.writer)

    def close(self) -> None:
        """The next task of the connector opens a producer of its own."""
        self.session._jvm.headrace.kafka.RecordSender.end(self.writer)


def _plans(pipelines: Sequence[Pipeline]) -> list[Plan]:
    return list({id(pipeline.plan): pipeline.plan for pipeline in pipelines}.values())


def _hides_names(converter: Converter) -> bool:
    """Whether what it writes has no names of schemas in it."""
    return isinstance(converter, JsonConverter) and not converter.schemas


def quoted(name: str) -> str:
    """A column as Spark takes it, whatever it is called."""
    return f"`{name.replace('`', '``')}`"


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
