"""ReplaceField, with and without schemas."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.config import parse
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

    def test_keys_nulls_and_what_is_no_struct(self, connect):
        keyed = connect.apply(
            "ReplaceField$Key",
            {"include": "b"},
            ["v"],
            cs.string(),
            keys=[{"a": 1, "b": "x", "c": 2}],
            key_schema=ROW,
        )
        assert keyed.keys == [{"b": "x"}]
        text = connect.apply("ReplaceField$Value", {"include": "b"}, ["x", None], cs.string())
        assert text.errors == [
            "Only Struct objects supported for [field replacement], found: java.lang.String",
            None,
        ]

    def test_nothing_is_left_where_everything_is_excluded(self, connect):
        rows = [{"a": 1, "b": "x", "c": 2}, None]
        result = connect.apply("ReplaceField$Value", {"exclude": "a,b,c"}, rows, ROW)
        assert result.values == [{}, None]
        assert result.value_schema.fields == ()

    def test_the_walk_throughs_rename(self, connect):
        row = cs.struct({"address": cs.string(), "district": cs.string(optional=True)})
        result = connect.apply(
            "ReplaceField$Value",
            {"renames": "district:state_province"},
            [{"address": "a", "district": "d"}],
            row,
        )
        assert result.values == [{"address": "a", "state_province": "d"}]

    def test_defaults_can_be_left_alone(self, connect):
        options = {"include": "c", "replace.null.with.default": "false"}
        result = connect.apply("ReplaceField$Value", options, [{"a": 1, "b": None, "c": None}], ROW)
        assert result.values == [{"c": None}]


@pytest.mark.spark
def test_two_fields_under_one_name_are_refused(connect):
    row = cs.struct({"a": cs.string(), "b": cs.string()})
    result = connect.apply(
        "ReplaceField$Value", {"renames": "a:b"}, [{"a": "x", "b": "y"}, None], row
    )
    assert result.errors == ["Cannot create field because of field name duplication b", None]
