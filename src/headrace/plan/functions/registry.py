"""What a function is: its Flink name, the argument types it takes, the type it returns, and its text in Spark."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headrace.types import DataType

# Given the argument types, the result type; raises TypeMismatch (without a place: the binder adds it).
TypeRule = Callable[[Sequence[DataType]], DataType]
# The same where a constant argument decides, as in ROUND(x, 2): the value of each constant argument, None elsewhere.
ConstantRule = Callable[[Sequence[DataType], Sequence[object]], DataType]
# Given the argument types, the types the arguments are cast to before the call.
CoercionRule = Callable[[Sequence[DataType]], Sequence[DataType]]
# Given the argument texts and their types and the result type, the Spark SQL text.
SparkText = Callable[[Sequence[str], Sequence[DataType], DataType], str]

_HOLE = re.compile(r"\{(\*|\d+)(?::(\w+))?\}")


@dataclass(frozen=True, slots=True)
class ScalarFunction:
    """`min_args`..`max_args` (None = any number). `spark` is a template such as `"substring({0}, {1:int})"`, in
    which `{*}` stands for all arguments and `{1:int}` for the second one cast to int unless it is one already,
    or a callable where the types matter. `example` has lines `Flink SQL expression -> result as Flink prints it`."""

    name: str
    returns: TypeRule
    spark: str | SparkText
    min_args: int
    max_args: int | None
    deterministic: bool = True
    example: str = ""
    coerce: CoercionRule | None = None
    returns_for: ConstantRule | None = None

    def result_type(self, types: Sequence[DataType], constants: Sequence[object]) -> DataType:
        """The type of a call; `constants` holds the value of each literal argument and None elsewhere."""
        plain = self.returns(types)
        return plain if self.returns_for is None else self.returns_for(types, constants)

    def spark_sql(self, args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        if callable(self.spark):
            return self.spark(args, types, result)
        return fill(self.spark, args, types)

    def examples(self) -> list[tuple[str, str]]:
        """Pairs of an expression and the text of its result."""
        lines = (line.rsplit(" -> ", 1) for line in self.example.splitlines())
        return [(expression, result) for expression, result in lines]

    def __hash__(self) -> int:
        return hash(self.name)


def fill(template: str, args: Sequence[str], types: Sequence[DataType]) -> str:
    """Put argument texts into a template in one pass, so that braces inside an argument stay what they are."""

    def hole(found: re.Match[str]) -> str:
        if found[1] == "*":
            return ", ".join(args)
        index = int(found[1])
        return args[index] if found[2] is None else as_spark(args[index], types[index], found[2])

    return _HOLE.sub(hole, template)


def as_spark(text: str, kind: DataType, spark_type: str) -> str:
    return text if kind.spark() == spark_type else f"CAST({text} AS {spark_type})"


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """`accumulator` names the Java accumulator; None means the function is known but not run yet. `collects`: the
    result is made of the single values in their order, not of sums over them."""

    name: str
    returns: TypeRule
    min_args: int
    max_args: int | None
    accumulator: str | None
    collects: bool = False

    def __hash__(self) -> int:
        return hash(self.name)
