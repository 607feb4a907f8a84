"""Schemas of Spark's types."""

import pytest
from pyspark.sql import types as st

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.data.spark_schema import schema_of_spark


@pytest.mark.parametrize(
    "schema",
    [
        *(
            Schema(type, optional=True)
            for type in Type
            if type not in (Type.ARRAY, Type.MAP, Type.STRUCT)
        ),
        cs.decimal(2, optional=True),
        cs.date(optional=True),
        cs.timestamp(optional=True),
        Schema(Type.ARRAY, optional=True, values=cs.string(optional=True)),
        Schema(Type.MAP, optional=True, keys=cs.string(), values=cs.date(optional=True)),
        cs.struct(
            {"a": cs.struct({"b": cs.string(optional=True)}).made_optional()}
        ).made_optional(),
    ],
)
def test_types_there_and_back(schema):
    assert schema_of_spark(schema.spark()) == schema


def test_columns_that_are_never_null():
    struct = st.StructType([st.StructField("a", st.LongType(), nullable=False)])
    assert schema_of_spark(struct).field("a") == Schema(Type.INT64)
    assert schema_of_spark(st.TimestampNTZType()) == cs.timestamp(optional=True)
