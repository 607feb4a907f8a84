"""ReplaceField, with and without schemas."""

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.config import InvalidConfig, parse
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.replace_field import KEYS

ROW = cs.struct(
    {
        "a": Schema(Type.INT32),
        "b": cs.string(
            optional=True,
        ),
        "c": Schema(Type.INT32, default="3"),
    },
    "row",
)


def test_renames_are_pairs():
    with pytest.raises(InvalidConfig) as refused:
        parse(KEYS, {"renames": "a:b,c"})
    assert refused.value.summary == (
        "Invalid value [a:b, c] for configuration renames: Invalid rename mapping: c"
    )


@pytest.mark.spark
class TestRunning:
    def test_fields_kept_left_out_and_renamed(self, connect):
        rows = [{"a": 1, "b": "x", "c": None}, None]
        options = {"exclude": "b", "renames": "a:alpha"}
        result = connect.apply("ReplaceField$Value", options, rows, ROW)
        assert result.values == [{"alpha": 1, "c": 3}, None]
        assert [field.name for field in result.value_schema.fields] == ["alpha", "c"]
        assert result.value_schema.name == "row"
        older = {"whitelist": "a,b", "blacklist": "b"}
        assert connect.apply("ReplaceField$Value", older, rows, ROW).values == [{"a": 1}, None]

    def test_without_a_schema(self, connect):
        options = {"include": "a,b", "exclude": "b", "renames": "a:z"}
        result = connect.apply(
            "ReplaceField$Value", options, ['{"a":1,"b":2,"c":3}', '"text"', None]
        )
        assert result.values == ['{"z":1}', None, None]
        assert result.errors[1].endswith("[field replacement], found: java.lang.String")
