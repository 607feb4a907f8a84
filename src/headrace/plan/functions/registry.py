"""What a function is: its Flink name, the argument types it takes, the type it returns, and its text in Spark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headrace.types import DataType

# Given the argument types, the result type; raises TypeMismatch (without a place: the binder adds it).
TypeRule = Callable[[Sequence[DataType]], DataType]
# Given the argument texts and their types and the result type, the Spark SQL text.
SparkText = Callable[[Sequence[str], Sequence[DataType], DataType], str]


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """`min_args`..`max_args` (None = any number). `spark` is a template such as `"substring({0}, {1})"`,
    in which `{*}` stands for all arguments, or a callable where the types matter."""

    name: str
    returns: TypeRule
    spark: str | SparkText
    min_args: int
    max_args: int | None
    deterministic: bool = True
    example: str = ""

    def spark_sql(self, args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        if callable(self.spark):
            return self.spark(args, types, result)
        return self.spark.replace("{*}", ", ".join(args)).format(*args)

    def __hash__(self) -> int:
        return hash(self.name)


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """`accumulator` names the Java accumulator; None means the function is known but not run yet."""

    name: str
    returns: TypeRule
    min_args: int
    max_args: int | None
    accumulator: str | None

    def __hash__(self) -> int:
        return hash(self.name)
