"""HeaderFrom, with and without schemas."""

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.header_from import build

ROW = cs.struct(
    {
        "id": Schema(Type.INT64),
        "name": cs.string(
            optional=True,
        ),
        "tags": Schema(Type.ARRAY, optional=True, values=cs.string()),
    }
)
OPTIONS = {"fields": "name,tags", "headers": "n,t", "operation": "move"}


def test_fields_and_headers_are_pairs():
    config = {"fields": ["a"], "headers": ["b", "c"], "operation": "move"}
    with pytest.raises(
        InvalidConfig, match="'fields' config must have the same number of elements as"
    ):
        build(config, "value")


@pytest.mark.spark
class TestRunning:
    def test_move_and_copy(self, connect):
        rows = [{"id": 1, "name": "x", "tags": ['a"b', "c"]}, {"id": 2, "name": None, "tags": None}]
        moved = connect.apply("HeaderFrom$Value", OPTIONS, rows, ROW, headers=[[("h", b"0")], None])
        assert moved.values == [{"id": 1}, {"id": 2}]
        assert moved.headers == [
            [("h", b"0"), ("n", b"x"), ("t", b'["a\\"b","c"]')],
            [("n", None), ("t", None)],
        ]
        copied = connect.apply("HeaderFrom$Value", OPTIONS | {"operation": "copy"}, rows, ROW)
        assert copied.values == rows
        assert copied.headers[0] == [("n", b"x"), ("t", b'["a\\"b","c"]')]

    def test_nulls_and_unknown_fields_are_errors(self, connect):
        options = {"fields": "nope", "headers": "n", "operation": "copy"}
        result = connect.apply(
            "HeaderFrom$Value", options, [{"id": 1, "name": "", "tags": []}, None], ROW
        )
        assert result.column("error")[0]["class"] == "java.lang.NullPointerException"
        assert (
            result.errors[1]
            == "Only Map objects supported in absence of schema for [header copy], found: null"
        )

    def test_without_a_schema(self, connect):
        result = connect.apply(
            "HeaderFrom$Value", OPTIONS, ['{"name":"x","tags":[1,{"a":"b"}],"id":3}', "4"]
        )
        assert result.values[0] == '{"id":3}'
        assert result.headers[0] == [("n", b"x"), ("t", b'[1,{"a":"b"}]')]
        assert result.errors[1].endswith("[header move], found: java.lang.Long")
