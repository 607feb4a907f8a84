"""Batches of records, and the ways to change them."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.records import Records, field_of
from headrace.connect.data.schema import Schema, Type

pytestmark = pytest.mark.spark


def test_columns_that_a_frame_lacks(connect):
    frame = connect.spark.createDataFrame([("t", "x"), ("t", None)], "topic string, value string")
    records = Records.of(frame, None, cs.string(optional=True))
    rows = records.frame.collect()
    assert set(records.frame.columns) == {
        "topic",
        "partition",
        "key",
        "value",
        "headers",
        "timestamp",
        "key_typed",
        "value_typed",
        "dropped",
        "error",
        "stage",
    }
    assert [(row.value_typed, row.key_typed, row.dropped, row.error) for row in rows] == [
        (True, False, False, None),
        (False, False, False, None),
    ]
    assert not records.is_sink
    assert connect.records(["1"], offset=[5]).is_sink


def test_the_first_error_stays(connect):
    from pyspark.sql import functions as sf

    records = connect.records(["a", "b"], cs.string())
    is_a = sf.col("value") == "a"
    failed = records.failed(is_a, "first", "java.lang.Error").failed(sf.lit(True), "second")
    assert [tuple(row.error) for row in failed.frame.collect()] == [
        ("java.lang.Error", "first"),
        ("org.apache.kafka.connect.errors.DataException", "second"),
    ]


def test_good_and_bad_records_are_told_apart(connect):
    from pyspark.sql import functions as sf

    records = connect.records(["a", "b"], cs.string()).failed(sf.col("value") == "a", "no")
    assert [row.value for row in records.good().frame.collect()] == ["b"]
    assert [row.value for row in records.bad().frame.collect()] == ["a"]


def test_headers_are_added_to_all_or_some(connect):
    from pyspark.sql import functions as sf

    records = connect.records(["a", "b"], cs.string(), headers=[None, [("h", b"0")]])
    added = records.with_header("x", cs.string(), sf.lit("1")).with_header(
        "y", cs.string(optional=True), sf.lit(None).cast("string"), sf.col("value") == "a"
    )
    assert [
        [(h["key"], h["value"] and bytes(h["value"])) for h in row.headers]
        for row in added.frame.collect()
    ] == [[("x", b"1"), ("y", None)], [("h", b"0"), ("x", b"1")]]


def test_defaults_stand_in_for_nulls_where_asked(connect):
    from pyspark.sql import functions as sf

    field = cs.decimal(2, optional=True)
    with_default = Schema(
        field.type, True, field.name, 1, parameters=field.parameters, default='"AfQ="'
    )
    row = cs.struct({"d": with_default, "s": cs.string(optional=True)})
    records = connect.records([{"d": None, "s": None}], row)
    columns = [
        field_of(sf.col("value"), "d", with_default, defaults=given) for given in (True, False)
    ]
    found = records.frame.select(
        *columns, field_of(sf.col("value"), "s", cs.string(), defaults=True)
    ).collect()[0]
    assert [str(found[0]), found[1], found[2]] == ["5.00", None, None]


def test_schemas_by_part(connect):
    records = connect.records(["a"], cs.string(), keys=[1], key_schema=Schema(Type.INT32))
    assert (records.schema("key"), records.schema("value")) == (Schema(Type.INT32), cs.string())
    assert records.with_schema("key", None).key is None
