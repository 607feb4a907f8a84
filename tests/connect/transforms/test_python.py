"""Transforms of one's own."""

import sys
import types

import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.transforms.python import fault_of, is_python, load


@pytest.fixture
def module(monkeypatch):
    made = types.ModuleType("my_transforms")
    monkeypatch.setitem(sys.modules, "my_transforms", made)
    return made


def test_names_with_a_colon_are_functions():
    assert is_python("my_transforms:twice")
    assert not is_python("org.apache.kafka.connect.transforms.Filter")


@pytest.mark.parametrize("name", ["no_such_module:f", "json:nope", "json:__name__", ":f"])
def test_what_is_no_function_is_refused(name):
    with pytest.raises(InvalidConfig, match=r"for configuration transforms\.x\.type"):
        load("transforms.x.type", name)


def test_what_is_wrong_with_a_name():
    assert fault_of("json:dumps") is None
    assert fault_of("json:nope").startswith("Class json:nope could not be found.")
    assert fault_of("json:__name__") == "not a function of a DataFrame and its options"


@pytest.mark.spark
class TestRunning:
    def test_a_function_of_the_batch(self, connect, module):
        from pyspark.sql import functions as sf

        def tag(frame, options):
            return frame.withColumn(
                "value", sf.struct(sf.col("value.a"), sf.lit(options["mark"]).alias("mark"))
            )

        module.tag = tag
        row = cs.struct({"a": Schema(Type.INT32)})
        result = connect.apply("my_transforms:tag", {"mark": "m"}, [{"a": 1}], row)
        assert result.values == [{"a": 1, "mark": "m"}]
        assert result.value_schema.field("a") == Schema(Type.INT32, optional=True)
        module.same = lambda frame, options: frame
        assert connect.apply("my_transforms:same", {}, [{"a": 1}], row).value_schema == row

    def test_columns_must_stay(self, connect, module):
        module.less = lambda frame, options: frame.select("topic")
        with pytest.raises(InvalidConfig, match=r"leaves out columns of the batch: .*value"):
            connect.apply("my_transforms:less", {}, ["1"])
