"""Records of the JSON converter whose beginnings repeat, and those that only look so."""

from __future__ import annotations

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.columns import from_json, schema_text
from headrace.connect.data.schema import Schema, Type

pytestmark = pytest.mark.spark

SCHEMA = (
    '{"type":"struct","fields":[{"type":"int32","optional":false,"field":"a"}],"optional":false}'
)
START = f'{{"schema":{SCHEMA},"payload":'


def test_every_record_is_read_as_if_it_were_alone(spark):
    from pyspark.sql import functions as sf

    other = SCHEMA.replace("int32", "int64")
    records = [
        START + '{"a":1}}',
        START + '{"a":2}}',
        START + '{"a":3}}  ',
        START + '{"a":4},"more":1}',
        START + '{"a":5}',
        START + '{"a":6}}}',
        f'{{"payload":{{"a":7}},"schema":{SCHEMA}}}',
        f'{{"schema":{other},"payload":{{"a":8}}}}',
        START + '{"a":9}}',
        '{"schema":null,"payload":{"a":10}}',
    ]
    frame = spark.createDataFrame(
        [(i, text.encode()) for i, text in enumerate(records)], "i int, value binary"
    ).coalesce(1)
    schema = cs.struct({"a": Schema(Type.INT32)})
    value = from_json(schema, sf.col("value"), envelope=True)
    rows = frame.select(schema_text(sf.col("value")).alias("s"), value.alias("v")).collect()
    read = [row.v.value and row.v.value.a for row in rows]
    assert read == [1, 2, 3, None, None, 6, 7, 8, 9, 10]
    assert [row.v.error is None for row in rows] == [n is not None for n in read]
    assert [row.s.value for row in rows if row.v.error is None] == [
        *(SCHEMA, SCHEMA, SCHEMA, SCHEMA, SCHEMA, other, SCHEMA, "null")
    ]
    assert "may not contain additional fields" in rows[3].v.error.message
