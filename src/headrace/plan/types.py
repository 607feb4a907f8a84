"""Flink's rules between types: the common type of several, what casts implicitly, what casts at all, decimals.

Nullability is part of a type here: a common type is nullable when one of its sources is, and a nullable value
does not fit a NOT NULL target implicitly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import reduce

from headrace.types import (
    APPROXIMATE,
    BINARY_KINDS,
    BYTES,
    CHARACTER,
    DOUBLE,
    INTEGERS,
    MAX_DECIMAL_PRECISION,
    NULL,
    NUMERIC,
    STRING,
    TEMPORAL,
    TIMESTAMPS,
    DataType,
    Kind,
    decimal,
    varchar,
)

# The decimal that holds every value of an integer type.
INTEGER_DIGITS = {Kind.TINYINT: 3, Kind.SMALLINT: 5, Kind.INT: 10, Kind.BIGINT: 19}
# The fraction digits that survive when precision 38 is not enough, as in SQL Server and Hive.
MINIMUM_ADJUSTED_SCALE = 6
CastCheck = Callable[[DataType, DataType], bool]
INTERVALS = (Kind.INTERVAL_YEAR_MONTH, Kind.INTERVAL_DAY_SECOND)
CONSTRUCTED = (Kind.ARRAY, Kind.MAP, Kind.MULTISET, Kind.ROW)
EXACT = (*INTEGERS, Kind.DECIMAL)

# Target kind -> source kinds that become it without being asked.
IMPLICIT: dict[Kind, tuple[Kind, ...]] = {
    Kind.VARCHAR: CHARACTER,
    Kind.STRING: CHARACTER,
    Kind.VARBINARY: BINARY_KINDS,
    Kind.BYTES: BINARY_KINDS,
    Kind.SMALLINT: (Kind.TINYINT,),
    Kind.INT: (Kind.TINYINT, Kind.SMALLINT),
    Kind.BIGINT: (Kind.TINYINT, Kind.SMALLINT, Kind.INT),
    Kind.DECIMAL: NUMERIC,
    Kind.FLOAT: (*INTEGERS, Kind.DECIMAL),
    Kind.DOUBLE: NUMERIC,
    Kind.DATE: (Kind.TIMESTAMP,),
    Kind.TIME: (Kind.TIMESTAMP,),
    Kind.TIMESTAMP: TIMESTAMPS,
    Kind.TIMESTAMP_LTZ: TIMESTAMPS,
}

# Target kind -> further source kinds that CAST accepts. Numbers never become timestamps or the other way round:
# Flink sends the user to TO_TIMESTAMP_LTZ and UNIX_TIMESTAMP.
_SCALARS = (Kind.BOOLEAN, *NUMERIC, *CHARACTER, *BINARY_KINDS, *TEMPORAL)
_TO_NUMBER = (Kind.BOOLEAN, *NUMERIC, *CHARACTER)
EXPLICIT: dict[Kind, tuple[Kind, ...]] = {
    Kind.CHAR: (*_SCALARS, *INTERVALS, *CONSTRUCTED),
    Kind.VARCHAR: (*_SCALARS, *INTERVALS, *CONSTRUCTED),
    Kind.STRING: (*_SCALARS, *INTERVALS, *CONSTRUCTED),
    Kind.BINARY: (*CHARACTER, *BINARY_KINDS),
    Kind.VARBINARY: CHARACTER,
    Kind.BYTES: CHARACTER,
    Kind.TINYINT: _TO_NUMBER,
    Kind.SMALLINT: _TO_NUMBER,
    Kind.INT: _TO_NUMBER,
    Kind.BIGINT: _TO_NUMBER,
    Kind.DECIMAL: _TO_NUMBER,
    Kind.FLOAT: _TO_NUMBER,
    Kind.DOUBLE: _TO_NUMBER,
    Kind.BOOLEAN: (*CHARACTER, *NUMERIC),
    Kind.DATE: (*TIMESTAMPS, *CHARACTER),
    Kind.TIME: (Kind.TIME, *TIMESTAMPS, *CHARACTER),
    Kind.TIMESTAMP: (*TEMPORAL, *CHARACTER),
    Kind.TIMESTAMP_LTZ: (*TEMPORAL, *CHARACTER),
}


def can_store(source: DataType, target: DataType) -> bool:
    """Whether INSERT may put a `source` value into a `target` column without a CAST."""
    if source.nullable and not target.nullable:
        return False
    if source.same_as(target) or source.kind is Kind.NULL:
        return True
    if source.kind in CONSTRUCTED:
        return _children_fit(source, target, can_store)
    return source.kind is target.kind or source.kind in IMPLICIT.get(target.kind, ())


def can_cast(source: DataType, target: DataType) -> bool:
    """Whether `CAST(source AS target)` has a meaning."""
    if source.kind is Kind.NULL or source.same_as(target):
        return True
    if source.kind in CONSTRUCTED and target.kind in CONSTRUCTED:
        return _children_fit(source, target, can_cast)
    if source.kind in CONSTRUCTED and target.kind in CHARACTER:
        return all(can_cast(child, target) for child in source.children)
    if can_store(source.not_null(), target):
        return True
    return source.kind in EXPLICIT.get(target.kind, ())


def _children_fit(source: DataType, target: DataType, fits: CastCheck) -> bool:
    return (
        source.kind is target.kind
        and len(source.children) == len(target.children)
        and all(fits(s, t) for s, t in zip(source.children, target.children, strict=True))
    )


def common_type(*types: DataType) -> DataType | None:
    """The least type that all of `types` become (CASE, COALESCE, UNION, IN), or None when there is none."""
    plain: list[DataType | None] = [kind.as_nullable() for kind in types]
    found = reduce(_pairwise, plain)
    return found and found.as_nullable(any(kind.nullable for kind in types))


def comparable_type(left: DataType, right: DataType) -> DataType | None:
    """The type two sides are compared in: their common type, or the temporal one when the other is a string."""
    for one, other in ((left, right), (right, left)):
        if one.kind in CHARACTER and other.kind in TEMPORAL:
            return other.as_nullable(one.nullable or other.nullable)
    return left_of_approximates(left, right) or common_type(left, right)


def left_of_approximates(left: DataType, right: DataType) -> DataType | None:
    """FLOAT with DOUBLE is compared and computed in the type on the left."""
    if {left.kind, right.kind} != set(APPROXIMATE):
        return None
    return left.as_nullable(left.nullable or right.nullable)


def _pairwise(left: DataType | None, right: DataType | None) -> DataType | None:
    if left is None or right is None or left == right:
        return left and right
    if NULL in (left, right):
        return right if left == NULL else left
    for family, merge in _MERGES:
        if left.kind in family and right.kind in family:
            return merge(left, right)
    return None


def _merge_numeric(left: DataType, right: DataType) -> DataType:
    kinds = {left.kind, right.kind}
    if kinds & set(APPROXIMATE):
        widened = Kind.DOUBLE in kinds or Kind.DECIMAL in kinds
        return DOUBLE if widened else (left if left.kind in APPROXIMATE else right)
    if Kind.DECIMAL not in kinds:
        return max(left, right, key=lambda kind: INTEGER_DIGITS[kind.kind])
    (p1, s1), (p2, s2) = decimal_digits(left), decimal_digits(right)
    whole = max(p1 - s1, p2 - s2)
    scale = min(max(s1, s2), MAX_DECIMAL_PRECISION - whole)
    return decimal(whole + scale, scale)


def _merge_character(left: DataType, right: DataType) -> DataType:
    if left.length is None or right.length is None:
        return STRING
    return varchar(max(left.length, right.length))


def _merge_binary(left: DataType, right: DataType) -> DataType:
    if left.length is None or right.length is None:
        return BYTES
    return DataType(Kind.VARBINARY, length=max(left.length, right.length))


def _merge_timestamp(left: DataType, right: DataType) -> DataType:
    local = Kind.TIMESTAMP_LTZ in (left.kind, right.kind)
    return DataType(
        Kind.TIMESTAMP_LTZ if local else Kind.TIMESTAMP,
        precision=max(left.precision or 0, right.precision or 0),
    )


def _merge_time(left: DataType, right: DataType) -> DataType:
    return left if (left.precision or 0) >= (right.precision or 0) else right


def _merge_children(left: DataType, right: DataType) -> DataType | None:
    if len(left.children) != len(right.children):
        return None
    merged = [common_type(*pair) for pair in zip(left.children, right.children, strict=True)]
    children = tuple(child for child in merged if child is not None)
    return replace(left, children=children) if len(children) == len(merged) else None


_MERGES: tuple[tuple[tuple[Kind, ...], Callable[[DataType, DataType], DataType | None]], ...] = (
    (NUMERIC, _merge_numeric),
    (CHARACTER, _merge_character),
    (BINARY_KINDS, _merge_binary),
    ((Kind.DATE, *TIMESTAMPS), _merge_timestamp),
    ((Kind.TIME,), _merge_time),
    *(((kind,), _merge_children) for kind in CONSTRUCTED),
)


def decimal_digits(kind: DataType) -> tuple[int, int]:
    """Precision and scale of an exact number."""
    if kind.kind is Kind.DECIMAL:
        return kind.precision or 0, kind.scale or 0
    return INTEGER_DIGITS[kind.kind], 0


def as_decimal(kind: DataType) -> DataType:
    return decimal(*decimal_digits(kind)).as_nullable(kind.nullable)


def sum_of_decimals(left: DataType, right: DataType) -> DataType:
    (p1, s1), (p2, s2) = decimal_digits(left), decimal_digits(right)
    scale = max(s1, s2)
    return _adjusted(max(p1 - s1, p2 - s2) + scale + 1, scale)


def product_of_decimals(left: DataType, right: DataType) -> DataType:
    (p1, s1), (p2, s2) = decimal_digits(left), decimal_digits(right)
    return _adjusted(p1 + p2 + 1, s1 + s2)


def quotient_of_decimals(left: DataType, right: DataType) -> DataType:
    (p1, s1), (p2, s2) = decimal_digits(left), decimal_digits(right)
    scale = max(MINIMUM_ADJUSTED_SCALE, s1 + p2 + 1)
    return _adjusted(p1 - s1 + s2 + scale, scale)


def remainder_of_decimals(left: DataType, right: DataType) -> DataType:
    (p1, s1), (p2, s2) = decimal_digits(left), decimal_digits(right)
    scale = max(s1, s2)
    return _adjusted(min(p1 - s1, p2 - s2) + scale, scale)


def rounded_decimal(kind: DataType, places: int) -> DataType:
    precision, scale = decimal_digits(kind)
    if places >= scale:
        return decimal(precision, scale)
    if places < 0:
        return decimal(min(MAX_DECIMAL_PRECISION, 1 + precision - scale), 0)
    # Rounding up may add a digit: 9.99 to one place is 10.0.
    return decimal(1 + precision - scale + places, places)


def average_type(kind: DataType) -> DataType:
    """The type of AVG: integers stay what they are, decimals become DECIMAL(38, max(6, s))."""
    if kind.kind is not Kind.DECIMAL:
        return kind.as_nullable()
    return quotient_of_decimals(decimal(MAX_DECIMAL_PRECISION, kind.scale or 0), decimal(20, 0))


def sum_type(kind: DataType) -> DataType:
    if kind.kind is not Kind.DECIMAL:
        return kind.as_nullable()
    return decimal(MAX_DECIMAL_PRECISION, kind.scale or 0)


def _adjusted(precision: int, scale: int) -> DataType:
    """Give up fraction digits before whole ones when 38 digits are not enough."""
    if precision <= MAX_DECIMAL_PRECISION:
        return decimal(precision, scale)
    kept = max(MAX_DECIMAL_PRECISION - (precision - scale), min(scale, MINIMUM_ADJUSTED_SCALE))
    return decimal(MAX_DECIMAL_PRECISION, kept)
