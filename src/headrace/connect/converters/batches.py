"""Batches of Kafka's records as batches of Connect's, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from headrace.connect.converters.base import Converter, ReadsHeaders, WritesHeaders
from headrace.connect.data.columns import NULL_MARK
from headrace.connect.data.records import HEADERS, Part, Records
from headrace.connect.data.schema import ConnectFault, Schema

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

Tags = tuple[str | None, str | None]

# Error of a record whose schemas are not those that a batch was read with.
NEW_SCHEMA = "headrace.NewSchema"
_KEY, _VALUE = "__key_part", "__value_part"

# Of a record whose key and value both fail, the key's failure is told.
_WRITING_STAGE = (
    f"coalesce(stage, CASE WHEN error IS NOT NULL OR {_KEY}.error IS NOT NULL THEN 'KEY_CONVERTER'"
    f" WHEN {_VALUE}.error IS NOT NULL THEN 'VALUE_CONVERTER' END)"
)


def read_batch(frame: DataFrame, key: Converter, value: Converter) -> tuple[Records, ...]:
    """Records of a frame with Kafka's columns, a batch for each pair of schemas in it. Where records carry their
    schemas they are looked through once to find these."""
    found = found_tags(frame, key, value)
    return read_found(frame, key, value, found)


def found_tags(frame: DataFrame, key: Converter, value: Converter) -> set[Tags]:
    """The pairs of tags that records of a frame have; it is looked through only where records carry their schemas."""
    from pyspark.sql import functions as sf

    frame = _with_ids(frame, key, value)
    tags = [key.tag(sf.col("key")), value.tag(sf.col("value"))]
    if all(tag is None for tag in tags):
        return {(None, None)}
    constant = sf.lit(None).cast("string")
    columns = [constant if tag is None else tag for tag in tags]
    return {(row[0], row[1]) for row in frame.select(*columns).distinct().collect()}


def read_found(
    frame: DataFrame, key: Converter, value: Converter, found: Iterable[Tags]
) -> tuple[Records, ...]:
    """A batch for each pair of schemas, of a frame that was looked through."""
    from pyspark.sql import functions as sf

    frame = _with_ids(frame, key, value)
    tags = {_KEY: key.tag(sf.col("key")), _VALUE: value.tag(sf.col("value"))}
    if all(tag is None for tag in tags.values()):
        return (_records(frame, key, value, (None, None)),)
    constant = sf.lit(None).cast("string")
    tagged = frame.withColumns({n: constant if tag is None else tag for n, tag in tags.items()})
    return tuple(
        _records(_having(tagged, pairs), key, value, tag) for tag, pairs in groups(found).items()
    )


def only_tags(frame: DataFrame, key: Converter, value: Converter) -> Tags | None:
    """The tags that all records of a frame have, for `read_expected`; None where they differ."""
    known = groups(found_tags(frame, key, value))
    return next(iter(known)) if len(known) == 1 else None


def read_expected(frame: DataFrame, key: Converter, value: Converter, tags: Tags) -> Records:
    """Records of the schemas of these tags, without a look at them before; others have the error NEW_SCHEMA."""
    from pyspark.sql import functions as sf

    frame = _with_ids(frame, key, value)
    other = sf.lit(False)
    for part, converter, known in (("key", key, tags[0]), ("value", value, tags[1])):
        tag = converter.tag(sf.col(part))
        if tag is not None:
            differs = tag != sf.lit(known) if known is not None else tag.isNotNull()
            other = other | sf.coalesce(differs, sf.lit(False))
    error = sf.struct(sf.lit(NEW_SCHEMA).alias("class"), sf.lit("").alias("message"))
    return _records(frame.withColumn("error", sf.when(other, error)), key, value, tags)


def _with_ids(frame: DataFrame, key: Converter, value: Converter) -> DataFrame:
    """With the ids of schemas before the bytes, where a converter's writers put them into headers."""
    from pyspark.sql import functions as sf

    named = [("key", key), ("value", value)]
    moved = {
        part: converter.with_id(sf.col(part), sf.col("headers"))
        for part, converter in named
        if isinstance(converter, ReadsHeaders) and "headers" in frame.columns
    }
    return frame.withColumns(moved)


def groups(found: Iterable[Tags]) -> dict[Tags, list[Tags]]:
    """Pairs of tags by the pair that stands for them: tombstones and records without a key go with those that have
    one, since a null is of any schema."""
    result: dict[Tags, list[Tags]] = {}
    for pair in sorted(found, key=_rank):
        home = next((known for known in result if _agree(pair, known)), pair)
        result.setdefault(home, []).append(pair)
    return result


def _rank(pair: Tags) -> tuple[int, bool, str]:
    """Those that others may go with come first: with as few tags missing as can be, and not of nulls."""
    return pair.count(None), any(tag and tag.endswith(NULL_MARK) for tag in pair), str(pair)


def _agree(pair: Tags, known: Tags) -> bool:
    return all(mine is None or mine == other for mine, other in zip(pair, known, strict=True))


def _having(tagged: DataFrame, pairs: list[Tags]) -> DataFrame:
    from pyspark.sql import functions as sf

    chosen = sf.lit(False)
    for key, value in pairs:
        same = sf.col(_KEY).eqNullSafe(sf.lit(key)) & sf.col(_VALUE).eqNullSafe(sf.lit(value))
        chosen = chosen | same
    return tagged.filter(chosen).drop(_KEY, _VALUE)


def _records(frame: DataFrame, key: Converter, value: Converter, tags: Tags) -> Records:
    parts: tuple[tuple[Part, Converter], ...] = (("key", key), ("value", value))
    records = Records.of(frame, None, None)
    for (part, converter), tag in zip(parts, tags, strict=True):
        records = _decoded(records, part, converter, tag).staged(f"{part.upper()}_CONVERTER")
    return records


def _decoded(records: Records, part: Part, converter: Converter, tag: str | None) -> Records:
    from pyspark.sql import functions as sf

    data = sf.col(part).cast("binary")
    try:
        schema = converter.schema(tag)
    except ConnectFault as fault:
        return _without_schema(records, part, converter, fault)
    told = records if schema is None else _told_typed(records, part, converter, schema, tag)
    read = told.of_outcome(part, schema, converter.decode(schema, tag, data))
    return replace(read, nulls=told.nulls)


def _without_schema(
    records: Records, part: Part, converter: Converter, fault: ConnectFault
) -> Records:
    """Records of a schema that is none. Those in which no schema is found are among them, with faults of their own."""
    from pyspark.sql import functions as sf

    data = sf.col(part).cast("binary")
    tag = converter.tag(data)
    carried = sf.lit(True) if tag is None else tag.isNotNull()
    failed = records.failed(carried, fault.message, fault.kind)
    read = failed.of_outcome(part, None, converter.decode(None, None, data))
    return read.of_value(part, None, sf.lit(None).cast("string"))


def _told_typed(
    records: Records, part: Part, converter: Converter, schema: Schema, tag: str | None
) -> Records:
    """Which records have the schema: nulls may have it, no bytes have none, but of a converter that has but one."""
    from pyspark.sql import functions as sf

    data = sf.col(part).cast("binary")
    if converter.tag(data) is None:
        always = replace(records, always_typed=records.always_typed | {part})
        return always.changed({f"{part}_typed": sf.lit(True)})
    only_nulls = (tag or "").endswith(NULL_MARK) and schema.default is None
    nulls = records.nulls | {part} if only_nulls else records.nulls
    return replace(records, nulls=nulls).changed({f"{part}_typed": data.isNotNull()})


def write_batch(records: Records, key: Converter, value: Converter) -> DataFrame:
    """The batch with bytes for keys and values. What could not be converted has its error and no bytes."""
    from pyspark.sql import functions as sf

    outcomes = {
        _KEY: key.encode(records.key, sf.col("key"), sf.col("key_typed")),
        _VALUE: value.encode(records.value, sf.col("value"), sf.col("value_typed")),
    }
    columns = {
        **_with_id_headers({_KEY: key, _VALUE: value}),
        "error": sf.expr(f"coalesce(error, {_KEY}.error, {_VALUE}.error)"),
        "stage": sf.expr(_WRITING_STAGE),
    }
    return records.frame.withColumns(outcomes).withColumns(columns).drop(_KEY, _VALUE)


def _with_id_headers(converters: Mapping[str, Converter]) -> dict[str, Column]:
    """Keys and values; ids of their schemas are in headers where a converter puts them there."""
    from pyspark.sql import functions as sf

    columns, headers = {}, []
    for (outcome, converter), name in zip(converters.items(), ("key", "value"), strict=True):
        data = sf.col(outcome)["value"]
        columns[name] = data
        if isinstance(converter, WritesHeaders):
            columns[name] = converter.without_id(data)
            headers.append(sf.when(data.isNotNull(), converter.id_headers(data)))
    if headers:
        none = sf.array().cast(HEADERS)
        lists = [sf.coalesce(each, none) for each in (sf.col("headers"), *headers)]
        columns["headers"] = sf.concat(*lists).cast(HEADERS)
    return columns
