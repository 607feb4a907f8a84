"""HoistField, with and without schemas."""

import pytest
from pyspark.sql import functions as sf

from headrace.connect.data import schema as cs


@pytest.mark.spark
def test_the_whole_becomes_a_field(connect):
    result = connect.apply("HoistField$Value", {"field": "line"}, ["a", "b"], cs.string())
    assert result.values == [{"line": "a"}, {"line": "b"}]
    assert result.value_schema == cs.struct({"line": cs.string()})
    keyed = connect.apply("HoistField$Key", {"field": "k"}, ["1", "2"], keys=['{"a":1}', None])
    assert keyed.keys == ['{"k":{"a":1}}', '{"k":null}']
    assert keyed.values == ["1", "2"]


@pytest.mark.spark
def test_schemas_are_kept_within(connect):
    inner = cs.struct({"a": cs.string(optional=True)}, "inner")
    result = connect.apply("HoistField$Value", {"field": "magic"}, [{"a": None}], inner)
    assert result.values == [{"magic": {"a": None}}]
    assert result.value_schema.field("magic") == inner
    assert result.value_schema.name is None
    nulls = connect.apply("HoistField$Value", {"field": "x"}, ["5", None, "[1]"])
    assert nulls.values == ['{"x":5}', '{"x":null}', '{"x":[1]}']


@pytest.mark.spark
def test_a_tombstone_among_records_with_a_schema_becomes_a_map(connect):
    result = connect.apply("HoistField$Value", {"field": "h"}, ["a", None], cs.string())
    assert result.values == [{"h": "a"}, '{"h":null}']
    assert [batch.value for batch in result.batches] == [cs.struct({"h": cs.string()}), None]
    assert result.errors == [None, None]


@pytest.mark.spark
def test_a_null_of_a_required_schema_is_refused(connect):
    records = connect.records(["a", None], cs.string()).changed({"value_typed": sf.lit(True)})
    config = {
        "transforms": "x",
        "transforms.x.type": "org.apache.kafka.connect.transforms.HoistField$Value",
        "transforms.x.field": "h",
    }
    message = 'Invalid value: null used for required field: "h", schema type: STRING'
    assert connect.chain(config, records).errors == [None, message]
