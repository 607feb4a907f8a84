"""Cast, with and without schemas."""

import datetime as dt
import json
from dataclasses import replace
from decimal import Decimal

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.cast import TARGETS, parse_spec

SOURCES = {
    "i8": (Schema(Type.INT8), -8),
    "i16": (Schema(Type.INT16), 300),
    "i32": (Schema(Type.INT32), 70000),
    "i64": (Schema(Type.INT64), 2**33 + 5),
    "f32": (Schema(Type.FLOAT32), 1.5),
    "f64": (Schema(Type.FLOAT64), -3.75),
    "truth": (Schema(Type.BOOLEAN), True),
    "text": (cs.string(), "42"),
}
EXPECTED = {
    "int8": [-8, 44, 112, 5, 1, -3, 1, 42],
    "int16": [-8, 300, 4464, 5, 1, -3, 1, 42],
    "int32": [-8, 300, 70000, 5, 1, -3, 1, 42],
    "int64": [-8, 300, 70000, 8589934597, 1, -3, 1, 42],
    "float32": [-8.0, 300.0, 70000.0, 8589934592.0, 1.5, -3.75, 1.0, 42.0],
    "float64": [-8.0, 300.0, 70000.0, 8589934597.0, 1.5, -3.75, 1.0, 42.0],
    "boolean": [True, True, True, True, True, True, True, False],
    "string": ["-8", "300", "70000", "8589934597", "1.5", "-3.75", "true", "42"],
}

ROW = cs.struct(
    {
        "a": Schema(Type.INT64),
        "b": Schema(Type.FLOAT64, optional=True),
        "c": cs.string(optional=True),
        "d": Schema(Type.BOOLEAN, optional=True, default="true"),
        "e": Schema(Type.BYTES, optional=True),
        "f": cs.timestamp(optional=True),
        "g": cs.decimal(2, optional=True),
    },
    "row",
)
WHOLE = {
    "a": 300,
    "b": 1.9,
    "c": "12",
    "d": False,
    "e": bytearray(b"\x01\x02"),
    "g": Decimal("1.50"),
}
WHOLE["f"] = dt.datetime(2024, 1, 2, 3, 4, 5)
EMPTY = {"a": -1, "b": None, "c": None, "d": None, "e": None, "f": None, "g": None}


def test_a_spec_names_fields_or_one_type():
    assert parse_spec(["a:int8", " b : STRING"]) == (None, {"a": "int8", "b": "string"})
    assert parse_spec(["float64"]) == ("float64", {})


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        (
            ["a:b:c"],
            "Invalid value [a:b:c] for configuration renames: Invalid rename mapping: a:b:c",
        ),
        (
            ["a:number"],
            "Invalid value java.lang.IllegalArgumentException: No enum constant org.apache.kafka.connect.",
        ),
        (
            ["int8", "a:int8"],
            "Cast transformations that specify a type to cast the entire value to may only",
        ),
        (
            ["a:bytes"],
            "Cast transformation does not support casting to BYTES; supported types are [INT8,",
        ),
    ],
)
def test_specs_that_connect_refuses(spec, message):
    with pytest.raises(InvalidConfig) as refused:
        parse_spec(spec)
    assert refused.value.summary.startswith(message)


@pytest.mark.spark
class TestRunning:
    def test_fields_of_a_struct(self, connect):
        spec = "a:int8,b:int32,c:int16,d:string,e:string,f:int64,g:float64,unknown:int8"
        result = connect.apply("Cast$Value", {"spec": spec}, [WHOLE, EMPTY, None], ROW)
        assert result.errors == [None] * 3
        assert result.values == [
            # 300 does not fit in a byte, and wraps as Java's numbers do.
            {"a": 44, "b": 1, "c": 12, "d": "false", "e": "AQI=", "f": 1704164645000, "g": 1.5},
            {"a": -1, "b": None, "c": None, "d": "true", "e": None, "f": None, "g": None},
            None,
        ]
        fields = {field.name: field.schema for field in result.value_schema.fields}
        assert fields["a"] == Schema(Type.INT8)
        assert fields["d"] == Schema(Type.STRING, optional=True, default='"true"')
        assert fields["f"] == Schema(Type.INT64, optional=True)
        assert result.value_schema.name == "row"

    def test_dates_have_a_text_and_nulls_can_be_left(self, connect):
        options = {"spec": "f:string,g:string,a:boolean", "replace.null.with.default": "false"}
        result = connect.apply("Cast$Value", options, [WHOLE, EMPTY], ROW)
        assert [(v["f"], v["g"], v["a"], v["d"]) for v in result.values] == [
            ("2024-01-02T03:04:05.000Z", "1.50", True, False),
            (None, None, True, None),
        ]

    def test_what_cannot_be_cast_is_an_error_of_its_record(self, connect):
        result = connect.apply(
            "Cast$Value", {"spec": "c:int8,e:int32"}, [WHOLE, WHOLE | {"c": "300"}], ROW
        )
        assert result.errors == [
            "Unexpected type in Cast transformation: class [B",
            "Value (300) was out of range for requested data type\nCaused by: java.lang.NumberFormatException: "
            'Value out of range. Value:"300" Radix:10',
        ]

    def test_a_whole_key(self, connect):
        result = connect.apply(
            "Cast$Key",
            {"spec": "int32"},
            ["v", "w"],
            cs.string(),
            keys=[7, None],
            key_schema=Schema(Type.INT64, optional=True, default="5"),
        )
        assert result.keys == [7, None]
        assert result.key_schema == Schema(Type.INT32, optional=True, default="5")

    def test_without_a_schema(self, connect):
        values = ['{"a":1.9,"b":"7","c":true}', '{"a":[1]}', '{"b":"x"}', "5", None]
        result = connect.apply("Cast$Value", {"spec": "a:int32,b:int8,c:string"}, values)
        assert result.values[0] == '{"a":1,"b":7,"c":"true"}'
        assert result.errors[1:] == [
            "Cast transformation does not support casting from ARRAY; supported types are [INT8, INT16,"
            " INT32, INT64, FLOAT32, FLOAT64, BOOLEAN, STRING, BYTES]",
            "Value (x) was out of range for requested data type\nCaused by: java.lang.NumberFormatException: "
            'For input string: "x"',
            "Only Map objects supported in absence of schema for [cast types], found: java.lang.Long",
            None,
        ]
        whole = connect.apply("Cast$Value", {"spec": "string"}, ["5", "true", None])
        assert whole.values == ['"5"', '"true"', None]

    def test_what_is_no_struct(self, connect):
        result = connect.apply("Cast$Value", {"spec": "a:int8"}, ["text", None], cs.string())
        assert result.errors == [
            "Cannot list fields on non-struct type",
            None,
        ]

    def test_every_type_to_every_other(self, connect):
        """One struct with a field for each pair: numbers wrap and lose fractions as Java's do."""
        pairs = [(source, target) for source in SOURCES for target in EXPECTED]
        row = cs.struct({f"{source}_{target}": SOURCES[source][0] for source, target in pairs})
        value = {f"{source}_{target}": SOURCES[source][1] for source, target in pairs}
        spec = ",".join(f"{source}_{target}:{target}" for source, target in pairs)
        result = connect.apply("Cast$Value", {"spec": spec}, [value], row)
        assert result.errors == [None]
        for target, expected in EXPECTED.items():
            found = [result.values[0][f"{source}_{target}"] for source in SOURCES]
            assert found == expected, target
            kept = [result.value_schema.field(f"{source}_{target}") for source in SOURCES]
            assert kept == [Schema(TARGETS[target])] * len(SOURCES)

    def test_texts_are_numbers_only_as_java_reads_them(self, connect):
        row = cs.struct({"t": cs.string()})
        texts = ["+7", "-128", "128", "1.0", " 7", "", "0x10"]
        result = connect.apply(
            "Cast$Value", {"spec": "t:int8"}, [{"t": text} for text in texts], row
        )
        assert [value["t"] for value in result.values[:2]] == [7, -128]
        assert [error is not None for error in result.errors] == [
            False,
            False,
            True,
            True,
            True,
            True,
            True,
        ]
        floats = ["1e3", "NaN", "-Infinity", " 2.5 ", "1d"]
        result = connect.apply(
            "Cast$Value", {"spec": "t:float64"}, [{"t": text} for text in floats], row
        )
        assert [str(value["t"]) for value in result.values] == [
            "1000.0",
            "nan",
            "-inf",
            "2.5",
            "1.0",
        ]
        truths = ["TRUE", "true", "yes", "1", ""]
        result = connect.apply(
            "Cast$Value", {"spec": "t:boolean"}, [{"t": text} for text in truths], row
        )
        assert [value["t"] for value in result.values] == [True, True, False, False, False]

    def test_dates_and_times_as_their_numbers_and_texts(self, connect):
        row = cs.struct({"d": cs.date(), "t": cs.time(), "d2": cs.date(), "t2": cs.time()})
        value = {"d": dt.date(2024, 1, 2), "t": 3723004, "d2": dt.date(2024, 1, 2), "t2": 3723004}
        spec = "d:int32,t:int64,d2:string,t2:string"
        result = connect.apply("Cast$Value", {"spec": spec}, [value], row)
        assert result.values == [
            {"d": 19724, "t": 3723004, "d2": "2024-01-02", "t2": "01:02:03.004Z"}
        ]

    def test_what_is_nested_is_not_cast(self, connect):
        row = cs.struct(
            {"a": Schema(Type.ARRAY, values=cs.string()), "s": cs.struct({"x": cs.string()})}
        )
        value = {"a": ["1"], "s": {"x": "1"}}
        for field, kind in {"a": "ARRAY", "s": "STRUCT"}.items():
            result = connect.apply("Cast$Value", {"spec": f"{field}:string"}, [value], row)
            assert result.errors[0].startswith(
                f"Cast transformation does not support casting from {kind};"
            )

    def test_defaults_of_times_become_texts(self, connect):
        row = cs.struct(
            {
                "d": replace(cs.date(), default="1"),
                "t": replace(cs.time(), default="1"),
                "s": replace(cs.timestamp(), default="86400001"),
            }
        )
        spec = {"spec": "d:string,t:string,s:string"}
        result = connect.apply("Cast$Value", spec, [{"d": None, "t": None, "s": None}], row)
        texts = {"d": "1970-01-02", "t": "00:00:00.001Z", "s": "1970-01-02T00:00:00.001Z"}
        assert result.values == [texts]
        defaults = [json.loads(field.schema.default) for field in result.value_schema.fields]
        assert defaults == list(texts.values())
