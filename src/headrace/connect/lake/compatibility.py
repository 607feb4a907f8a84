"""Records of several versions of a schema in one file: which may share it, and how they are brought to its schema.

Only values are brought to another schema. A file has the schema of its first record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.connect.data.columns import default_of
from headrace.connect.data.records import struct_of
from headrace.connect.data.schema import Schema, Type

if TYPE_CHECKING:
    from pyspark.sql import Column

PROJECTOR_EXCEPTION = "org.apache.kafka.connect.errors.SchemaProjectorException"

# A number of one of these can become one of any later.
_WIDENING = (Type.INT8, Type.INT16, Type.INT32, Type.INT64, Type.FLOAT32, Type.FLOAT64)


def fault(mode: str, schema: Schema | None) -> str | None:
    """Why records of a schema cannot be compared with others, in a mode that compares them."""
    if mode == "NONE" or schema is None or schema.version is not None:
        return None
    return f"schema.compatibility {mode} needs schemas with a version; {schema} has none"


def shares(mode: str, record: Schema | None, file: Schema | None) -> bool:
    """Whether records of a schema go into a file of another one."""
    if mode == "NONE" or record is None or file is None:
        return False
    if record.version is None or file.version is None:
        return False
    in_order = (
        record.version >= file.version if mode == "FORWARD" else record.version <= file.version
    )
    return in_order and fits(record, file)


def clashes(mode: str, record: Schema | None, file: Schema | None) -> bool:
    """Whether one has a schema and the other has none."""
    return mode != "NONE" and (record is None) != (file is None)


def fits(source: Schema, target: Schema) -> bool:
    """Whether every value of a schema is one of the other's, by its defaults where it has more."""
    if (source.name, dict(source.parameters)) != (target.name, dict(target.parameters)):
        return False
    if source.optional and not target.optional and target.default is None:
        return False
    if source.type is not target.type:
        return _widens(source, target)
    if source.type is Type.STRUCT:
        return all(_has(source, field.name, field.schema) for field in target.fields)
    inner = ((source.keys, target.keys), (source.values, target.values))
    return all(mine is None or other is None or fits(mine, other) for mine, other in inner)


def _widens(source: Schema, target: Schema) -> bool:
    if source.type not in _WIDENING or target.type not in _WIDENING:
        return False
    return _WIDENING.index(source.type) < _WIDENING.index(target.type)


def _has(source: Schema, name: str, wanted: Schema) -> bool:
    found = source.field(name)
    if found is None:
        return wanted.optional or wanted.default is not None
    return fits(found, wanted)


def projected(value: Column, source: Schema, target: Schema) -> Column:
    """A value of a schema as one of another that it fits."""
    from pyspark.sql import functions as sf

    found = _inside(value, source, target).cast(target.spark())
    if source.optional and not target.optional:
        return sf.coalesce(found, default_of(target))
    return found


def _inside(value: Column, source: Schema, target: Schema) -> Column:
    from pyspark.sql import functions as sf

    if source.type is Type.STRUCT:
        fields = {
            field.name: _field(value, source, field.name, field.schema) for field in target.fields
        }
        return struct_of(fields, value.isNotNull())
    values, wanted = source.values, target.values
    if values is None or wanted is None:
        return value
    if source.keys is None or target.keys is None:
        return sf.transform(value, lambda item: projected(item, values, wanted))
    keys, wanted_keys = source.keys, target.keys
    entries = sf.transform(
        sf.map_entries(value),
        lambda entry: sf.struct(
            projected(entry["key"], keys, wanted_keys).alias("key"),
            projected(entry["value"], values, wanted).alias("value"),
        ),
    )
    return sf.map_from_entries(entries)


def _field(struct: Column, source: Schema, name: str, wanted: Schema) -> Column:
    from pyspark.sql import functions as sf

    found = source.field(name)
    if found is not None:
        return projected(struct.getField(name), found, wanted)
    if wanted.default is not None:
        return default_of(wanted)
    return sf.lit(None).cast(wanted.spark())
