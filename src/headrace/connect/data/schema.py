"""Connect's schemas: what Spark's types cannot carry (optional, name, version, parameters, defaults), kept beside them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql.types import DataType

DECIMAL = "org.apache.kafka.connect.data.Decimal"
DATE = "org.apache.kafka.connect.data.Date"
TIME = "org.apache.kafka.connect.data.Time"
TIMESTAMP = "org.apache.kafka.connect.data.Timestamp"

DATA_EXCEPTION = "org.apache.kafka.connect.errors.DataException"
SCHEMA_BUILDER_EXCEPTION = "org.apache.kafka.connect.errors.SchemaBuilderException"


def duplicated(field: str) -> str:
    """As Connect tells that a struct has a field twice."""
    return f"Cannot create field because of field name duplication {field}"


class ConnectFault(Exception):
    """A record or schema that Connect refuses: the class and message of its exception."""

    def __init__(self, message: str, kind: str = DATA_EXCEPTION) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind


class Type(StrEnum):
    """Connect's types by the names that its JSON converter writes."""

    INT8 = "int8"
    INT16 = "int16"
    INT32 = "int32"
    INT64 = "int64"
    FLOAT32 = "float"
    FLOAT64 = "double"
    BOOLEAN = "boolean"
    STRING = "string"
    BYTES = "bytes"
    ARRAY = "array"
    MAP = "map"
    STRUCT = "struct"


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class Schema:
    """`default` is the JSON text of the default value, as the JSON converter writes it; `keys` are those of a map,
    `values` those of a map or array."""

    type: Type
    optional: bool = False
    name: str | None = None
    version: int | None = None
    doc: str | None = None
    parameters: tuple[tuple[str, str], ...] = ()
    default: str | None = None
    fields: tuple[Field, ...] = ()
    keys: Schema | None = None
    values: Schema | None = None

    def field(self, name: str) -> Schema | None:
        return next((field.schema for field in self.fields if field.name == name), None)

    def basics(self, type: Type) -> Schema:
        """Name, version, doc and parameters alone, which is what transforms carry over to a schema of theirs."""
        return Schema(
            type,
            name=self.name,
            version=self.version,
            doc=self.doc,
            parameters=self.parameters,
        )

    def made_optional(self, optional: bool = True) -> Schema:
        return replace(self, optional=optional)

    def to_json(self) -> dict[str, Any]:
        """As the JSON converter writes it, in its order."""
        return self._structure() | {"optional": self.optional} | self._facts()

    def _structure(self) -> dict[str, Any]:
        shape: dict[str, Any] = {"type": str(self.type)}
        if self.type is Type.STRUCT:
            shape["fields"] = [f.schema.to_json() | {"field": f.name} for f in self.fields]
        if self.keys is not None:
            shape["keys"] = self.keys.to_json()
        if self.values is not None:
            name = "values" if self.type is Type.MAP else "items"
            shape[name] = self.values.to_json()
        return shape

    def _facts(self) -> dict[str, Any]:
        facts = {"name": self.name, "version": self.version, "doc": self.doc}
        known: dict[str, Any] = {n: fact for n, fact in facts.items() if fact is not None}
        if self.parameters:
            known["parameters"] = dict(self.parameters)
        if self.default is not None:
            known["default"] = json.loads(self.default)
        return known

    def text(self) -> str:
        return json.dumps(self.to_json(), separators=(",", ":"), ensure_ascii=False)

    def spark(self) -> DataType:
        from pyspark.sql import types as st

        logical = _logical_types(self).get(self.name or "")
        if logical is not None:
            return logical
        if self.type is Type.STRUCT:
            return st.StructType([st.StructField(f.name, f.schema.spark()) for f in self.fields])
        if self.type is Type.ARRAY and self.values is not None:
            return st.ArrayType(self.values.spark())
        if self.type is Type.MAP and self.keys is not None and self.values is not None:
            return st.MapType(self.keys.spark(), self.values.spark())
        return _plain_types()[self.type]

    def label(self) -> str:
        """As Connect's messages spell the type."""
        return self.type.name

    def __str__(self) -> str:
        """As Connect's messages spell a schema."""
        return f"Schema{{{self.name}:{self.label()}}}" if self.name else f"Schema{{{self.label()}}}"


def _plain_types() -> Mapping[Type, DataType]:
    from pyspark.sql import types as st

    return {
        Type.INT8: st.ByteType(),
        Type.INT16: st.ShortType(),
        Type.INT32: st.IntegerType(),
        Type.INT64: st.LongType(),
        Type.FLOAT32: st.FloatType(),
        Type.FLOAT64: st.DoubleType(),
        Type.BOOLEAN: st.BooleanType(),
        Type.STRING: st.StringType(),
        Type.BYTES: st.BinaryType(),
    }


def _logical_types(schema: Schema) -> Mapping[str, DataType]:
    from pyspark.sql import types as st

    told = dict(schema.parameters).get("scale", "0")
    scale = int(told) if re.fullmatch(r"[+-]?\d+", told) else 0
    # Connect's decimals have no precision; 38 digits are what Spark's can hold.
    # It has no scales below zero either; whole hundreds are whole numbers.
    decimal = st.DecimalType(38, max(scale, 0))
    return {DECIMAL: decimal, DATE: st.DateType(), TIMESTAMP: st.TimestampType()}


def struct(fields: Mapping[str, Schema], name: str | None = None) -> Schema:
    return Schema(Type.STRUCT, name=name, fields=tuple(Field(n, s) for n, s in fields.items()))


def timestamp(*, optional: bool = False) -> Schema:
    return Schema(Type.INT64, optional, TIMESTAMP, version=1)


def date(*, optional: bool = False) -> Schema:
    return Schema(Type.INT32, optional, DATE, version=1)


def time(*, optional: bool = False) -> Schema:
    return Schema(Type.INT32, optional, TIME, version=1)


def decimal(scale: int, *, optional: bool = False) -> Schema:
    return Schema(Type.BYTES, optional, DECIMAL, version=1, parameters=(("scale", str(scale)),))


def string(*, optional: bool = False) -> Schema:
    return Schema(Type.STRING, optional)
