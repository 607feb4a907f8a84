"""Columns of the JVM that other tests do not reach."""

import datetime as dt

import pytest

from headrace.connect.data import columns
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type

pytestmark = pytest.mark.spark


def test_texts_of_headers(connect):
    from pyspark.sql import functions as sf

    row = cs.struct(
        {
            "i": Schema(Type.INT8),
            "s": cs.string(),
            "b": Schema(Type.BYTES),
            "t": cs.timestamp(),
            "d": cs.date(),
            "c": cs.time(),
            "m": Schema(Type.MAP, keys=cs.string(), values=Schema(Type.INT32)),
            "n": cs.string(optional=True),
        }
    )
    value = {
        "i": 1,
        "s": 'a"b',
        "b": bytearray(b"\x01"),
        "t": dt.datetime(2024, 1, 2, 3, 4, 5),
        "d": dt.date(2024, 1, 2),
        "c": 3723004,
        "m": {"k": 1},
        "n": None,
    }
    frame = connect.records([value], row).frame
    texts = frame.select(
        columns.header_text(row, sf.col("value")),
        *(
            columns.header_text(row.field(name), sf.col("value")[name])
            for name in ("s", "b", "t", "d", "c", "n")
        ),
        columns.header_text(None, sf.lit('{"a":[null,1.5,"x"]}')),
    ).collect()[0]
    assert texts[0] == (
        '{"i":1,"s":"a\\"b","b":"AQ==","t":2024-01-02T03:04:05.000Z,"d":2024-01-02,"c":01:02:03.004Z,"m":{"k":1},"n":null}'
    )
    assert list(texts[1:7]) == [
        'a"b',
        "AQ==",
        "2024-01-02T03:04:05.000Z",
        "2024-01-02",
        "01:02:03.004Z",
        None,
    ]
    assert texts[7] == '{"a":[null,1.5,"x"]}'


def test_defaults_of_every_shape(connect):
    row = Schema(
        Type.STRUCT,
        default='{"a":[1,2],"d":5}',
        fields=cs.struct(
            {"a": Schema(Type.ARRAY, values=Schema(Type.INT16)), "d": cs.date()}
        ).fields,
    )
    found = connect.spark.range(1).select(columns.default_of(row).alias("v")).collect()[0].v
    assert found.asDict() == {"a": [1, 2], "d": dt.date(1970, 1, 6)}


def test_decimals_beyond_what_spark_holds_are_errors(connect):
    from pyspark.sql import functions as sf

    data = sf.lit(bytearray(b"9" * 39))
    found = (
        connect.spark.range(1)
        .select(columns.from_json(cs.decimal(0), data, envelope=False).alias("o"))
        .collect()[0]
        .o
    )
    assert found.value is None
    assert found.error.message == "Decimals of more than 38 digits are not read"
