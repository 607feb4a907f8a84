"""Records of the JSON converter whose beginnings repeat, and those that only look so."""

from __future__ import annotations

from typing import Any

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.columns import from_json, schema_tag
from headrace.connect.data.schema import Field, Schema, Type

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
    rows = frame.select(schema_tag(sf.col("value")).alias("s"), value.alias("v")).collect()
    read = [row.v.value and row.v.value.a for row in rows]
    assert read == [1, 2, 3, None, None, 6, 7, 8, 9, 10]
    assert [row.v.error is None for row in rows] == [n is not None for n in read]
    assert [row.s.value for row in rows if row.v.error is None] == [
        *(SCHEMA, SCHEMA, SCHEMA, SCHEMA, SCHEMA, other, SCHEMA, "null")
    ]
    assert "may not contain additional fields" in rows[3].v.error.message


FIELDS = {
    "id": Schema(Type.INT64),
    "small": Schema(Type.INT8, optional=True),
    "price": Schema(Type.FLOAT64, optional=True),
    "text": cs.string(optional=True),
    "truth": Schema(Type.BOOLEAN, optional=True),
    "at": cs.timestamp(optional=True),
    "day": cs.date(optional=True),
    "money": cs.decimal(2, optional=True),
    "rank": Schema(Type.INT32, optional=True, default="7"),
    "list": Schema(Type.ARRAY, optional=True, values=cs.string(optional=True)),
    "inner": Schema(Type.STRUCT, optional=True, fields=(Field("x", Schema(Type.INT32)),)),
}
PAYLOADS = [
    '{"id":1,"small":5,"price":1.25,"text":"a\\u00e9","truth":true,"at":1,"day":2,"money":"AQ==","rank":1}',
    '{"text":"b","id":2}',
    '{"id":3,"more":{"deep":[1,{"id":9}]},"list":["x",null,"y"],"inner":{"x":4,"z":[]},"rank":null}',
    '{"id":4,"price":3,"list":[],"inner":null}',
    '{"id":5,"id":6}',
    # Of other kinds than their fields have: what Connect makes of them is not for the short way to say.
    '{"id":7.9,"small":300,"price":"1","text":8,"truth":"yes"}',
    '{"id":36893488147419103232}',
    '{"small":1}',
    '{"id":8,"at":"now"}',
    '{"id":8,"inner":[]}',
    '{"id":8,"inner":{}}',
    '{"id":null}',
    "[]",
    "null",
    '{"id":9,}',
    "",
]


@pytest.mark.parametrize("blank", ["", " "])
def test_the_short_way_reads_what_the_long_one_does(spark, blank):
    from pyspark.sql import functions as sf

    schema = cs.struct(FIELDS)
    start = f'{{"schema":{blank}{schema.text()},{blank}"payload":{blank}'
    backwards = [f'{{"payload":{text},"schema":{schema.text()}}}' for text in PAYLOADS]
    usual = [start + text + "}" for text in (PAYLOADS[1], *PAYLOADS)]

    def read(texts: list[str]) -> list[Any]:
        frame = spark.createDataFrame([(text.encode(),) for text in texts], "value binary")
        value = from_json(schema, sf.col("value"), envelope=True)
        rows = frame.coalesce(1).select(value.alias("v")).collect()
        return [row.v.value or (row.v.error and row.v.error["class"]) for row in rows]

    short = read(usual)[1:]
    assert short == read(backwards)
    assert [row.id for row in short[:6]] == [1, 2, 3, 4, 6, 7]
    assert (short[0].text, short[1].rank, short[2].list, short[2].inner.x) == (
        *("aé", 7, ["x", None, "y"], 4),
    )
    assert short[-1] == short[-2] == "org.apache.kafka.connect.errors.DataException"
