"""What transforms share."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.base import TransformPlugin, java_class, refuse_nulls


def test_classes_of_either_part_or_of_the_whole():
    sided = TransformPlugin("org.X", (), lambda config, part: lambda records: records)
    assert sided.classes() == {"org.X$Key": "key", "org.X$Value": "value"}
    whole = TransformPlugin("org.Y", (), lambda config, part: lambda records: records, sided=False)
    assert whole.classes() == {"org.Y": "value"}


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        (Schema(Type.INT8), "java.lang.Byte"),
        (cs.string(), "java.lang.String"),
        (cs.timestamp(), "java.util.Date"),
        (cs.decimal(1), "java.math.BigDecimal"),
        (Schema(Type.BYTES), "[B"),
    ],
)
def test_what_messages_call_a_value(schema, name):
    assert java_class(schema) == name


@pytest.mark.spark
def test_nulls_are_missed_by_what_they_should_have_been(connect):
    from pyspark.sql import functions as sf

    records = connect.records(
        [None, None, {"a": "x"}], cs.struct({"a": cs.string()}), partition=[0, 1, 2]
    )
    typed = records.changed({"value_typed": sf.col("partition") != 1})
    assert [
        row.error and row.error["message"]
        for row in refuse_nulls(typed, "value", "p").frame.collect()
    ] == [
        "Only Struct objects supported for [p], found: null",
        "Only Map objects supported in absence of schema for [p], found: null",
        None,
    ]
