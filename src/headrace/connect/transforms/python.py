"""A transform of one's own: a Python function from DataFrame to DataFrame, named `module:function`."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from headrace.connect.configdef import InvalidConfig
from headrace.connect.data.config import invalid
from headrace.connect.data.records import Part, Records
from headrace.connect.data.schema import Schema
from headrace.connect.data.spark_schema import schema_of_spark
from headrace.connect.transforms.base import Transform

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Function = Callable[["DataFrame", Mapping[str, str]], "DataFrame"]


def is_python(name: str) -> bool:
    return ":" in name


def build_python(option: str, name: str, config: Mapping[str, str]) -> Transform:
    """The function is given the batch and the transform's own options, and keeps the columns of a batch; key and value
    may change their types, from which their schemas are then derived."""
    function = load(option, name)

    def apply(records: Records) -> Records:
        frame = function(records.frame, config)
        lost = [column for column in records.frame.columns if column not in frame.columns]
        if lost:
            raise InvalidConfig(
                f"transform '{name}' leaves out columns of the batch: {', '.join(lost)}",
                cure="add or change columns of the DataFrame it is given, with withColumns",
            )
        return replace(
            records,
            frame=frame.select(*records.frame.columns),
            key=_schema(records, frame, "key"),
            value=_schema(records, frame, "value"),
        )

    return apply


def load(option: str, name: str) -> Function:
    """The function; raises InvalidConfig."""
    try:
        return _found(name)
    except LookupError as fault:
        raise invalid(option, name, str(fault.args[0])) from None


def fault_of(name: str) -> str | None:
    """What is wrong with a name, or None."""
    try:
        _found(name)
    except LookupError as fault:
        return str(fault.args[0])
    return None


def _found(name: str) -> Function:
    module, _, attribute = name.partition(":")
    try:
        function: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as missing:
        raise LookupError(f"Class {name} could not be found. ({missing})") from None
    if not callable(function):
        raise LookupError("not a function of a DataFrame and its options")
    return function  # type: ignore[no-any-return]


def _schema(records: Records, frame: DataFrame, part: Part) -> Schema | None:
    """What it was where the type is the same; text where there was no schema stays without one."""
    before, after = records.frame.schema[part].dataType, frame.schema[part].dataType
    return records.schema(part) if before == after else schema_of_spark(after)
