"""Comparison and logic: `=`, `IS DISTINCT FROM`, `BETWEEN`, `LIKE`, `SIMILAR TO`, `IN`, `AND`, `OR`, `NOT`, `IS TRUE`."""

from __future__ import annotations

from collections.abc import Sequence

from headrace.errors import TypeMismatch
from headrace.plan.functions.equality import as_comparable, by_equality
from headrace.plan.functions.registry import CoercionRule
from headrace.plan.functions.signatures import always, scalar
from headrace.plan.types import comparable_type
from headrace.types import BOOLEAN, DataType, Kind

_NEVER_NULL = always(BOOLEAN.not_null())
_UNORDERED = (Kind.MAP, Kind.MULTISET)


def compared(name: str, *, ordered: bool = False) -> CoercionRule:
    """Cast both (or all) sides to the type they are compared in."""

    def rule(types: Sequence[DataType]) -> Sequence[DataType]:
        shared = types[0]
        for other in types[1:]:
            found = comparable_type(shared, other)
            if found is None or (ordered and found.kind in _UNORDERED):
                raise TypeMismatch(
                    f"{name} cannot compare these types",
                    found=f"{shared.sql()} {name} {other.sql()}",
                    expected="types that convert to one another without a CAST",
                    cure=f"CAST one side, for example CAST(… AS {other.as_nullable().sql()})",
                )
            shared = found
        return [shared.as_nullable(kind.nullable) for kind in types]

    return rule


def _order(name: str, example: str) -> tuple[str, str, DataType, str, str]:
    return name, "any any", BOOLEAN, f"({{0}} {name} {{1}})", example


def _in(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    first, *others = (as_comparable(arg, kind) for arg, kind in zip(args, types, strict=True))
    return f"({first} IN ({', '.join(others)}))"


FUNCTIONS = (
    scalar(
        "=",
        "any any",
        BOOLEAN,
        by_equality("({0} = {1})"),
        "1 = 1 -> TRUE\n1 = CAST(NULL AS INT) -> NULL\nMAP['a', 1, 'b', 2] = MAP['b', 2, 'a', 1] -> TRUE\n"
        "MAP['a', 1] = MAP['a', 2] -> FALSE\nMAP['a', CAST(NULL AS INT)] = MAP['a', CAST(NULL AS INT)] -> TRUE\n"
        "ROW(1, ARRAY[MAP['a', 1]]) = ROW(1, ARRAY[MAP['a', 1]]) -> TRUE",
        coerce=compared("="),
    ),
    scalar(
        "<>",
        "any any",
        BOOLEAN,
        by_equality("({0} <> {1})"),
        "1 <> 2 -> TRUE\nMAP['a', 1] <> MAP['a', 1] -> FALSE",
        coerce=compared("<>"),
    ),
    scalar(*_order("<", "1 < 2 -> TRUE"), coerce=compared("<", ordered=True)),
    scalar(*_order("<=", "2 <= 2 -> TRUE"), coerce=compared("<=", ordered=True)),
    scalar(
        *_order(">", "DATE '2020-01-02' > '2020-01-01' -> TRUE"), coerce=compared(">", ordered=True)
    ),
    scalar(*_order(">=", "1 >= 1.5 -> FALSE"), coerce=compared(">=", ordered=True)),
    scalar(
        "IS NOT DISTINCT FROM",
        "any any",
        _NEVER_NULL,
        by_equality("({0} <=> {1})"),
        "1 IS NOT DISTINCT FROM NULL -> FALSE\nNULL IS NOT DISTINCT FROM NULL -> TRUE",
        coerce=compared("IS NOT DISTINCT FROM"),
    ),
    scalar(
        "IS DISTINCT FROM",
        "any any",
        _NEVER_NULL,
        by_equality("(NOT ({0} <=> {1}))"),
        "1 IS DISTINCT FROM NULL -> TRUE\nNULL IS DISTINCT FROM NULL -> FALSE",
        coerce=compared("IS DISTINCT FROM"),
    ),
    scalar("IS NULL", "any", _NEVER_NULL, "({0} IS NULL)", "1 IS NULL -> FALSE"),
    scalar("IS NOT NULL", "any", _NEVER_NULL, "({0} IS NOT NULL)", "1 IS NOT NULL -> TRUE"),
    scalar(
        "BETWEEN",
        "any any any",
        BOOLEAN,
        "({0} BETWEEN {1} AND {2})",
        "12 BETWEEN 15 AND 12 -> FALSE\n12 BETWEEN 10 AND NULL -> NULL\n12 BETWEEN NULL AND 10 -> FALSE",
        coerce=compared("BETWEEN", ordered=True),
    ),
    scalar(
        "BETWEEN SYMMETRIC",
        "any any any",
        BOOLEAN,
        "(({0} BETWEEN {1} AND {2}) OR ({0} BETWEEN {2} AND {1}))",
        "12 BETWEEN SYMMETRIC 15 AND 12 -> TRUE\n12 BETWEEN SYMMETRIC NULL AND 12 -> NULL",
        coerce=compared("BETWEEN", ordered=True),
    ),
    scalar(
        "IN",
        "any any+",
        BOOLEAN,
        _in,
        "MAP['a', 1] IN (MAP['b', 1], MAP['a', 1]) -> TRUE\n4 IN (1, 2, 3) -> FALSE\n1 IN (1, 2, NULL) -> TRUE\n4 IN (1, 2, NULL) -> NULL\n4 NOT IN (1, 2, 3) -> TRUE",
        coerce=compared("IN"),
    ),
    # Flink's LIKE has no escape character unless one is named; Spark's is the backslash unless told otherwise, so
    # a character that cannot occur in text is named instead.
    scalar(
        "LIKE",
        "char char",
        BOOLEAN,
        "({0} LIKE {1} ESCAPE '\\u0000')",
        "'abcd' LIKE 'a%d' -> TRUE\n'a\\b' LIKE 'a\\b' -> TRUE\n'abc' NOT LIKE '_' -> TRUE",
    ),
    scalar(
        "LIKE ESCAPE",
        "char char char",
        BOOLEAN,
        "({0} LIKE {1} ESCAPE {2})",
        "'a%b' LIKE 'a!%b' ESCAPE '!' -> TRUE\n'acb' LIKE 'a!%b' ESCAPE '!' -> FALSE",
        constant=(2,),
    ),
    scalar(
        "SIMILAR TO",
        "char char",
        BOOLEAN,
        "flink_similar({0}, {1})",
        "'abc' SIMILAR TO 'a(b|x)%' -> TRUE\n'abc' SIMILAR TO 'b' -> FALSE\n'a5' SIMILAR TO '[a-c][[:DIGIT:]]' -> TRUE\n"
        "'a$b' SIMILAR TO '_$_' -> TRUE\n'aab' NOT SIMILAR TO 'a{2}b+' -> FALSE\n'abc' SIMILAR TO 'a.c' -> TRUE",
    ),
    scalar(
        "SIMILAR TO ESCAPE",
        "char char char",
        BOOLEAN,
        "flink_similar({0}, {1}, {2})",
        "'a%b' SIMILAR TO 'a!%b' ESCAPE '!' -> TRUE\n'acb' SIMILAR TO 'a!%b' ESCAPE '!' -> FALSE\n"
        "'a-b' SIMILAR TO 'a[!-x]b' ESCAPE '!' -> TRUE",
    ),
    scalar(
        "AND",
        "bool bool",
        BOOLEAN,
        "({0} AND {1})",
        "TRUE AND NULL -> NULL\nFALSE AND NULL -> FALSE",
    ),
    scalar("OR", "bool bool", BOOLEAN, "({0} OR {1})", "TRUE OR NULL -> TRUE"),
    scalar("NOT", "bool", BOOLEAN, "(NOT {0})", "NOT TRUE -> FALSE"),
    scalar("IS TRUE", "bool", _NEVER_NULL, "({0} IS TRUE)", "(1 = 1) IS TRUE -> TRUE"),
    scalar(
        "IS FALSE", "bool", _NEVER_NULL, "({0} IS FALSE)", "CAST(NULL AS BOOLEAN) IS FALSE -> FALSE"
    ),
)
