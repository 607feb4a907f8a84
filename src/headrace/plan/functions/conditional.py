"""Choosing values: COALESCE, NULLIF, IF, GREATEST, and the IS_… tests of text."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.plan.functions.comparison import compared
from headrace.plan.functions.equality import as_comparable
from headrace.plan.functions.registry import SparkText, as_spark
from headrace.plan.functions.signatures import always, any_nullable, common, scalar, to_common
from headrace.types import BOOLEAN, CHARACTER, INTEGERS, DataType, Kind


def _coalesce_type(types: Sequence[DataType]) -> DataType:
    return common(types, "COALESCE").as_nullable(all(kind.nullable for kind in types))


def _if_type(types: Sequence[DataType]) -> DataType:
    return common(types[1:], "IF").as_nullable(any_nullable(types))


def _ifnull_type(types: Sequence[DataType]) -> DataType:
    return common(types, "IFNULL").as_nullable(types[1].nullable)


def _extreme_type(name: str) -> SparkText:
    """GREATEST and LEAST are NULL when one argument is; Spark's skip NULLs."""

    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        nulls = [f"{arg} IS NULL" for arg, kind in zip(args, types, strict=True) if kind.nullable]
        # Spark's want two arguments at least; with one, it is its own extreme.
        chosen = f"{name}({', '.join(args)})" if len(args) > 1 else args[0]
        return f"if({' OR '.join(nulls)}, NULL, {chosen})" if nulls else chosen

    return text


def _text_test(pattern: str, also: tuple[Kind, ...]) -> SparkText:
    """A pattern over text; a number passes or fails by its type alone. NULL fails, never unknown."""

    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        if types[0].kind in CHARACTER:
            return f"coalesce({args[0]} RLIKE '{pattern}', FALSE)"
        return f"({args[0]} IS NOT NULL)" if types[0].kind in also else "FALSE"

    return text


def _is_decimal(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if types[0].kind in CHARACTER:
        return f"(try_cast({args[0]} AS DOUBLE) IS NOT NULL)"
    return f"({args[0]} IS NOT NULL)"


def _first_type(types: Sequence[DataType]) -> DataType:
    compared("NULLIF")(types)
    return types[0].as_nullable()


def _nullif(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """The first value as it is; only the comparison is made in the common type."""
    shared = compared("NULLIF")(types)[0]
    cast = (as_spark(arg, kind, shared.spark()) for arg, kind in zip(args, types, strict=True))
    sides = (as_comparable(side, shared) for side in cast)
    return f"if({' = '.join(sides)}, NULL, {args[0]})"


_TEST = always(BOOLEAN.not_null())

FUNCTIONS = (
    scalar(
        "COALESCE",
        "any+",
        _coalesce_type,
        "coalesce({*})",
        "COALESCE(NULL, 5) -> 5\nCOALESCE(CAST(NULL AS INT), 1.5) -> 1.5",
        coerce=to_common("COALESCE"),
    ),
    scalar(
        "NULLIF",
        "any any",
        _first_type,
        _nullif,
        "NULLIF(5, 5) -> NULL\nNULLIF(5, 0) -> 5\nNULLIF(7, 7.25) -> 7\nNULLIF(1, 1.0) -> NULL",
    ),
    scalar(
        "IF", "bool any any", _if_type, "if({*})", "IF(5 > 3, 5, 3) -> 5", coerce=to_common("IF", 1)
    ),
    scalar(
        "IFNULL",
        "any any",
        _ifnull_type,
        "coalesce({*})",
        "IFNULL(CAST(NULL AS INT), 5) -> 5",
        coerce=to_common("IFNULL"),
    ),
    scalar(
        "GREATEST",
        "any+",
        lambda types: common(types, "GREATEST"),
        _extreme_type("greatest"),
        "GREATEST(1, 3, 2) -> 3\nGREATEST(1, CAST(NULL AS INT)) -> NULL",
        coerce=to_common("GREATEST"),
    ),
    scalar(
        "LEAST",
        "any+",
        lambda types: common(types, "LEAST"),
        _extreme_type("least"),
        "LEAST(2, 1.5) -> 1.5",
        coerce=to_common("LEAST"),
    ),
    scalar(
        "IS_ALPHA",
        "charnum",
        _TEST,
        _text_test("^\\\\p{L}+\\\\z", ()),
        "IS_ALPHA('abc') -> TRUE\nIS_ALPHA('a1') -> FALSE\nIS_ALPHA(1) -> FALSE",
    ),
    scalar(
        "IS_DIGIT",
        "charnum",
        _TEST,
        _text_test("^\\\\p{Nd}+\\\\z", INTEGERS),
        "IS_DIGIT('123') -> TRUE\nIS_DIGIT('1.5') -> FALSE\nIS_DIGIT(7) -> TRUE",
    ),
    scalar(
        "IS_DECIMAL",
        "charnum",
        _TEST,
        _is_decimal,
        "IS_DECIMAL('1.5') -> TRUE\nIS_DECIMAL('x') -> FALSE\nIS_DECIMAL(CAST(NULL AS STRING)) -> FALSE",
    ),
)
