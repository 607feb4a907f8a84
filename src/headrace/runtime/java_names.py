"""Names of Java's, looked up once: py4j asks the JVM at every mention, which searches all jars for a class called like a package."""

from __future__ import annotations

from typing import Any

# What PySpark asks for in every call of a function or with several columns, and the root of our own classes.
_REMEMBERED = ("org.apache.spark.sql.functions", "functions", "PythonUtils", "headrace")


class JavaName:
    """A package or class of Java's that keeps what it was asked for."""

    def __init__(self, found: Any) -> None:
        self._found = found

    def __getattr__(self, name: str) -> Any:
        from py4j.java_gateway import JavaClass, JavaPackage

        member = getattr(self._found, name)
        kept = JavaName(member) if isinstance(member, JavaClass | JavaPackage) else member
        setattr(self, name, kept)
        return kept

    def __call__(self, *arguments: Any) -> Any:
        return self._found(*arguments)


def remember_names(jvm: Any) -> None:
    """From now on this view of a JVM asks once for each of these names."""
    for name in _REMEMBERED:
        if not isinstance(getattr(jvm, name), JavaName):
            setattr(jvm, name, JavaName(getattr(jvm, name)))
