"""Results as text, in the shape Flink's client prints: a bordered table, a change per line, NULL as <NULL>."""

from __future__ import annotations

import math
import struct
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from headrace.types import DataType, Kind

if TYPE_CHECKING:
    from headrace.runtime.results import Row, TableResult

# Flink's client cuts string columns at this width.
MAX_COLUMN_WIDTH = 30


def format_value(value: Any, kind: DataType | None = None) -> str:
    return "<NULL>" if value is None else _text(value, kind)


def _text(value: Any, kind: DataType | None) -> str:
    """Inside arrays, maps and rows NULL is plain, as a CAST to STRING writes it."""
    children = kind.children if kind else ()
    match value:
        case None:
            return "NULL"
        case bool():
            return str(value).upper()
        case bytes() | bytearray():
            return "x'" + bytes(value).hex() + "'"
        case datetime():
            return _timestamp(value, kind.precision if kind else None)
        case date() | time() | Decimal():
            return format(value, "f") if isinstance(value, Decimal) else value.isoformat()
        case float():
            is_single = kind is not None and kind.kind is Kind.FLOAT
            return _double(_shortest_single(value) if is_single else value)
        case dict():
            key, item = children if len(children) == 2 else (None, None)
            pairs = (f"{_text(k, key)}={_text(v, item)}" for k, v in value.items())
            return "{" + ", ".join(pairs) + "}"
        case tuple():
            kinds = children or [None] * len(value)
            return "(" + ", ".join(map(_text, value, kinds)) + ")"
        case list():
            element = children[0] if children else None
            return "[" + ", ".join(_text(item, element) for item in value) + "]"
        case _:
            return str(value)


def _timestamp(value: datetime, precision: int | None) -> str:
    digits = 6 if precision is None else min(precision, 6)
    fraction = f".{value.microsecond:06d}"[: digits + 1] if digits else ""
    return value.replace(microsecond=0, tzinfo=None).isoformat(" ") + fraction


def _double(value: float) -> str:
    """As Java prints a double: 1.0E10, 1.5, NaN, Infinity."""
    if value != value or value in (float("inf"), float("-inf")):
        return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}[str(value)]
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(value)
    mantissa, exponent = f"{value!r}".split("e") if "e" in repr(value) else _scientific(value)
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}E{int(exponent)}"


def _shortest_single(value: float) -> float:
    """The fewest digits that mean the same FLOAT: 0.1, where the double nearest to it has seventeen."""
    if not math.isfinite(value):
        return value
    # Nine digits tell any two singles apart.
    shorter = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next((short for short in shorter if _as_single(short) == value), value)


def _as_single(value: float) -> float:
    try:
        single: float = struct.unpack("f", struct.pack("f", value))[0]
    except OverflowError:  # fewer digits rounded it beyond the largest single
        return math.inf
    return single


def _scientific(value: float) -> tuple[str, str]:
    digits = Decimal(repr(value)).normalize()
    text = f"{digits:E}"
    mantissa, exponent = text.split("E")
    return mantissa, exponent


def display_width(text: str) -> int:
    """Columns on a terminal: East Asian wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def pad(text: str, width: int, *, right: bool) -> str:
    if display_width(text) > width:
        text = _cut(text, max(width - 3, 0)) + "..."
    space = " " * (width - display_width(text))
    return space + text if right else text + space


def _cut(text: str, width: int) -> str:
    while display_width(text) > width:
        text = text[:-1]
    return text


def table_lines(
    names: Sequence[str], rows: Iterable[Sequence[str]], right_aligned: Sequence[bool] | None = None
) -> list[str]:
    """A bordered table; columns are as wide as what they hold, strings up to a limit."""
    body = [list(row) for row in rows]
    align = list(right_aligned or [False] * len(names))
    widths = [
        max([display_width(name), *(display_width(row[i]) for row in body)])
        for i, name in enumerate(names)
    ]
    border = "+" + "+".join("-" * (width + 2) for width in widths) + "+"
    header = _line(names, widths, [True] * len(names))
    return [border, header, border, *(_line(row, widths, align) for row in body), border]


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = (pad(c, w, right=r) for c, w, r in zip(cells, widths, right, strict=True))
    return "| " + " | ".join(padded) + " |"


RIGHT_ALIGNED = (
    Kind.TINYINT,
    Kind.SMALLINT,
    Kind.INT,
    Kind.BIGINT,
    Kind.FLOAT,
    Kind.DOUBLE,
    Kind.DECIMAL,
)


def print_result(result: TableResult, write: Callable[[str], None] | None = None) -> None:
    out = write or (lambda line: print_line(line))
    if result.message is not None:
        out(result.message)
    elif result.is_query and not result.is_bounded:
        _print_live(result, out)
    elif result.columns:
        _print_table(result, out)
    else:
        result.wait()


def print_line(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _print_table(result: TableResult, out: Callable[[str], None]) -> None:
    rows = list(result.collect())
    if not rows:
        out("Empty set")
        return
    names = ["op", *result.columns] if result.is_query else list(result.columns)
    for line in table_lines(names, (_cells(row, result) for row in rows), _alignment(result)):
        out(line)
    out(f"{len(rows)} {'row' if len(rows) == 1 else 'rows'} in set")


def _cells(row: Row, result: TableResult) -> list[str]:
    kinds: list[DataType | None] = [field.type for field in result.schema]
    kinds = kinds or [None] * len(row)
    cells = [format_value(value, kind) for value, kind in zip(row, kinds, strict=True)]
    return [str(row.kind), *cells] if result.is_query else cells


def _alignment(result: TableResult) -> list[bool]:
    if not result.is_query:
        return [False] * len(result.columns)
    return [False, *(field.type.kind in RIGHT_ALIGNED for field in result.schema)]


class LiveTable:
    """A table that grows a change at a time: widths are set from the types, since rows to come are unknown."""

    def __init__(self, result: TableResult) -> None:
        self._result = result
        self._widths = [2, *(_live_width(field.name, field.type) for field in result.schema)]

    def header(self) -> list[str]:
        names = ["op", *self._result.columns]
        border = "+" + "+".join("-" * (width + 2) for width in self._widths) + "+"
        return [border, _line(names, self._widths, [True] * len(names)), border]

    def line(self, row: Row) -> str:
        return _line(_cells(row, self._result), self._widths, _alignment(self._result))


def _print_live(result: TableResult, out: Callable[[str], None]) -> None:
    table = LiveTable(result)
    for line in table.header():
        out(line)
    for row in result.collect():
        out(table.line(row))


def _live_width(name: str, kind: DataType) -> int:
    numbers = {Kind.TINYINT: 4, Kind.SMALLINT: 6, Kind.INT: 11, Kind.BIGINT: 20, Kind.BOOLEAN: 7}
    return max(display_width(name), numbers.get(kind.kind, MAX_COLUMN_WIDTH))
