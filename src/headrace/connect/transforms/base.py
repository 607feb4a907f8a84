"""What a transform is, and what the transforms share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from headrace.connect.configdef import ConfigKey
from headrace.connect.data.config import Config
from headrace.connect.data.records import Part, Records
from headrace.connect.data.schema import DATE, DECIMAL, TIME, TIMESTAMP, Schema, Type

# What Connect says of schemas without fields, where it asks for all of them and where for one.
NO_FIELDS = "Cannot list fields on non-struct type"
NO_FIELD = "Cannot look up fields on non-struct type"
PACKAGE = "org.apache.kafka.connect.transforms"

# Several batches where it leaves records of several schemas.
Transform = Callable[[Records], Records | tuple[Records, ...]]
Build = Callable[[Config, Part], Transform]


@dataclass(frozen=True, slots=True)
class TransformPlugin:
    """A transform as connectors name it: by its class, with `$Key` and `$Value` where it works on either."""

    name: str
    keys: tuple[ConfigKey, ...]
    build: Build
    sided: bool = True
    # Whether a record without a value goes on as it is, with the schema that it has.
    passes_nulls: bool = False

    def classes(self) -> dict[str, Part]:
        if not self.sided:
            return {self.name: "value"}
        return {f"{self.name}$Key": "key", f"{self.name}$Value": "value"}


def passing_nulls(transform: Transform, part: Part) -> Transform:
    """Of batches; a null among other values has their schema from then on, or none."""

    def apply(records: Records) -> Records | tuple[Records, ...]:
        return records if part in records.nulls else transform(records)

    return apply


_JAVA_CLASSES = {
    Type.INT8: "java.lang.Byte",
    Type.INT16: "java.lang.Short",
    Type.INT32: "java.lang.Integer",
    Type.INT64: "java.lang.Long",
    Type.FLOAT32: "java.lang.Float",
    Type.FLOAT64: "java.lang.Double",
    Type.BOOLEAN: "java.lang.Boolean",
    Type.STRING: "java.lang.String",
    Type.BYTES: "[B",
    Type.ARRAY: "java.util.ArrayList",
    Type.MAP: "java.util.HashMap",
    Type.STRUCT: "org.apache.kafka.connect.data.Struct",
}


def java_class(schema: Schema) -> str:
    """As Connect's messages name what they found."""
    if schema.name in (DATE, TIME, TIMESTAMP):
        return "java.util.Date"
    return "java.math.BigDecimal" if schema.name == DECIMAL else _JAVA_CLASSES[schema.type]


def refuse_unstructured(records: Records, part: Part, schema: Schema, purpose: str) -> Records:
    """Fails the records that have a value, which is no struct."""
    from pyspark.sql import functions as sf

    found = java_class(schema)
    message = f"Only Struct objects supported for [{purpose}], found: {found}"
    return records.failed(sf.col(part).isNotNull(), message)


def refuse_nulls(records: Records, part: Part, purpose: str) -> Records:
    """Fails the records that have no value; what Connect misses depends on whether they have a schema."""
    from pyspark.sql import functions as sf

    null, typed = sf.col(part).isNull(), sf.col(f"{part}_typed")
    struct = f"Only Struct objects supported for [{purpose}], found: null"
    map = f"Only Map objects supported in absence of schema for [{purpose}], found: null"
    return records.failed(null & typed, struct).failed(null & ~typed, map)
