"""Numbers: operators with Flink's result types, rounding, logarithms, trigonometry, random values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.functions.registry import ScalarFunction, SparkText, as_spark, fill
from headrace.plan.functions.signatures import always, any_nullable, derived, same_as, scalar
from headrace.plan.functions.temporal_arithmetic import minus_text, plus_text, shifted_type
from headrace.plan.types import (
    INTERVALS,
    as_decimal,
    common_type,
    left_of_approximates,
    product_of_decimals,
    quotient_of_decimals,
    remainder_of_decimals,
    rounded_decimal,
    sum_of_decimals,
)
from headrace.types import (
    APPROXIMATE,
    BYTES,
    DOUBLE,
    INT,
    INTEGERS,
    NUMERIC,
    STRING,
    TEMPORAL,
    DataType,
    Kind,
    char,
)

DecimalRule = Callable[[DataType, DataType], DataType]


def _number_type(name: str, decimals: DecimalRule) -> Callable[[Sequence[DataType]], DataType]:
    """INT + BIGINT is BIGINT, a decimal with an integer follows the decimal rule, FLOAT or DOUBLE win, of both
    the left one."""

    def rule(types: Sequence[DataType]) -> DataType:
        left, right = (INT.as_nullable() if kind.kind is Kind.NULL else kind for kind in types)
        if left.kind not in NUMERIC or right.kind not in NUMERIC:
            raise TypeMismatch(
                f"'{name}' does not apply to these types",
                found=f"{left.sql()} {name} {right.sql()}",
                expected="two numbers",
            )
        shared = left_of_approximates(left, right) or common_type(left, right)
        assert shared is not None, "numbers always have a common type"
        return decimals(left, right) if shared.kind is Kind.DECIMAL else shared

    return derived(rule)


def _with_time(name: str, decimals: DecimalRule) -> Callable[[Sequence[DataType]], DataType]:
    numbers = _number_type(name, decimals)

    def rule(types: Sequence[DataType]) -> DataType:
        if any(kind.kind in (*TEMPORAL, *INTERVALS) for kind in types):
            return shifted_type(name, types)
        return numbers(types)

    return rule


def _scaled(types: Sequence[DataType]) -> DataType:
    """A product of numbers, or an interval a whole number of times."""
    for interval, times in (types, reversed(types)):
        if interval.kind in INTERVALS and times.kind in INTEGERS:
            return interval.as_nullable(any_nullable(types))
    return _number_type("*", product_of_decimals)(types)


def _operands(args: Sequence[str], types: Sequence[DataType], result: DataType) -> list[str]:
    """Both sides in the type Flink computes in: decimals keep their own digits, the rest becomes the result type."""
    if result.kind is Kind.DECIMAL:
        targets = [as_decimal(kind) if kind.kind in NUMERIC else result for kind in types]
        return [
            as_spark(text, kind, to.spark())
            for text, kind, to in zip(args, types, targets, strict=True)
        ]
    return [as_spark(text, kind, result.spark()) for text, kind in zip(args, types, strict=True)]


# Whole numbers wrap around and decimals that outgrow their type are NULL, where Spark's operators fail: the session's
# own functions for them (`headrace.functions.FlinkFunctions` in the JVM).
WRAPPING = {"+": "flink_add", "-": "flink_subtract", "*": "flink_multiply"}


def _infix(operator: str) -> SparkText:
    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        left, right = _operands(args, types, result)
        if result.kind in APPROXIMATE:
            return f"({left} {operator} {right})"
        computed = f"{WRAPPING[operator]}({left}, {right})"
        return _converted(computed, result) if result.kind is Kind.DECIMAL else computed

    return text


def _converted(number: str, target: DataType) -> str:
    """A number in another type of number: it wraps, or is NULL where a decimal does not hold it."""
    return f"flink_convert({number}, '{target.spark()}')"


def _unary(spark: str, wrapping: str) -> SparkText:
    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        own = (*INTEGERS, Kind.DECIMAL)
        return f"{wrapping if result.kind in own else spark}({args[0]})"

    return text


def _plus(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    timed = any(kind.kind in (*TEMPORAL, *INTERVALS) for kind in types)
    return plus_text(args, types, result) if timed else _infix("+")(args, types, result)


def _minus(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    timed = any(kind.kind in (*TEMPORAL, *INTERVALS) for kind in types)
    return minus_text(args, types, result) if timed else _infix("-")(args, types, result)


def _times(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    timed = result.kind in INTERVALS
    return f"({args[0]} * {args[1]})" if timed else _infix("*")(args, types, result)


def _divide(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    left, right = _operands(args, types, result)
    if result.kind in INTEGERS:
        return f"flink_divide({left}, {right})"
    if result.kind in APPROXIMATE:
        # Java divides by zero to ±Infinity or NaN where Spark raises; the left side, where chains of operators
        # grow, is written once.
        zero = f"{right} = 0"
        whole = f"{left} * if({zero}, double('Infinity'), 1D) / if({zero}, 1D, {right})"
        return f"CAST({whole} AS {result.spark()})"
    return f"flink_divide({left}, {right}, '{result.spark()}')"


def _remainder_type(types: Sequence[DataType]) -> DataType:
    """Of whole numbers the divisor's type, which holds every remainder."""
    plain = _number_type("%", remainder_of_decimals)(types)
    whole = plain.kind in INTEGERS and types[1].kind in INTEGERS
    return types[1].as_nullable(plain.nullable) if whole else plain


def _remainder(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if result.kind in INTEGERS:
        wide = common_type(*types) or result
        left, right = _operands(args, types, wide)
        remainder = f"flink_remainder({left}, {right})"
        narrow = wide.kind is not result.kind
        return f"flink_convert({remainder}, '{result.spark()}')" if narrow else remainder
    left, right = _operands(args, types, result)
    if result.kind is Kind.DECIMAL:
        return f"flink_remainder({left}, {right}, '{result.spark()}')"
    return f"CAST({left} % if({right} = 0, double('NaN'), {right}) AS {result.spark()})"


def _round_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    number = types[0]
    if number.kind is not Kind.DECIMAL:
        return number.as_nullable(any_nullable(types))
    places = constants[1] if len(constants) > 1 else 0
    rounded = rounded_decimal(number, places) if isinstance(places, int) else number
    return rounded.as_nullable(any_nullable(types))


def _round(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    places = as_spark(args[1], types[1], "int") if len(args) > 1 else "0"
    if types[0].kind in INTEGERS:
        # Rounding up wraps around, where Spark's ROUND of whole numbers fails.
        return _converted(f"round(CAST({args[0]} AS DECIMAL(20,0)), {places})", result)
    return f"CAST(round({args[0]}, {places}) AS {result.spark()})"


def _truncate(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Toward zero: the whole part of the number with its point moved, moved back."""
    places = as_spark(args[1], types[1], "int") if len(args) > 1 else "0"
    if types[0].kind in (*INTEGERS, Kind.DECIMAL) and places.lstrip("-").isdigit():
        shift = int(places)
        step = f"CAST('1E{-shift}' AS DECIMAL(38,{max(shift, 0)}))"
        number = as_spark(args[0], types[0], as_decimal(types[0]).spark())
        return f"CAST(({number} - {number} % {step}) AS {result.spark()})"
    power = f"power(10D, {places})"
    moved = f"CAST({args[0]} AS DOUBLE) * {power}"
    cut = f"CAST(sign({args[0]}) * floor(abs({moved})) AS DOUBLE) / {power}"
    # The sum with zero is never -0.0.
    return f"CAST({cut} + 0D AS {result.spark()})"


def _seeded_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    """The seed, when there is one, comes first and is a literal."""
    if len(constants) > 1 and constants[0] is None:
        raise UnsupportedSql("the seed of RAND_INTEGER must be a literal")
    return INT.as_nullable(any_nullable(types))


def _logarithm(function: str) -> str:
    """Java's logarithm of zero is -Infinity and of less NaN, where Spark's is NULL."""
    outside = "CASE WHEN {0} = 0 THEN double('-Infinity') WHEN {0} < 0 THEN double('NaN') END"
    return f"coalesce({function}({{0:double}}), {outside})"


def _log(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if len(args) == 1:
        return fill(_logarithm("ln"), args, types)
    base, number = (
        fill(_logarithm("ln"), [text], [kind]) for text, kind in zip(args, types, strict=True)
    )
    return _divide([number, base], [DOUBLE, DOUBLE], DOUBLE)


def _whole(function: str) -> SparkText:
    """CEIL and FLOOR of numbers keep the type; Spark's give BIGINT for doubles, and so lose -0.0."""

    def text(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
        if types[0].kind in INTEGERS:
            return args[0]
        if types[0].kind in APPROXIMATE:
            number = as_spark(args[0], types[0], "double")
            return as_spark(f"flink_{function}({number})", DOUBLE, result.spark())
        return f"CAST({function}({args[0]}) AS {result.spark()})"

    return text


def ceil_floor_type(types: Sequence[DataType]) -> DataType:
    number = types[0]
    return replace(number, scale=0) if number.kind is Kind.DECIMAL else number


def _double(
    name: str, example: str, spark: str | None = None, takes: str = "num"
) -> ScalarFunction:
    return scalar(name, takes, DOUBLE, spark or f"{name.lower()}({{0:double}})", example)


CEIL_NUMBER, FLOOR_NUMBER = _whole("ceil"), _whole("floor")

FUNCTIONS = (
    scalar(
        "+",
        "any any",
        _with_time("+", sum_of_decimals),
        _plus,
        "1 + 2 -> 3\n1.5 + 2 -> 3.5\n2147483647 + 1 -> -2147483648\nDATE '2020-01-31' + INTERVAL '1' DAY -> 2020-02-01\n"
        "TIME '23:00:00' + INTERVAL '2' HOUR -> 01:00:00\n"
        "TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1' HOUR -> 2020-01-01 01:00:00",
    ),
    scalar(
        "-",
        "any any",
        _with_time("-", sum_of_decimals),
        _minus,
        "1 - 2 -> -1\nCAST(-128 AS TINYINT) - CAST(1 AS TINYINT) -> 127\nTIMESTAMP '2020-03-31 10:00:00.123' - INTERVAL '1' MONTH -> 2020-02-29 10:00:00.123",
    ),
    scalar(
        "*",
        "any any",
        _scaled,
        _times,
        "2 * 3 -> 6\n1.5 * 1.5 -> 2.25\n9223372036854775807 * 2 -> -2\n"
        "CAST(INTERVAL '1' DAY * 2 AS STRING) -> +2 00:00:00.000\n"
        "CAST(3 * INTERVAL '1-2' YEAR TO MONTH AS STRING) -> +3-06\n"
        "TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1' HOUR * CAST(3 AS BIGINT) -> 2020-01-01 03:00:00",
    ),
    scalar(
        "/",
        "num num",
        _number_type("/", quotient_of_decimals),
        _divide,
        "7 / 2 -> 3\n-7 / 2 -> -3\n1.0 / 3 -> 0.333333333333\n1E0 / 0 -> Infinity\n-1E0 / 0 -> -Infinity\n0E0 / 0 -> NaN\n3E0 / 2 -> 1.5",
    ),
    scalar(
        "%",
        "num num",
        _remainder_type,
        _remainder,
        "7 % 3 -> 1\n-7 % 3 -> -1\n5E0 % 0 -> NaN\n-5.5E0 % 2 -> -1.5",
    ),
    scalar("MOD", "num num", _remainder_type, _remainder, "MOD(7, 3) -> 1"),
    scalar(
        "UNARY -",
        "signed",
        same_as(0),
        _unary("-", "flink_negate"),
        "-(1 + 1) -> -2\n-CAST(-2147483648 AS INT) -> -2147483648\n"
        "CAST(-(INTERVAL '1' DAY + INTERVAL '1' HOUR) AS STRING) -> -1 01:00:00.000",
    ),
    _double("POWER", "POWER(2, 3) -> 8.0", "power({0:double}, {1:double})", "num num"),
    scalar(
        "ABS",
        "num",
        same_as(0),
        _unary("abs", "flink_abs"),
        "ABS(-2.5) -> 2.5\nABS(-3) -> 3\nABS(CAST(-128 AS TINYINT)) -> -128",
    ),
    _double("SQRT", "SQRT(9) -> 3.0"),
    _double("LN", "LN(1) -> 0.0\nLN(0) -> -Infinity", _logarithm("ln")),
    _double("LOG10", "LOG10(100) -> 2.0", _logarithm("log10")),
    _double("LOG2", "LOG2(8) -> 3.0", _logarithm("log2")),
    scalar(
        "LOG",
        "num num?",
        DOUBLE,
        _log,
        "LOG(1) -> 0.0\nLOG(2, 8) -> 3.0\nLOG(0, 8) -> -0.0\nLOG(2, -5) -> NaN",
    ),
    _double("EXP", "EXP(0) -> 1.0\nEXP(1) -> 2.718281828459045", "flink_exp({0:double})"),
    _double("SIN", "SIN(0) -> 0.0"),
    _double("SINH", "SINH(0) -> 0.0"),
    _double("COS", "COS(0) -> 1.0"),
    _double("COSH", "COSH(0) -> 1.0"),
    _double("TAN", "TAN(0) -> 0.0"),
    _double("TANH", "TANH(0) -> 0.0"),
    _double("COT", "ROUND(COT(1), 6) -> 0.642093"),
    _double("ASIN", "ASIN(0) -> 0.0"),
    _double("ACOS", "ACOS(1) -> 0.0"),
    _double("ATAN", "ATAN(0) -> 0.0"),
    _double("ATAN2", "ATAN2(0, 1) -> 0.0", "atan2({0:double}, {1:double})", "num num"),
    _double("DEGREES", "DEGREES(PI()) -> 180.0"),
    _double("RADIANS", "ROUND(RADIANS(180), 5) -> 3.14159"),
    scalar(
        "SIGN",
        "num",
        same_as(0),
        lambda args, _types, result: f"CAST(sign({args[0]}) AS {result.spark()})",
        "SIGN(-5) -> -1\nSIGN(2E0) -> 1.0",
    ),
    scalar(
        "ROUND",
        "num int?",
        same_as(0),
        _round,
        "ROUND(2.555, 2) -> 2.56\nROUND(125, -1) -> 130\nROUND(2.5E0) -> 3.0\n"
        "ROUND(2147483647, -1) -> -2147483646\nROUND(CAST(125 AS TINYINT), -1) -> -126\nROUND(-15, -1) -> -20",
        returns_for=_round_type,
        constant=(1,),
    ),
    scalar(
        "TRUNCATE",
        "num int?",
        same_as(0),
        _truncate,
        "TRUNCATE(42.345, 2) -> 42.34\nTRUNCATE(-42.9) -> -42\nTRUNCATE(1289, -2) -> 1200\nTRUNCATE(42.324E0, 2) -> 42.32\n"
        "TRUNCATE(-0.5E0) -> 0.0",
        returns_for=_round_type,
    ),
    scalar("PI", "", always(DOUBLE.not_null()), "pi()", "PI() -> 3.141592653589793"),
    scalar("E", "", always(DOUBLE.not_null()), "e()", "E() -> 2.718281828459045"),
    scalar(
        "RAND",
        "int?",
        always(DOUBLE.not_null()),
        "rand({*})",
        "RAND() < 1 -> TRUE",
        deterministic=False,
        constant=(0,),
    ),
    scalar(
        "RAND_INTEGER",
        "int int?",
        INT,
        lambda args, _types, _result: (
            f"CAST(floor(rand({', '.join(args[:-1])}) * {args[-1]}) AS INT)"
        ),
        "RAND_INTEGER(1) -> 0\nRAND_INTEGER(7, 1) -> 0",
        deterministic=False,
        returns_for=_seeded_type,
    ),
    scalar(
        "UUID",
        "",
        always(char(36).not_null()),
        "uuid()",
        "CHAR_LENGTH(UUID()) -> 36",
        deterministic=False,
    ),
    scalar("BIN", "int", STRING, "bin({0:bigint})", "BIN(4) -> 100\nBIN(12) -> 1100"),
    scalar(
        "HEX",
        "charint",
        STRING,
        "hex({0})",
        "HEX(20) -> 14\nHEX('hello,world') -> 68656C6C6F2C776F726C64",
    ),
    scalar("UNHEX", "char", always(BYTES), "unhex({0})", "UNHEX('466C696E6B') -> Flink"),
)
