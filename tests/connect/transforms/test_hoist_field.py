"""HoistField, with and without schemas."""

import pytest

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
