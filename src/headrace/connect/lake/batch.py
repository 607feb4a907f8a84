"""A batch of Kafka's records, converted, transformed and encoded, as rows that the JVM cuts into files."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from headrace.connect.converters.avro_converter import AvroConverter
from headrace.connect.converters.base import Converter
from headrace.connect.converters.batches import Tags, only_tags, read_batch, read_expected
from headrace.connect.converters.headers import HeaderConverter
from headrace.connect.data.records import Records
from headrace.connect.data.schema import Schema
from headrace.connect.errors import Failure, Reporter
from headrace.connect.lake.arrivals import Arrivals
from headrace.connect.lake.compatibility import (
    PROJECTOR_EXCEPTION,
    clashes,
    fault,
    projected,
    shares,
)
from headrace.connect.lake.formats import HEADERS, Format, header_texts
from headrace.connect.lake.partitioners import CLOCK, PATH, placed, without_fields
from headrace.connect.lake.settings import Settings
from headrace.connect.transforms.chain import Chain

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Place = tuple[str, int]
Ranges = Mapping[Place, tuple[int, int]]

VALUE_BYTES, KEY_BYTES, HEADER_BYTES = "__value", "__key", "__headers"
_NULL_VALUE = "Skipping null value record: null valued records are not writeable with behavior.on.null.values 'fail'"

# Used unless the worker or the connector sets them.
_CONSUMER_DEFAULTS: Mapping[str, str] = {
    # Records handed over per poll; at the default of 500 the loop around the poll is much of what a task does.
    "max.poll.records": "20000",
    # 8 MiB per partition and fetch: eight times the default, so a task waits for one answer instead of eight.
    "max.partition.fetch.bytes": "8388608",
}

# Records of a partition that tell what schemas a topic has; where others follow, all are looked at.
_FIRST = 100

# Spark's source sets these itself, and refuses them.
_SPARKS_OWN = (
    "group.id",
    "auto.offset.reset",
    "enable.auto.commit",
    "key.deserializer",
    "value.deserializer",
    "interceptor.classes",
)


@dataclass(slots=True)
class Batch:
    """`rows` for the JVM, `records` with all they came from; `schemas` numbers those of each of `records`; `targets` are batches
    in whose schemas its values are encoded as well, `clashes` those whose files they must not meet."""

    formats: dict[str, Format]
    rows: list[DataFrame] = field(default_factory=list)
    records: list[Records] = field(default_factory=list)
    schemas: list[int] = field(default_factory=list)
    numbers: dict[Any, int] = field(default_factory=dict)
    targets: list[list[int]] = field(default_factory=list)
    clashes: list[list[int]] = field(default_factory=list)

    def frame(self) -> DataFrame:
        return reduce(lambda a, b: a.unionByName(b), self.rows)

    def add(self, records: Records) -> int:
        """The number of a batch of records among those of this one."""
        same = (records.value, records.key if "key" in self.formats else None)
        self.schemas.append(self.numbers.setdefault(same, len(self.numbers)))
        self.records.append(records)
        return len(self.records) - 1

    def spec(self) -> dict[str, Any]:
        return {
            "schemas": self.schemas,
            "targets": self.targets,
            "clashes": self.clashes,
            "values": self.formats["value"].spec(),
            "keys": self.formats["key"].spec() if "key" in self.formats else None,
            "headers": self.formats["header"].spec() if "header" in self.formats else None,
        }


@dataclass(frozen=True, slots=True)
class BatchReader:
    session: Any
    consumer: Mapping[str, str]
    key: Converter
    value: Converter
    headers: HeaderConverter
    chain: Chain
    settings: Settings
    reports_nulls: bool
    arrivals: Arrivals
    known: dict[str, Tags] = field(default_factory=dict)
    mixed: set[str] = field(default_factory=set)

    def read(self, ranges: Ranges) -> Batch:
        parts = ["value"]
        parts += ["key"] if self.settings["store.kafka.keys"] else []
        parts += ["header"] if self.settings["store.kafka.headers"] else []
        batch = Batch({part: Format(part, self.settings) for part in parts})
        for spans in self._groups(ranges):
            batch.rows.append(self._topic_rows(batch, spans))
        return batch

    def forget(self) -> None:
        """Look at all records for their schemas: some have others than those expected."""
        self.mixed.update(self.known)
        self.known.clear()

    def _groups(self, ranges: Ranges) -> Iterator[Ranges]:
        """Those of each topic where records tell their schemas, since topics have schemas of their own."""
        from pyspark.sql import functions as sf

        tells = any(c.tag(sf.col("value")) is not None for c in (self.key, self.value))
        topics = sorted({topic for topic, _ in ranges})
        for group in [[topic] for topic in topics] if tells else [topics]:
            yield {place: span for place, span in ranges.items() if place[0] in group}

    def kafka(self, ranges: Ranges) -> DataFrame:
        from pyspark.sql import functions as sf

        def offsets(end: int) -> str:
            named: dict[str, dict[str, int]] = {}
            for (topic, partition), span in ranges.items():
                named.setdefault(topic, {})[str(partition)] = span[end]
            return json.dumps(named)

        assigned = {
            topic: [int(n) for n in found] for topic, found in json.loads(offsets(0)).items()
        }
        client = {
            f"kafka.{name}": text
            for name, text in {**_CONSUMER_DEFAULTS, **self.consumer}.items()
            if name not in _SPARKS_OWN
        }
        frame: DataFrame = (
            self.session.read.format("kafka")
            .options(**client)
            .option("assign", json.dumps(assigned))
            .option("startingOffsets", offsets(0))
            .option("endingOffsets", offsets(1))
            .option("includeHeaders", "true")
            .load()
        )
        return frame.select(
            *("topic", "partition", "offset", "timestamp", "key", "value", "headers"),
            sf.col("topic").alias("origin_topic"),
            sf.col("partition").alias("origin_partition"),
            sf.col("key").alias("raw_key"),
            sf.col("value").alias("raw_value"),
            sf.col("headers").alias("raw_headers"),
            sf.when(sf.col("timestampType") == 1, sf.lit("LogAppendTime"))
            .otherwise(sf.lit("CreateTime"))
            .alias("raw_timestamp_type"),
        )

    def _read(self, ranges: Ranges) -> tuple[Records, ...]:
        """Where the first records of a topic have the same schemas, the others are taken to have them too."""
        frame = self.kafka(ranges)
        topic, *others = {topic for topic, _ in ranges}
        if others:
            return read_batch(frame, self.key, self.value)
        value = self._versioned(topic)
        if topic not in self.known:
            looked = frame if topic in self.mixed else self.kafka(_first(ranges))
            found = only_tags(looked, self.key, value)
            if found is None:
                return read_batch(frame, self.key, value)
            self.known[topic] = found
            self.mixed.discard(topic)
        return (read_expected(frame, self.key, value, self.known[topic]),)

    def _versioned(self, topic: str) -> Converter:
        """The converter of values; where versions count, with those that the registry has for the topic."""
        if self.settings.compatibility != "NONE" and isinstance(self.value, AvroConverter):
            return self.value.of_topic(topic)
        return self.value

    def _topic_rows(self, batch: Batch, ranges: Ranges) -> DataFrame:
        """In the order of offsets, which a topic of one schema has already."""
        parts = [
            transformed
            for read in self._read(ranges)
            for transformed in self.chain.apply(self.headers.read(read))
        ]
        ready = [self._ready(records) for records in parts]
        rows = [
            self._rows(batch, of_part, others) for of_part, others in self._beside(batch, ready)
        ]
        if len(rows) == 1:
            return rows[0]
        whole = reduce(lambda a, b: a.unionByName(b), rows)
        return whole.repartition("record.source", "record.partition").sortWithinPartitions(
            "record.source", "record.partition", "record.offset"
        )

    def _ready(self, records: Records) -> Records:
        """As files have them, but for the bytes."""
        from pyspark.sql import functions as sf

        ready = placed(self._judged(records), self.settings, self.arrivals)
        ready = without_fields(ready, self.settings.dropped_fields)
        unversioned = fault(self.settings.compatibility, ready.value)
        if unversioned is None:
            return ready
        return ready.failed(sf.col("value").isNotNull(), unversioned, PROJECTOR_EXCEPTION)

    def _beside(
        self, batch: Batch, parts: list[Records]
    ) -> Iterator[tuple[Records, dict[int, Schema]]]:
        """Each of a topic's batches with the schemas of the others whose files its records may go into."""
        mode, first = self.settings.compatibility, len(batch.records)
        for mine in parts:
            others = {
                first + i: other.value
                for i, other in enumerate(parts)
                if other.value is not None
                and other.value != mine.value
                and ("key" not in batch.formats or other.key == mine.key)
                and shares(mode, mine.value, other.value)
            }
            batch.targets.append(list(others))
            batch.clashes.append(
                [first + i for i, o in enumerate(parts) if clashes(mode, mine.value, o.value)]
            )
            yield mine, others

    def _rows(self, batch: Batch, records: Records, others: Mapping[int, Schema]) -> DataFrame:
        from pyspark.sql import functions as sf

        settings = self.settings
        is_null = sf.col("value").isNull()
        ready = self._encoded(batch, records)
        ready = self._projected(batch, ready, others).staged("TASK_PUT")
        tombstone = is_null & sf.lit(settings.null_values == "write")
        path = sf.when(tombstone, sf.lit(settings["tombstone.encoded.partition"]))
        columns = {
            "topic": sf.col("topic"),
            "source": sf.col("origin_topic"),
            "partition": sf.col("origin_partition"),
            "offset": sf.col("offset"),
            "clock": sf.col(CLOCK),
            "path": sf.coalesce(path, sf.col(PATH)),
            "batch": sf.lit(batch.add(ready)),
            "value": sf.col(VALUE_BYTES),
            "key": _or_nothing(ready, KEY_BYTES),
            "headers": _or_nothing(ready, HEADER_BYTES),
            "skipped": is_null & sf.lit(settings.null_values == "ignore"),
            "tombstone": tombstone,
            "error": sf.col("error")["class"],
            "message": sf.col("error")["message"],
            "stage": sf.col("stage"),
            "projected": _projections(others),
        }
        return ready.frame.select(
            sf.struct(*(c.alias(n) for n, c in columns.items())).alias("record")
        )

    def _judged(self, records: Records) -> Records:
        """What `behavior.on.null.values` says of records without a value."""
        from pyspark.sql import functions as sf

        is_null = sf.col("value").isNull()
        if self.settings.null_values == "fail":
            return records.failed(is_null, _NULL_VALUE)
        if self.settings.null_values == "ignore" and self.reports_nulls:
            return records.failed(is_null, "Record with a null value is ignored")
        return records

    def _projected(self, batch: Batch, records: Records, others: Mapping[int, Schema]) -> Records:
        """With the values' bytes in other schemas too."""
        from pyspark.sql import functions as sf

        for number, schema in others.items():
            assert records.value is not None
            value, into = f"__in_{number}", _projection(number)
            there = records.changed({value: projected(sf.col("value"), records.value, schema)})
            records = batch.formats["value"].also(there, value, schema, into)
        return records

    def _encoded(self, batch: Batch, records: Records) -> Records:
        from pyspark.sql import functions as sf

        ready = batch.formats["value"].encoded(records, "value", records.value, VALUE_BYTES)
        if "key" in batch.formats:
            keyed = ready.failed(sf.col("key").isNull(), "Key cannot be null with store.kafka.keys")
            ready = batch.formats["key"].encoded(keyed, "key", ready.key, KEY_BYTES)
        if "header" in batch.formats:
            texts = header_texts(ready, "__header_texts")
            missing = sf.col("__header_texts").isNull() & sf.col("value").isNotNull()
            headed = texts.failed(missing, "Headers cannot be null with store.kafka.headers")
            ready = batch.formats["header"].encoded(headed, "__header_texts", HEADERS, HEADER_BYTES)
        return ready


def _projection(number: int) -> str:
    return f"{VALUE_BYTES}_in_{number}"


def _projections(others: Mapping[int, Schema]) -> Any:
    from pyspark.sql import functions as sf

    if not others:
        return sf.lit(None).cast("array<binary>")
    return sf.array(*(sf.col(_projection(number)) for number in others))


def _first(ranges: Ranges) -> Ranges:
    return {place: (start, min(end, start + _FIRST)) for place, (start, end) in ranges.items()}


def _or_nothing(records: Records, name: str) -> Any:
    from pyspark.sql import functions as sf

    return sf.col(name) if name in records.frame.columns else sf.lit(None).cast("binary")


def bad_records(batch: Batch, reporter: Reporter, since: Mapping[Place, int]) -> Iterator[Failure]:
    """Records that failed and that nobody has been told of."""
    for failure in reporter.read_failures(batch.records):
        place = (failure.topic, failure.partition or 0)
        if failure.offset is not None and failure.offset >= since.get(place, 0):
            yield failure
