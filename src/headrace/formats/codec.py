"""Applies formats to DataFrames: Kafka's bytes to weighted rows and back, all of it inside the JVM."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headrace.catalog.options import ParsedOptions
from headrace.changelog import WEIGHT
from headrace.formats.base import Format, Part, SchemaFormat, type_spec
from headrace.formats.changelog import ChangelogFormat, MessageKey
from headrace.types import DataType, quote, row_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame


@dataclass(frozen=True, slots=True)
class FormatUse:
    """A format at work in a table: each column as (name in the table, name inside the format, type), in the
    order the format has them."""

    format: Format
    options: ParsedOptions
    columns: tuple[tuple[str, str, DataType], ...]


def decode(
    df: DataFrame,
    *,
    key: FormatUse | None,
    value: FormatUse,
    upsert: bool,
    keep: Sequence[str],
    needed: Sequence[str] | None = None,
    metadata: Mapping[str, MessageKey] | None = None,
    keyed: Sequence[str] = (),
) -> DataFrame:
    """Kafka's records as rows: the columns in `needed` (by default the key's own, then the value's) and `metadata`, then
    those of `df` named in `keep`, then the weight. A record that cannot be decoded is an error."""
    from pyspark.sql import functions as sf

    physical = tuple(_table_columns(key, value)) if needed is None else tuple(needed)
    names = (*physical, *(metadata or {}))
    # A table may call a column `offset`: kept columns go by private names past the decoded ones.
    kept = {f"__kept_{i}": name for i, name in enumerate(keep)}
    spec = decoder_spec(
        key=key, value=value, upsert=upsert, needed=physical, metadata=metadata or {}, keyed=keyed
    )
    record = [sf.col(name) for name in ("key", "value", "topic", "partition", "offset")]
    rows = _codec(df, "decode", spec, record)
    decoded = df.select(
        *(sf.col(quote(name)).alias(alias) for alias, name in kept.items()), sf.inline(rows)
    )
    return decoded.select(
        *(sf.col(quote(name)) for name in names),
        *(sf.col(alias).alias(name) for alias, name in kept.items()),
        WEIGHT,
    )


def decoder_spec(
    *,
    key: FormatUse | None,
    value: FormatUse,
    upsert: bool,
    needed: Sequence[str],
    room: int = 0,
    metadata: Mapping[str, MessageKey] | None = None,
    keyed: Sequence[str] = (),
) -> dict[str, Any]:
    """What the JVM's decoder is told: `metadata` are columns of a message's metadata, which follow those in `needed`;
    `keyed` are the columns of the primary key (all of them needed) where changes are given by key; `room` is the number
    of cells that its caller adds to each row."""
    asked = metadata or {}
    types = _table_columns(key, value) | {name: kept.type for name, kept in asked.items()}
    names = [*needed, *asked]
    cells = {name: cell for cell, name in enumerate(names)}
    of_value = part_spec(value, "value", needed)
    return {
        "upsert": upsert,
        "weight": WEIGHT,
        "columns": [{"name": name, "type": type_spec(types[name])} for name in names],
        "key": None if key is None else part_spec(key, "key", needed),
        "value": of_value | {"metadata": [kept.spec(cells[name]) for name, kept in asked.items()]},
        "keyed": [cells[name] for name in keyed],
        "room": room,
    }


def encode(
    df: DataFrame, *, key: FormatUse | None, value: FormatUse, keep: Sequence[str]
) -> DataFrame:
    """Rows as Kafka's records: `key` (NULL without a key format), `value` (without the message around it, and NULL for a
    row that goes), then `keep`."""
    from pyspark.sql import functions as sf

    key_bytes = sf.lit(None).cast("binary") if key is None else _encoded(df, key, "key")
    value_bytes = sf.when(sf.col(WEIGHT) >= 0, _encoded(df, value, "value"))
    return df.select(
        key_bytes.alias("key"),
        value_bytes.alias("value"),
        *(sf.col(quote(name)) for name in keep),
    )


def _table_columns(key: FormatUse | None, value: FormatUse) -> dict[str, DataType]:
    keys = () if key is None else key.columns
    in_value = {name for name, _, _ in value.columns}
    return {
        name: type for name, _, type in (*(c for c in keys if c[0] not in in_value), *value.columns)
    }


def part_spec(use: FormatUse, part: Part, needed: Sequence[str] = ()) -> dict[str, Any]:
    return {
        "format": use.format.name,
        "part": part,
        "options": _options(use),
        "fields": list(_field_specs(use, needed)),
    } | _message_spec(use)


def _message_spec(use: FormatUse) -> dict[str, Any]:
    """What stands around the rows of a format that writes changes."""
    if not isinstance(use.format, ChangelogFormat):
        return {}
    return {"envelope": use.format.envelope(use.options).spec()}


def _options(use: FormatUse) -> dict[str, Any]:
    options = use.format.spec(use.options)
    if isinstance(use.format, SchemaFormat):
        fields = row_of((inner, type) for _, inner, type in use.columns)
        options = options | {"schema": use.format.schema(fields, use.options)}
    return options


def _field_specs(use: FormatUse, needed: Sequence[str]) -> Iterator[dict[str, Any]]:
    cells = {name: cell for cell, name in enumerate(needed)}
    for column, name, type in use.columns:
        field = {"name": name, "type": type_spec(type)}
        yield field | ({"cell": cells[column]} if column in cells else {})


def _encoded(df: DataFrame, use: FormatUse, part: Part) -> Column:
    from pyspark.sql import functions as sf

    # The JVM reads each cell by its declared type, so a narrower or wider one must be cast first.
    row = sf.struct(
        *(
            sf.col(quote(column)).cast(type.spark()).alias(name)
            for column, name, type in use.columns
        )
    )
    return _codec(df, "encode", part_spec(use, part), [row])


def _codec(df: DataFrame, method: str, spec: dict[str, Any], arguments: Sequence[Column]) -> Column:
    from pyspark.sql.classic.column import Column as ClassicColumn

    jvm: Any = df.sparkSession._jvm
    codecs = jvm.headrace.formats.Codecs
    columns = [argument._jc for argument in arguments]
    return ClassicColumn(getattr(codecs, method)(json.dumps(spec), *columns))
