"""CAST with Flink's meaning, as Spark SQL text.

Where Spark's own cast gives the same value it is used; numbers wrap around where they do not fit, text is read with
Flink's spellings, cut and padded, booleans print in capitals, timestamps print and keep as many fraction digits as
their precision says, collections print as Flink prints them. The functions `flink_…` are the session's own.
"""

from __future__ import annotations

from headrace.errors import InternalError
from headrace.spark.literals import string_sql
from headrace.types import (
    BINARY_KINDS,
    CHARACTER,
    INTEGERS,
    NUMERIC,
    TIMESTAMPS,
    DataType,
    Kind,
    quote,
)

# Spark keeps microseconds; Flink's precisions 7 to 9 hold no further digits here.
SPARK_PRECISION = 6
_SECONDS_LENGTH = len("2020-01-01 00:00:00")
_COLLECTIONS = (Kind.ARRAY, Kind.MAP, Kind.MULTISET, Kind.ROW)


def cast_sql(
    text: str, source: DataType, target: DataType, *, try_cast: bool = False, depth: int = 0
) -> str:
    """`depth` numbers the lambda variables of nested collections."""
    if source.kind is Kind.NULL:
        return f"CAST({text} AS {target.spark()})"
    if target.kind in CHARACTER:
        return _to_text(text, source, target, depth)
    if target.kind in BINARY_KINDS:
        return _to_bytes(text, source, target)
    if source.kind in _COLLECTIONS and not _is_native(source, target):
        rebuilt = _rebuilt(text, source, target, try_cast, depth)
        wrong = _unread(text, source, target, depth) if try_cast else None
        return f"if(coalesce({wrong}, FALSE), NULL, {rebuilt})" if wrong else rebuilt
    if source.kind in CHARACTER:
        return _read(text, target, try_cast)
    if Kind.TIME in (source.kind, target.kind) and source.kind is not target.kind:
        return _clock(text, source, target)
    if source.spark() == target.spark():
        converted = text
    elif _may_overflow(source, target):
        converted = f"flink_convert({text}, '{target.spark()}')"
    else:
        converted = f"CAST({text} AS {target.spark()})"
    if target.kind in TIMESTAMPS and _loses_fraction(source, target):
        return cut_fraction(converted, target)
    return converted


def _clock(text: str, source: DataType, target: DataType) -> str:
    """Between a time of day and a timestamp, which Spark does not cast: of 1970-01-01, or without its day."""
    if source.kind is Kind.TIME:
        point = f"make_timestamp_ntz(DATE '1970-01-01', {text})"
        return point if target.kind is Kind.TIMESTAMP else f"CAST({point} AS timestamp)"
    digits = min(target.precision or 0, SPARK_PRECISION)
    point = cut_fraction(text, target) if digits < SPARK_PRECISION else text
    made = f"make_time(hour({point}), minute({point}), extract(SECOND FROM {point}))"
    return f"CAST({made} AS {target.spark()})"


def _read(text: str, target: DataType, try_cast: bool) -> str:
    """A value from text; what cannot be read fails, or is NULL for TRY_CAST."""
    function = "flink_try_read" if try_cast else "flink_read"
    digits = min(target.precision or 0, SPARK_PRECISION)
    shown = target.as_nullable().sql()
    return f"{function}({text}, '{target.spark()}', {digits}, '{shown}')"


def _may_overflow(source: DataType, target: DataType) -> bool:
    """Whether numbers of one type are not all numbers of the other; Spark's own cast then fails."""
    if target.kind is Kind.DECIMAL:
        return True
    if target.kind not in INTEGERS or source.kind not in NUMERIC:
        return False
    return source.kind not in INTEGERS or INTEGERS.index(source.kind) > INTEGERS.index(target.kind)


def _is_native(source: DataType, target: DataType) -> bool:
    """Whether Spark's cast of the whole collection means the same."""
    if source.children:
        pairs = zip(source.children, target.children, strict=True)
        return all(_is_native(inner, outer) for inner, outer in pairs)
    if source.spark() != target.spark() and (
        source.kind in CHARACTER or _may_overflow(source, target)
    ):
        return False
    if target.kind in TIMESTAMPS:
        return not _loses_fraction(source, target)
    bounded = target.kind in (*CHARACTER, *BINARY_KINDS) and target.length is not None
    prints = target.kind in CHARACTER and source.kind in (Kind.BOOLEAN, Kind.TIME, *TIMESTAMPS)
    return not prints and (not bounded or _fits(source, target))


def _fits(source: DataType, target: DataType) -> bool:
    """Whether text or bytes are known to need neither cutting nor padding."""
    if target.length is None:
        return True
    if source.length is None or source.kind not in (*CHARACTER, *BINARY_KINDS):
        return False
    if target.kind in (Kind.CHAR, Kind.BINARY):
        return source.kind is target.kind and source.length == target.length
    return source.length <= target.length


def _to_text(text: str, source: DataType, target: DataType, depth: int) -> str:
    printed = text if source.kind in CHARACTER else text_of(text, source, depth)
    if _fits(source, target):
        return printed
    if target.kind is Kind.CHAR:
        return f"rpad({printed}, {target.length}, ' ')"
    return f"left({printed}, {target.length})"


def _to_bytes(text: str, source: DataType, target: DataType) -> str:
    made = text if source.kind in BINARY_KINDS else f"CAST({text} AS binary)"
    if _fits(source, target):
        return made
    if target.kind is Kind.BINARY:
        return f"rpad({made}, {target.length}, X'00')"
    return f"substring({made}, 1, {target.length})"


def text_of(text: str, kind: DataType, depth: int = 0) -> str:
    """A value as Flink prints it."""
    match kind.kind:
        case Kind.CHAR | Kind.VARCHAR | Kind.STRING:
            return text
        case Kind.BOOLEAN:
            return f"upper(CAST({text} AS string))"
        case Kind.TIMESTAMP | Kind.TIMESTAMP_LTZ:
            return _with_fraction(f"CAST({text} AS string)", _SECONDS_LENGTH, kind.precision or 0)
        case Kind.TIME:
            return _whole(
                _with_fraction(f"CAST({text} AS string)", len("00:00:00"), kind.precision or 0)
            )
        case Kind.INTERVAL_YEAR_MONTH | Kind.INTERVAL_DAY_SECOND:
            return f"flink_interval_text({text})"
        case Kind.ARRAY:
            return _array_text(text, kind.children[0], depth)
        case Kind.MAP | Kind.MULTISET:
            return _map_text(text, kind, depth)
        case Kind.ROW:
            return _row_text(text, kind, depth)
        case _:
            return f"CAST({text} AS string)"


def _with_fraction(printed: str, length: int, digits: int) -> str:
    """Exactly `digits` fraction digits; Spark leaves out zeros at the end, and the point before none."""
    if digits == 0:
        return f"left({printed}, {length})"
    return f"rpad(regexp_replace({printed}, '^([^.]*)$', '$1.'), {length + 1 + digits}, '0')"


def _whole(printed: str) -> str:
    """A TIME of whole seconds has no fraction: Flink's SQL has had no other times up to 2.2."""
    return f"regexp_replace({printed}, '[.]0+$', '')"


def _array_text(text: str, element: DataType, depth: int) -> str:
    item = f"__e{depth}"
    printed = f"transform({text}, {item} -> {text_of(item, element, depth + 1)})"
    return f"concat('[', array_join({printed}, ', ', 'NULL'), ']')"


def _map_text(text: str, kind: DataType, depth: int) -> str:
    entry = f"__e{depth}"
    value = kind.children[1] if kind.kind is Kind.MAP else DataType(Kind.INT)
    key_text = text_of(f"{entry}.key", kind.children[0], depth + 1)
    value_text = f"coalesce({text_of(f'{entry}.value', value, depth + 1)}, 'NULL')"
    printed = f"transform(map_entries({text}), {entry} -> concat({key_text}, '=', {value_text}))"
    return f"concat('{{', array_join({printed}, ', '), '}}')"


def _row_text(text: str, kind: DataType, depth: int) -> str:
    printed = (
        f"coalesce({text_of(f'{text}.{quote(name)}', child, depth)}, 'NULL')"
        for name, child in kind.fields()
    )
    fields = ", ', ', ".join(printed)
    return f"if({text} IS NULL, NULL, concat('(', {fields}, ')'))"


def _loses_fraction(source: DataType, target: DataType) -> bool:
    digits = target.precision or 0
    if digits >= SPARK_PRECISION or source.kind is Kind.DATE:
        return False
    return source.kind not in TIMESTAMPS or (source.precision or 0) > digits


def cut_fraction(text: str, target: DataType) -> str:
    """Keep the fraction digits of the target's precision. A local timestamp has no time zone to pass through, so
    the surplus is subtracted instead of truncated."""
    step = (
        f"{10 ** -(target.precision or 0):.{target.precision or 0}f}" if target.precision else "1"
    )
    surplus = f"extract(SECOND FROM {text}) % {step}"
    return f"({text} - make_dt_interval(0, 0, 0, {surplus}))"


def _unread(text: str, source: DataType, target: DataType, depth: int) -> str | None:
    """Whether a part of a collection is text that cannot be read, which makes all of it NULL; None where none can be."""
    item = f"__e{depth}"
    parts = {
        Kind.ARRAY: [item],
        Kind.MAP: [f"{item}.key", f"{item}.value"],
        Kind.MULTISET: [f"{item}.key"],
    }.get(
        source.kind,
        [
            f"{text}.{quote(name)}"
            for name, _ in (source.fields() if source.kind is Kind.ROW else ())
        ],
    )
    if not source.children:
        read = source.kind in CHARACTER and target.kind not in (*CHARACTER, *BINARY_KINDS)
        return f"({text} IS NOT NULL AND {_read(text, target, True)} IS NULL)" if read else None
    inner = depth if source.kind is Kind.ROW else depth + 1
    kinds = zip(parts, source.children, target.children, strict=True)
    tests = [_unread(part, held, wanted, inner) for part, held, wanted in kinds]
    wrong = " OR ".join(test for test in tests if test)
    if not wrong or source.kind is Kind.ROW:
        return f"({wrong})" if wrong else None
    items = text if source.kind is Kind.ARRAY else f"map_entries({text})"
    return f"exists({items}, {item} -> {wrong})"


def _rebuilt(text: str, source: DataType, target: DataType, try_cast: bool, depth: int) -> str:
    item = f"__e{depth}"

    def inner(part: str, index: int) -> str:
        held, wanted = source.children[index], target.children[index]
        return cast_sql(part, held, wanted, try_cast=try_cast, depth=depth + 1)

    match source.kind:
        case Kind.ARRAY:
            return f"transform({text}, {item} -> {inner(item, 0)})"
        case Kind.MAP:
            entry = f"struct({inner(f'{item}.key', 0)}, {inner(f'{item}.value', 1)})"
            return f"map_from_entries(transform(map_entries({text}), {item} -> {entry}))"
        case Kind.MULTISET:
            entry = f"struct({inner(f'{item}.key', 0)}, {item}.value)"
            return f"map_from_entries(transform(map_entries({text}), {item} -> {entry}))"
        case Kind.ROW:
            return _rebuilt_row(text, source, target, try_cast, depth)
    raise InternalError(f"{source} is no collection")


def _rebuilt_row(text: str, source: DataType, target: DataType, try_cast: bool, depth: int) -> str:
    pairs = zip(source.fields(), target.fields(), strict=True)
    fields = (
        f"{string_sql(new)}, {cast_sql(f'{text}.{quote(old)}', held, wanted, try_cast=try_cast, depth=depth)}"
        for (old, held), (new, wanted) in pairs
    )
    return f"if({text} IS NULL, NULL, named_struct({', '.join(fields)}))"
