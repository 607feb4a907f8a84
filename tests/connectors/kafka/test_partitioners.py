from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from headrace.connectors.kafka import partitioners
from headrace.connectors.kafka.settings import settings_of
from headrace.errors import EnvironmentFault, InvalidOption

MODULE = "partitioners_of_a_test"


@pytest.fixture
def mine(monkeypatch):
    module = ModuleType(MODULE)
    monkeypatch.setitem(sys.modules, MODULE, module)
    return module


def chosen(make, name):
    table = make({"sink.partitioner": name})
    return table, settings_of(table)


@pytest.mark.parametrize(
    ("name", "java", "python"),
    [
        ("default", None, False),
        ("fixed", None, False),
        ("round-robin", None, False),
        ("com.example.Mine$Inner", "com.example.Mine$Inner", False),
        ("package.module:function", None, True),
    ],
)
def test_names_tell_what_they_name(kafka_table, name, java, python):
    _, settings = chosen(kafka_table, name)
    assert partitioners.is_name(name)
    assert partitioners.java_class(settings) == java
    assert partitioners.is_python(settings) is python


@pytest.mark.parametrize(
    "name", ["", "by key", "module:", ":function", "a:b:c", "9lives", "a..b", "abc", "Fixed"]
)
def test_what_cannot_be_a_name(name):
    assert not partitioners.is_name(name)


def refused(kafka_table, name):
    with pytest.raises(InvalidOption) as caught:
        partitioners.python_function(*chosen(kafka_table, name))
    error = caught.value
    assert error.found == f"'sink.partitioner' = '{name}'"
    assert error.cure == "'sink.partitioner' = 'default'"
    return error.summary


def test_a_function_must_be_there(kafka_table, mine):
    mine.number = 3
    assert "module 'no_such_module' cannot be imported" in refused(
        kafka_table, "no_such_module:choose"
    )
    assert f"module '{MODULE}' has no 'choose'" in refused(kafka_table, f"{MODULE}:choose")
    assert "is not a function" in refused(kafka_table, f"{MODULE}:number")


def test_a_function_needs_arrow(kafka_table, mine, monkeypatch):
    mine.choose = lambda keys, values, partitions: [0] * len(keys)
    monkeypatch.setattr(partitioners.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(EnvironmentFault, match="needs the package pyarrow") as caught:
        partitioners.python_function(*chosen(kafka_table, f"{MODULE}:choose"))
    assert caught.value.cure == "pip install pyarrow"


def test_other_tables_have_no_function(kafka_table):
    assert partitioners.python_function(*chosen(kafka_table, "fixed")) is None


def test_a_function_is_called_once_per_number_of_partitions():
    arrow = pytest.importorskip("pyarrow")
    calls = []

    def choose(keys, values, partitions):
        calls.append((keys.to_pylist(), values.to_pylist(), partitions))
        return [partitions - 1] * len(keys)

    keys = arrow.array([b"a", b"b", None, b"d"])
    values = arrow.array([b"1", b"2", b"3", None])
    found = partitioners._by_count(choose)(keys, values, arrow.array([2, 3, 2, None]))
    assert found.to_pylist() == [1, 2, 1, None]
    assert calls == [([b"a", None], [b"1", b"3"], 2), ([b"b"], [b"2"], 3)]


def test_a_class_is_asked_for_in_the_jvm(kafka_table):
    asked = []

    def problem(name):
        asked.append(name)
        return "it does not implement it" if name.endswith("Wrong") else ""

    kafka = SimpleNamespace(Partitioners=SimpleNamespace(problem=problem))
    session = SimpleNamespace(_jvm=SimpleNamespace(headrace=SimpleNamespace(kafka=kafka)))
    for name in ("default", "a.Right"):
        partitioners.check_java_class(session, *chosen(kafka_table, name))
    assert asked == ["a.Right"]
    with pytest.raises(InvalidOption, match=r"class 'a\.Wrong' cannot choose partitions: it does"):
        partitioners.check_java_class(session, *chosen(kafka_table, "a.Wrong"))


@pytest.mark.spark
def test_classes_that_cannot_choose(spark):
    problem = spark._jvm.headrace.kafka.Partitioners.problem
    assert problem("org.apache.kafka.clients.producer.RoundRobinPartitioner") == ""
    assert "no such class" in problem("com.example.Missing")
    assert "does not implement" in problem("java.lang.String")
