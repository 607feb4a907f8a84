from __future__ import annotations

import pytest

from headrace.runtime.java_names import JavaName, remember_names


class Asked:
    """A view of a JVM that counts what it is asked for."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def __getattr__(self, name: str) -> object:
        self.names.append(name)
        return Asked() if name == "headrace" else (lambda *arguments: (name, *arguments))


def test_a_name_is_asked_for_once():
    jvm = Asked()
    remember_names(jvm)
    asked = list(jvm.names)
    assert "headrace" in asked
    assert "PythonUtils" in asked
    assert jvm.headrace is jvm.headrace
    assert jvm.PythonUtils("a") == ("PythonUtils", "a")
    assert jvm.names == asked


def test_members_are_kept_and_others_are_asked_for():
    found = Asked()
    name = JavaName(found)
    assert name.col("x") == ("col", "x")
    assert name.col("y") == ("col", "y")
    assert name.lit(1) == ("lit", 1)
    assert found.names == ["col", "lit"]


def test_remembering_twice_changes_nothing():
    jvm = Asked()
    remember_names(jvm)
    kept = jvm.headrace
    remember_names(jvm)
    assert jvm.headrace is kept


def test_what_java_does_not_have_is_an_error():
    class Empty:
        pass

    with pytest.raises(AttributeError):
        JavaName(Empty()).missing  # noqa: B018


@pytest.mark.spark
def test_packages_classes_and_methods_of_a_jvm(spark):
    jvm = spark._jvm
    assert isinstance(jvm.headrace.connect, JavaName)
    assert jvm.headrace.connect is jvm.headrace.connect
    cells = jvm.headrace.connect.jdbc.Cells('{"columns":[{"name":"a","read":"int64"}]}')
    assert cells.schema().simpleString() == "struct<a:bigint>"
    assert jvm.PythonUtils.toSeq([1, 2]).size() == 2
