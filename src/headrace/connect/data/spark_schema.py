"""Schemas for columns that come from elsewhere than Connect: everything optional, as columns are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Field, Schema, Type

if TYPE_CHECKING:
    from pyspark.sql.types import DataType


def schema_of_spark(type: DataType, *, optional: bool = True) -> Schema:
    from pyspark.sql import types as st

    match type:
        case st.StructType():
            fields = tuple(
                Field(f.name, schema_of_spark(f.dataType, optional=f.nullable)) for f in type.fields
            )
            return Schema(Type.STRUCT, optional, fields=fields)
        case st.ArrayType():
            return Schema(Type.ARRAY, optional, values=schema_of_spark(type.elementType))
        case st.MapType():
            keys = schema_of_spark(type.keyType, optional=False)
            return Schema(Type.MAP, optional, keys=keys, values=schema_of_spark(type.valueType))
        case st.DecimalType():
            return cs.decimal(type.scale, optional=optional)
        case st.DateType():
            return cs.date(optional=optional)
        case st.TimestampType() | st.TimestampNTZType():
            return cs.timestamp(optional=optional)
    return Schema(_PLAIN[type.typeName()], optional)


_PLAIN = {
    "byte": Type.INT8,
    "short": Type.INT16,
    "integer": Type.INT32,
    "long": Type.INT64,
    "float": Type.FLOAT32,
    "double": Type.FLOAT64,
    "boolean": Type.BOOLEAN,
    "string": Type.STRING,
    "binary": Type.BYTES,
}
