"""Output partitions: where within a topic's folder a record goes, and the time by which files are cut."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from headrace.connect.data.records import Records, fields_of, struct_of
from headrace.connect.data.schema import DATE, TIME, TIMESTAMP, Schema, Type
from headrace.connect.lake.arrivals import Arrivals
from headrace.connect.lake.columns import iso_millis, segment, time_path
from headrace.connect.lake.options import AFFIX
from headrace.connect.lake.settings import Settings

if TYPE_CHECKING:
    from pyspark.sql import Column

PATH, CLOCK = "path", "clock"

PARTITION_EXCEPTION = "io.confluent.connect.storage.errors.PartitionException"
_TEXTS = (Type.INT8, Type.INT16, Type.INT32, Type.INT64, Type.STRING, Type.BOOLEAN)

# Numbers that Connect hands over as times. Names of others, say Debezium's, change nothing.
_TIMES = (DATE, TIME, TIMESTAMP)


def placed(records: Records, settings: Settings, arrivals: Arrivals) -> Records:
    """With `path` and `clock`; records that have no place have an error."""
    return _affixed(_placed(records, settings, arrivals), settings)


def _affixed(records: Records, settings: Settings) -> Records:
    """With the name of the schema as a folder of its own, where `s3.schema.partition.affix.type` asks for it."""
    from pyspark.sql import functions as sf

    if settings[AFFIX] == "NONE":
        return records
    name = records.value.name if records.value is not None else None
    text = sf.lit(name).cast("string")
    folder = sf.concat(sf.lit("schema_name="), _escaped(text, settings))
    parts = [folder, sf.lit(settings["directory.delim"]), sf.col(PATH)]
    return records.changed(
        {PATH: sf.concat(*(parts if settings[AFFIX] == "PREFIX" else reversed(parts)))}
    )


def _placed(records: Records, settings: Settings, arrivals: Arrivals) -> Records:
    from pyspark.sql import functions as sf

    nothing = sf.lit(None).cast("long")
    match settings.partitioner:
        case "Default":
            path = sf.concat(sf.lit("partition="), sf.col("origin_partition").cast("string"))
            return records.changed({PATH: path, CLOCK: nothing})
        case "Field":
            return _by_fields(records, settings).changed({CLOCK: nothing})
    clocked = _clocked(records, settings, arrivals)
    path = time_path(
        settings.path_format,
        settings["timezone"],
        settings["locale"],
        settings.duration_ms,
        sf.coalesce(sf.col(CLOCK), sf.lit(0).cast("long")),
    )
    return clocked.changed({PATH: path})


def _by_fields(records: Records, settings: Settings) -> Records:
    from pyspark.sql import functions as sf

    schema = records.value
    absent = sf.lit(None).cast("string")
    if schema is None or schema.type is not Type.STRUCT:
        failed = _failed(records, "Value is not Struct type.")
        return failed.changed({PATH: absent})
    parts = []
    for name in settings.partition_fields:
        field = _field(schema, name)
        if field is None or field.type not in _TEXTS or field.name in _TIMES:
            reason = (
                f"Unable to find field '{name}'"
                if field is None
                else f"Type {field} is not supported as a partition key"
            )
            return _failed(records, f"Error encoding partition: {reason}.").changed({PATH: absent})
        parts.append(_part(name, _value(name).cast("string"), settings))
    return records.changed({PATH: sf.concat_ws(settings["directory.delim"], *parts)})


def _part(name: str, text: Column, settings: Settings) -> Column:
    from pyspark.sql import functions as sf

    escaped = _escaped(text, settings)
    if settings["partition.field.format.path"]:
        return sf.concat(sf.lit(f"{name}="), escaped)
    # A folder called by the value alone must not be that above it, or none.
    climbing = sf.when(escaped == "", sf.lit("%")).when(
        escaped.isin(".", ".."), sf.replace(escaped, sf.lit("."), sf.lit("%2E"))
    )
    return sf.coalesce(climbing, escaped)


def _escaped(text: Column, settings: Settings) -> Column:
    from pyspark.sql import functions as sf

    return segment(settings["directory.delim"], sf.coalesce(text, sf.lit("null")))


def _field(schema: Schema, name: str) -> Schema | None:
    found: Schema | None = schema
    for step in name.split("."):
        found = None if found is None else found.field(step)
    return found


def _value(name: str) -> Column:
    from pyspark.sql import functions as sf

    value = sf.col("value")
    for step in name.split("."):
        value = value.getField(step)
    return value


def _failed(records: Records, message: str) -> Records:
    from pyspark.sql import functions as sf

    return records.failed(sf.col("value").isNotNull(), message, PARTITION_EXCEPTION)


def _clocked(records: Records, settings: Settings, arrivals: Arrivals) -> Records:
    """With the records' time, from where `timestamp.extractor` says."""
    from pyspark.sql import functions as sf

    match settings["timestamp.extractor"]:
        case "Wallclock":
            return records.changed({CLOCK: arrivals.column(int(time.time() * 1000))})
        case "Record":
            return records.changed({CLOCK: sf.unix_millis("timestamp")})
    name = settings["timestamp.field"]
    millis = _millis(records.value, name)
    if millis is None:
        failed = _failed(records, f"Unable to find timestamp field '{name}', or it is no time.")
        return failed.changed({CLOCK: sf.lit(None).cast("long")})
    clocked = records.changed({CLOCK: millis})
    without = sf.col("value").isNotNull() & sf.col(CLOCK).isNull()
    return clocked.failed(without, f"The timestamp field '{name}' is no time.", PARTITION_EXCEPTION)


def _millis(schema: Schema | None, name: str) -> Column | None:
    from pyspark.sql import functions as sf

    if schema is None:
        text = sf.get_json_object(sf.col("value"), f"$.{name}")
        return sf.coalesce(text.try_cast("long"), iso_millis(text))
    field = _field(schema, name)
    if field is None:
        return None
    value = _value(name)
    if field.name == TIMESTAMP:
        return sf.unix_millis(value)
    if field.type is Type.STRING:
        return iso_millis(value)
    counted = field.type in (Type.INT32, Type.INT64) and field.name not in _TIMES
    return value.cast("long") if counted else None


def without_fields(records: Records, names: list[str]) -> Records:
    """Without fields of the value that the path says already."""
    from pyspark.sql import functions as sf

    schema = records.value
    if not names or schema is None or schema.type is not Type.STRUCT:
        return records
    left = replace(schema, fields=tuple(f for f in schema.fields if f.name not in names))
    columns = fields_of(sf.col("value"), left, defaults=False)
    return records.of_value("value", left, struct_of(columns, sf.col("value").isNotNull()))
