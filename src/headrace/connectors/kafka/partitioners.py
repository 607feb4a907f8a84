"""`sink.partitioner`: which of the ways to choose a partition a table names, and the code of a user's own."""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Callable
from typing import Any

from headrace.catalog.table import Table
from headrace.connectors.kafka.settings import KafkaSettings
from headrace.connectors.support import option_error
from headrace.errors import EnvironmentFault, InvalidOption

OPTION = "sink.partitioner"
NAMED = ("default", "fixed", "round-robin")

_PYTHON = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
# A name alone is rather a slip in one of `NAMED` than a class without a package.
_JAVA = re.compile(r"[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)+")

Choose = Callable[[Any, Any, int], Any]
"""Of Arrow arrays of keys and values, and the number of partitions: a partition for each."""


def is_name(chosen: str) -> bool:
    """Whether the text is of a form that can be a partitioner at all."""
    return any(form.fullmatch(chosen) for form in (_PYTHON, _JAVA)) or chosen in NAMED


def is_python(settings: KafkaSettings) -> bool:
    return _PYTHON.fullmatch(settings.options[OPTION]) is not None


def java_class(settings: KafkaSettings) -> str | None:
    chosen: str = settings.options[OPTION]
    return None if chosen in NAMED or is_python(settings) else chosen


def check_java_class(session: Any, table: Table, settings: KafkaSettings) -> None:
    name = java_class(settings)
    if name is None:
        return
    problem = session._jvm.headrace.kafka.Partitioners.problem(name)
    if problem:
        raise _unusable(table, f"class '{name}' cannot choose partitions: {problem}")


def python_function(table: Table, settings: KafkaSettings) -> Any:
    """The function as one of Spark's in the JVM, which calls it in a Python process; None where there is none."""
    if not is_python(settings):
        return None
    choose = _imported(table, settings.options[OPTION])
    if importlib.util.find_spec("pyarrow") is None:
        raise EnvironmentFault(
            f"the partitioner '{settings.options[OPTION]}' needs the package pyarrow",
            condition="MISSING_PACKAGE",
            cure="pip install pyarrow",
        )
    functions: Any = importlib.import_module("pyspark.sql.functions")
    return functions.arrow_udf(_by_count(choose), "int")._unwrapped._judf


def _carried(module: Any) -> None:
    """Python processes of Spark get the module's code itself: they look for modules in other places."""
    cloudpickle: Any = importlib.import_module("pyspark.cloudpickle")
    cloudpickle.register_pickle_by_value(module)


def _imported(table: Table, name: str) -> Choose:
    module, _, function = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), function)
        _carried(sys.modules[module])
    except ImportError as error:
        raise _unusable(table, f"module '{module}' cannot be imported: {error}") from None
    except AttributeError:
        raise _unusable(table, f"module '{module}' has no '{function}'") from None
    if not callable(found):
        raise _unusable(table, f"'{name}' is not a function")
    chosen: Choose = found
    return chosen


def _by_count(choose: Choose) -> Callable[[Any, Any, Any], Any]:
    """Calls it once for each number of partitions among the records, as those of several topics have."""
    arrow: Any = importlib.import_module("pyarrow")

    def numbers(chosen: Any) -> Any:
        given = isinstance(chosen, arrow.Array | arrow.ChunkedArray)
        return chosen.cast(arrow.int32()) if given else arrow.array(chosen, arrow.int32())

    def partitions_of(keys: Any, values: Any, counts: Any) -> Any:
        different = counts.unique().to_pylist()
        if len(different) == 1 and None not in different:
            return numbers(choose(keys, values, different[0]))
        chosen: list[int | None] = [None] * len(counts)
        for count in (count for count in different if count is not None):
            places = [n for n, own in enumerate(counts.to_pylist()) if own == count]
            picked = arrow.array(places)
            found = numbers(choose(keys.take(picked), values.take(picked), count)).to_pylist()
            for place, partition in zip(places, found, strict=True):
                chosen[place] = partition
        return numbers(chosen)

    # Spark reads there what the function is to be called with.
    kinds = dict.fromkeys(("keys", "values", "counts", "return"), arrow.Array)
    partitions_of.__annotations__ = kinds
    return partitions_of


def _unusable(table: Table, summary: str) -> InvalidOption:
    return option_error(
        table,
        OPTION,
        summary,
        expected="a Java class that implements org.apache.kafka.clients.producer.Partitioner, or module:function",
        cure=f"'{OPTION}' = 'default'",
    )
