"""Literals with the types Flink gives them: 'abc' is CHAR(3), 1.5 is DECIMAL(2, 1), 1e3 is DOUBLE."""

from __future__ import annotations

import datetime as dt
import re
from decimal import Decimal

from sqlglot import exp

from headrace.errors import SqlSyntaxError, UnsupportedSql, UserError
from headrace.plan.expressions import Literal
from headrace.plan.types import decimal_digits
from headrace.types import (
    BIGINT,
    BOOLEAN,
    DOUBLE,
    INT,
    MAX_DECIMAL_PRECISION,
    NULL,
    DataType,
    Kind,
    char,
    decimal,
)

INT_LIMIT, BIGINT_LIMIT = 2**31, 2**63
# Python keeps microseconds, and so does Spark; further digits of a fraction are cut.
FRACTION_DIGITS = 6

MONTHS_PER = {"YEAR": 12, "QUARTER": 3, "MONTH": 1}
SECONDS_PER = {"WEEK": 604_800, "DAY": 86_400, "HOUR": 3600, "MINUTE": 60, "SECOND": 1}
_DAY_TIME = {
    ("DAY", "HOUR"): r"(?P<DAY>\d+) (?P<HOUR>\d+)",
    ("DAY", "MINUTE"): r"(?P<DAY>\d+) (?P<HOUR>\d+):(?P<MINUTE>\d+)",
    ("DAY", "SECOND"): r"(?P<DAY>\d+) (?P<HOUR>\d+):(?P<MINUTE>\d+):(?P<SECOND>\d+(\.\d+)?)",
    ("HOUR", "MINUTE"): r"(?P<HOUR>\d+):(?P<MINUTE>\d+)",
    ("HOUR", "SECOND"): r"(?P<HOUR>\d+):(?P<MINUTE>\d+):(?P<SECOND>\d+(\.\d+)?)",
    ("MINUTE", "SECOND"): r"(?P<MINUTE>\d+):(?P<SECOND>\d+(\.\d+)?)",
}


def text_literal(text: str) -> Literal:
    """Its length is that of a Java string, in which some characters count twice."""
    return Literal(char(len(text.encode("utf-16-le")) // 2).not_null(), text)


def boolean_literal(value: bool) -> Literal:
    return Literal(BOOLEAN.not_null(), value)


def null_literal(kind: DataType = NULL) -> Literal:
    return Literal(kind.as_nullable(), None)


def bytes_literal(digits: str) -> Literal:
    if len(digits) % 2:
        raise SqlSyntaxError("a binary literal has two digits for every byte", found=f"x'{digits}'")
    value = bytes.fromhex(digits)
    return Literal(DataType(Kind.BINARY, nullable=False, length=len(value)), value)


def number_literal(text: str, *, negative: bool = False) -> Literal:
    sign = "-" if negative else ""
    if "e" in text.lower():
        # The sum with zero is never -0.0, which Flink's literals do not know.
        return Literal(DOUBLE.not_null(), float(sign + text) + 0.0)
    text = text.removesuffix(".")
    value = Decimal(sign + text)
    if "." not in text and -BIGINT_LIMIT <= value < BIGINT_LIMIT:
        fits_int = -INT_LIMIT <= value < INT_LIMIT
        return Literal((INT if fits_int else BIGINT).not_null(), int(value))
    scale = len(text.partition(".")[2])
    # Every digit that is written counts, a leading zero too: 0.05 is DECIMAL(3, 2).
    precision = len(text.replace(".", ""))
    if precision > MAX_DECIMAL_PRECISION:
        raise UserError(
            "a number has too many digits",
            found=f"{precision} digits",
            expected=f"at most {MAX_DECIMAL_PRECISION}",
        )
    return Literal(decimal(precision, scale).not_null(), value)


def temporal_literal(text: str, kind: DataType) -> Literal | None:
    """`DATE '…'`, `TIME '…'` or `TIMESTAMP '…'`; None for TIMESTAMP_LTZ, whose value depends on the session."""
    readers = {
        Kind.DATE: dt.date.fromisoformat,
        Kind.TIME: dt.time.fromisoformat,
        Kind.TIMESTAMP: dt.datetime.fromisoformat,
    }
    if kind.kind not in readers:
        return None
    try:
        value = readers[kind.kind](_micros(_padded(text.strip())))
    except ValueError:
        raise SqlSyntaxError(
            f"not a {kind.kind} literal", found=f"'{text}'", expected=_LAYOUTS[kind.kind]
        ) from None
    return Literal(kind, value)


_LAYOUTS = {
    Kind.DATE: "yyyy-MM-dd",
    Kind.TIME: "HH:mm:ss[.fraction]",
    Kind.TIMESTAMP: "yyyy-MM-dd HH:mm:ss[.fraction]",
}


def _padded(text: str) -> str:
    """`2020-1-2 3:04:05` with all its zeros: a single digit before the fraction gets one."""
    whole, point, fraction = text.partition(".")
    years = re.sub(r"^\d{1,3}(?=-)", lambda year: year[0].zfill(4), whole)
    return re.sub(r"(?<!\d)\d(?!\d)", lambda digit: "0" + digit[0], years) + point + fraction


def _micros(text: str) -> str:
    whole, point, fraction = text.partition(".")
    return (
        whole + point + fraction[:FRACTION_DIGITS].ljust(FRACTION_DIGITS, "0") if point else whole
    )


def interval_literal(node: exp.Interval) -> Literal:
    text, unit = node.this.name.strip(), node.args["unit"]
    negative = text.startswith("-")
    digits = text.lstrip("+-")
    if isinstance(unit, exp.IntervalSpan):
        span = (unit.this.name.upper(), unit.expression.name.upper())
        literal = _span(digits, span)
    else:
        literal = _single(digits, unit.name.upper())
    return negated_interval(literal) if negative else literal


def negated_interval(literal: Literal) -> Literal:
    value = literal.value
    assert isinstance(value, int | dt.timedelta)
    return Literal(literal.type, -value)


def _single(digits: str, unit: str) -> Literal:
    if not re.fullmatch(r"\d+(\.\d+)?" if unit == "SECOND" else r"\d+", digits):
        raise _bad_interval(digits, f"a whole number of {unit.lower()}s")
    if unit in MONTHS_PER:
        return _months(int(digits) * MONTHS_PER[unit])
    if unit not in SECONDS_PER:
        raise UnsupportedSql(f"INTERVAL in {unit} is not known", expected=", ".join(SECONDS_PER))
    return _seconds(Decimal(digits) * SECONDS_PER[unit])


def _span(digits: str, span: tuple[str, str]) -> Literal:
    if span == ("YEAR", "MONTH"):
        found = re.fullmatch(r"(\d+)-(\d+)", digits)
        if found is None:
            raise _bad_interval(digits, "years-months, such as '1-2'")
        return _months(int(found[1]) * 12 + int(found[2]))
    pattern = _DAY_TIME.get(span)
    found = re.fullmatch(pattern, digits) if pattern else None
    if found is None:
        raise _bad_interval(
            digits, f"the form of {span[0]} TO {span[1]}, such as '1 02:03:04' for DAY TO SECOND"
        )
    total = sum(
        (Decimal(value) * SECONDS_PER[unit] for unit, value in found.groupdict().items()),
        Decimal(0),
    )
    return _seconds(total)


def _months(count: int) -> Literal:
    return Literal(DataType(Kind.INTERVAL_YEAR_MONTH, nullable=False), count)


def _seconds(count: Decimal) -> Literal:
    value = dt.timedelta(microseconds=int(count * 1_000_000))
    return Literal(DataType(Kind.INTERVAL_DAY_SECOND, nullable=False), value)


def _bad_interval(found: str, expected: str) -> SqlSyntaxError:
    return SqlSyntaxError("this INTERVAL cannot be read", found=f"'{found}'", expected=expected)


def recast(literal: Literal, target: DataType) -> Literal | None:
    """The same value as a literal of a wider number type, or None where a CAST is needed."""
    value = literal.value
    if value is None:
        return null_literal(target)
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    if target.kind is Kind.DOUBLE:
        return Literal(target, float(value))
    if target.kind in (Kind.INT, Kind.BIGINT) and isinstance(value, int):
        return Literal(target, value)
    if target.kind is Kind.DECIMAL and _holds(target, Decimal(value)):
        return Literal(target, Decimal(value))
    return None


def _holds(kind: DataType, value: Decimal) -> bool:
    """Whether a decimal type has the digits for a value, before and after the point."""
    precision, scale = decimal_digits(kind)
    exponent = value.as_tuple().exponent
    return (
        abs(value) < 10 ** (precision - scale) and isinstance(exponent, int) and -exponent <= scale
    )
