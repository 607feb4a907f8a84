"""A small language for what functions take and return, so that a function is one row of a table.

`takes` is a line of families, one per argument: `"char int? char?"`; `?` marks an argument that may be left out, `*`
one that may come any number of times and `+` one that comes at least once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.functions.registry import (
    CoercionRule,
    ConstantRule,
    ScalarFunction,
    SparkText,
    TypeRule,
)
from headrace.plan.types import common_type
from headrace.types import (
    BINARY_KINDS,
    CHARACTER,
    INTEGERS,
    NUMERIC,
    TEMPORAL,
    TIMESTAMPS,
    DataType,
    Kind,
)

INTERVALS = (Kind.INTERVAL_YEAR_MONTH, Kind.INTERVAL_DAY_SECOND)
FAMILIES: dict[str, tuple[tuple[Kind, ...], str]] = {
    "any": (tuple(Kind), "any type"),
    "bool": ((Kind.BOOLEAN,), "BOOLEAN"),
    "num": (NUMERIC, "a number"),
    "int": (INTEGERS, "an integer"),
    "signed": ((*NUMERIC, *INTERVALS), "a number or an interval"),
    "char": (CHARACTER, "a character string"),
    "bytes": (BINARY_KINDS, "a binary string"),
    "string": ((*CHARACTER, *BINARY_KINDS), "a character or binary string"),
    "charnum": ((*CHARACTER, *NUMERIC), "a character string or a number"),
    "charint": ((*CHARACTER, *INTEGERS), "a character string or an integer"),
    "chartime": ((*CHARACTER, *TIMESTAMPS, Kind.DATE), "a timestamp or a character string"),
    "day": ((Kind.DATE, *TIMESTAMPS), "a date or timestamp"),
    "ts": (TIMESTAMPS, "a timestamp"),
    "clock": ((Kind.TIME, *TIMESTAMPS), "a time or timestamp"),
    "point": (TEMPORAL, "a date, time or timestamp"),
    "timed": ((*TEMPORAL, *INTERVALS), "a date, time, timestamp or interval"),
    "pointnum": ((*TEMPORAL, *NUMERIC), "a number, date, time or timestamp"),
    "array": ((Kind.ARRAY,), "an ARRAY"),
    "map": ((Kind.MAP,), "a MAP"),
    "many": ((Kind.ARRAY, Kind.MAP, Kind.MULTISET), "an ARRAY, MAP or MULTISET"),
    "word": (CHARACTER, "a keyword"),
}

Returns = DataType | TypeRule


class WrongArgument(TypeMismatch):
    """An argument of a type the function does not take; `index` tells the binder which one to point at."""

    def __init__(self, name: str, index: int, found: DataType, expected: str) -> None:
        super().__init__(
            f"argument {index + 1} of {name} has a type that {name} does not take",
            found=found.sql(),
            expected=expected,
        )
        self.index = index


@dataclass(frozen=True, slots=True)
class Signature:
    families: tuple[str, ...]
    required: int
    repeats: bool

    @property
    def most(self) -> int | None:
        return None if self.repeats else len(self.families)

    def check(self, name: str, types: Sequence[DataType]) -> None:
        for index, found in enumerate(types):
            family = self.families[min(index, len(self.families) - 1)]
            kinds, described = FAMILIES[family]
            if found.kind is not Kind.NULL and found.kind not in kinds:
                raise WrongArgument(name, index, found, described)


def signature(takes: str) -> Signature:
    words = takes.split()
    required = sum(1 for word in words if word[-1] not in "?*")
    repeats = bool(words) and words[-1][-1] in "*+"
    return Signature(tuple(word.rstrip("?*+") for word in words), required, repeats)


def scalar(
    name: str,
    takes: str,
    returns: Returns,
    spark: str | SparkText,
    example: str = "",
    *,
    coerce: CoercionRule | None = None,
    returns_for: ConstantRule | None = None,
    deterministic: bool = True,
    constant: tuple[int, ...] = (),
) -> ScalarFunction:
    """One row. A plain type as `returns` is nullable when an argument is; arguments at `constant` must be literals,
    because Spark wants to know them before it runs."""
    accepted = signature(takes)
    rule = of(returns) if isinstance(returns, DataType) else returns

    def checked(types: Sequence[DataType]) -> DataType:
        accepted.check(name, types)
        return rule(types)

    return ScalarFunction(
        name=name,
        returns=checked,
        spark=spark,
        min_args=accepted.required,
        max_args=accepted.most,
        deterministic=deterministic,
        example=example,
        coerce=coerce,
        returns_for=with_constants(name, constant, returns_for or _by_types(checked))
        if constant
        else returns_for,
    )


def _by_types(rule: TypeRule) -> ConstantRule:
    return lambda types, _constants: rule(types)


def with_constants(name: str, needed: tuple[int, ...], rule: ConstantRule) -> ConstantRule:
    def checked(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
        for index in needed:
            if index < len(constants) and constants[index] is None:
                raise UnsupportedSql(f"argument {index + 1} of {name} must be a literal")
        return rule(types, constants)

    return checked


def any_nullable(types: Sequence[DataType]) -> bool:
    return any(kind.nullable for kind in types)


def of(kind: DataType) -> TypeRule:
    """`kind`, nullable when an argument is."""
    return lambda types: kind.as_nullable(any_nullable(types))


def always(kind: DataType) -> TypeRule:
    """Exactly `kind`, whatever the arguments' nullability."""
    return lambda _types: kind


def same_as(index: int) -> TypeRule:
    """The type of one argument, nullable when any argument is."""
    return lambda types: types[index].as_nullable(any_nullable(types))


def derived(rule: Callable[[Sequence[DataType]], DataType]) -> TypeRule:
    """A computed type, nullable when an argument is."""
    return lambda types: rule(types).as_nullable(any_nullable(types))


def common(types: Sequence[DataType], name: str) -> DataType:
    """The common type of arguments, or the error that there is none."""
    found = common_type(*types)
    if found is None:
        raise TypeMismatch(
            f"the arguments of {name} have no common type",
            found=", ".join(kind.sql() for kind in types),
            expected="types that convert to one another without a CAST",
            cure="CAST them to one type",
        )
    return found


def to_common(name: str, first: int = 0) -> CoercionRule:
    """Cast the arguments from `first` on to their common type."""

    def rule(types: Sequence[DataType]) -> Sequence[DataType]:
        shared = common(types[first:], name)
        return [*types[:first], *(shared.as_nullable(kind.nullable) for kind in types[first:])]

    return rule
