"""Dates, times, timestamps: the clock, parts of a time point, rounding to a unit, distance, parsing and printing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from headrace.errors import TypeMismatch
from headrace.plan.functions.arithmetic import CEIL_NUMBER, FLOOR_NUMBER, ceil_floor_type
from headrace.plan.functions.registry import ConstantRule, ScalarFunction, as_spark
from headrace.plan.functions.signatures import (
    INTERVALS,
    WrongArgument,
    always,
    any_nullable,
    common,
    scalar,
)
from headrace.plan.functions.temporal_arithmetic import on_first_day, plus_text, time_of_day
from headrace.types import (
    APPROXIMATE,
    BIGINT,
    BOOLEAN,
    CHARACTER,
    DATE,
    INT,
    NUMERIC,
    STRING,
    TEMPORAL,
    DataType,
    Kind,
    time,
    timestamp,
    timestamp_ltz,
)

# What EXTRACT's units read as in Spark; {0} is the time point.
PARTS = {
    "YEAR": "year({0})",
    "ISOYEAR": "extract(YEAROFWEEK FROM {0})",
    "QUARTER": "quarter({0})",
    "MONTH": "month({0})",
    "WEEK": "weekofyear({0})",
    "DAY": "day({0})",
    "DOY": "dayofyear({0})",
    "DOW": "dayofweek({0})",
    "ISODOW": "(weekday({0}) + 1)",
    "HOUR": "hour({0})",
    "MINUTE": "minute({0})",
    "SECOND": "second({0})",
    "MILLISECOND": "((extract(SECOND FROM {0}) * 1000) % 1000)",
    "MICROSECOND": "((extract(SECOND FROM {0}) * 1000000) % 1000000)",
    "NANOSECOND": "((extract(SECOND FROM {0}) * 1000000) % 1000000 * 1000)",
    "DECADE": "(year({0}) div 10)",
    "CENTURY": "((year({0}) + 99) div 100)",
    "MILLENNIUM": "((year({0}) + 999) div 1000)",
    "EPOCH": "timestampdiff(SECOND, TIMESTAMP_NTZ '1970-01-01', CAST({0} AS TIMESTAMP_NTZ))",
}
_OF_TIME = ("HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND")
_SECONDS = {"SECOND": 1, "MINUTE": 60, "HOUR": 3600, "DAY": 86_400, "WEEK": 604_800}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}
# Parts of a second, and how many it has.
_FRACTIONS = {"MILLISECOND": 1000, "MICROSECOND": 1_000_000}
# Years of a unit, and the first year of the first one.
_ERAS = {"DECADE": (10, 0), "CENTURY": (100, 1), "MILLENNIUM": (1000, 1)}
# What EXTRACT finds, where it is not every part.
_EXTRACTED = {
    Kind.DATE: tuple(part for part in PARTS if part not in ("MICROSECOND", "NANOSECOND")),
    Kind.TIME: _OF_TIME,
    Kind.INTERVAL_YEAR_MONTH: ("YEAR", "MONTH"),
    Kind.INTERVAL_DAY_SECOND: ("DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND"),
}
ROUNDING_UNITS = (
    "YEAR",
    "QUARTER",
    "MONTH",
    "WEEK",
    "DAY",
    "HOUR",
    "MINUTE",
    "SECOND",
    "MILLISECOND",
    *_ERAS,
)


def _overlaps_type(types: Sequence[DataType]) -> DataType:
    for index, kind in enumerate(types):
        length = index % 2 == 1 and kind.kind in INTERVALS
        if not length and kind.kind not in (*TEMPORAL, Kind.NULL):
            expected = ("a date, time or timestamp", "a date, time, timestamp or interval")
            raise WrongArgument("OVERLAPS", index, kind, expected[index % 2])
    return BOOLEAN.as_nullable(any_nullable(types))


def _overlaps_ends(types: Sequence[DataType]) -> Sequence[DataType]:
    shared = common([kind for kind in types if kind.kind not in INTERVALS], "OVERLAPS")
    return [kind if kind.kind in INTERVALS else shared.as_nullable(kind.nullable) for kind in types]


def _overlaps(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    (first, last), (other_first, other_last) = (
        _ordered(args[place : place + 2], types[place : place + 2]) for place in (0, 2)
    )
    return f"({last} >= {other_first} AND {other_last} >= {first})"


def _ordered(ends: Sequence[str], types: Sequence[DataType]) -> tuple[str, str]:
    """The earlier and the later end. Not least and greatest, which pass over a NULL."""
    point, end = ends
    if types[1].kind in INTERVALS:
        end = plus_text(ends, types, types[0])
    return f"if({point} <= {end}, {point}, {end})", f"if({point} <= {end}, {end}, {point})"


# The precision of TO_TIMESTAMP_LTZ as Spark names its unit.
_EPOCH_UNITS = {0: "seconds", 3: "millis", 6: "micros"}

_MILLI_DIGITS = 3
_USUAL_LAYOUT = "'yyyy-MM-dd HH:mm:ss'"
_ZONE = "current_timezone()"

_NOW = "date_trunc('MILLISECOND', current_timestamp())"


def _unit(text: str) -> str:
    return text.strip("'")


def _known_unit(name: str, unit: object, known: Sequence[object]) -> None:
    if unit not in known:
        raise TypeMismatch(
            f"{name} does not know this unit", found=str(unit), expected=", ".join(map(str, known))
        )


def _extract_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    known = _EXTRACTED.get(types[1].kind, tuple(PARTS))
    _known_unit("EXTRACT", constants[0], known)
    return BIGINT.as_nullable(types[1].nullable)


def _extract(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    unit = _unit(args[0])
    if unit == "EPOCH" and types[1].kind is Kind.TIMESTAMP_LTZ:
        return f"unix_seconds({args[1]})"
    if types[1].kind in INTERVALS and unit != "MILLISECOND":
        return f"CAST(extract({unit} FROM {args[1]}) AS BIGINT)"
    return f"CAST({PARTS[unit].format(args[1])} AS BIGINT)"


def _part(name: str, unit: str, takes: str, example: str) -> ScalarFunction:
    return scalar(name, takes, BIGINT, f"CAST({PARTS[unit]} AS BIGINT)", example)


def _rounded_type(name: str) -> ConstantRule:
    def rule(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
        if len(types) == 1:
            if types[0].kind not in NUMERIC:
                raise TypeMismatch(f"{name} of a time point needs a unit", cure=f"{name}(x TO DAY)")
            return ceil_floor_type(types).as_nullable(types[0].nullable)
        if types[0].kind in NUMERIC:
            raise TypeMismatch(f"{name} of a number takes no unit", found=types[0].sql())
        known = _OF_TIME if types[0].kind is Kind.TIME else ROUNDING_UNITS
        _known_unit(name, constants[1], known)
        return types[0]

    return rule


def floor_to(point: str, kind: DataType, unit: str) -> str:
    """The start of the unit a time point lies in; weeks begin on Sunday, as Flink rounds them."""
    if kind.kind is Kind.TIME:
        return f"time_trunc('{unit}', {point})"
    if kind.kind is Kind.TIMESTAMP_LTZ:
        return _local_floor(point, unit)
    start = _date_floor(f"CAST({point} AS DATE)", unit)
    if kind.kind is Kind.DATE:
        return start
    if unit in _MONTHS or unit in ("WEEK", "DAY", *_ERAS):
        return f"CAST({start} AS TIMESTAMP_NTZ)"
    # Subtracted rather than truncated: date_trunc would pass through the session's time zone.
    return f"({point} - {_time_past(point, unit)})"


def _date_floor(day: str, unit: str) -> str:
    if unit in _MONTHS:
        return f"trunc({day}, '{unit}')"
    if unit in _ERAS:
        years, first = _ERAS[unit]
        return f"make_date((year({day}) - {first}) div {years} * {years} + {first}, 1, 1)"
    return f"date_sub({day}, dayofweek({day}) - 1)" if unit == "WEEK" else day


def _local_floor(point: str, unit: str) -> str:
    if unit in ("WEEK", *_ERAS):
        return f"CAST({_date_floor(f'CAST({point} AS DATE)', unit)} AS TIMESTAMP)"
    return f"date_trunc('{unit}', {point})"


def _time_past(point: str, unit: str) -> str:
    """How much of the hour, minute, second or millisecond has passed."""
    second = f"extract(SECOND FROM {point})"
    if unit == "HOUR":
        return f"make_dt_interval(0, 0, minute({point}), {second})"
    modulus = {"MINUTE": "60", "SECOND": "1", "MILLISECOND": "0.001"}[unit]
    return f"make_dt_interval(0, 0, 0, {second} % {modulus})"


def _floor(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if len(args) == 1:
        return FLOOR_NUMBER(args, types, result)
    return floor_to(args[0], types[0], _unit(args[1]))


def _ceil(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if len(args) == 1:
        return CEIL_NUMBER(args, types, result)
    unit = _unit(args[1])
    start = floor_to(args[0], types[0], unit)
    if types[0].kind is Kind.TIME:
        return _time_ceil(args[0], types[0], start, unit)
    if types[0].kind is Kind.DATE and unit == "DAY":
        return f"date_add({args[0]}, 1)"
    if unit in _ERAS:
        # The next one even where one begins, as Flink counts; a day of a DATE too.
        return f"({start} + INTERVAL '{_ERAS[unit][0]}' YEAR)"
    step = f"INTERVAL '{_MONTHS[unit]}' MONTH" if unit in _MONTHS else _step(unit)
    if types[0].kind is Kind.DATE and unit not in _MONTHS:
        step = str(_SECONDS.get(unit, 0) // _SECONDS["DAY"])
    return f"if({start} = {args[0]}, {args[0]}, {start} + {step})"


def _time_ceil(time: str, kind: DataType, start: str, unit: str) -> str:
    """Through a day, which Spark's TIME does not pass; its digits may be fewer than a step has."""
    after = time_of_day(f"({on_first_day(start)} + {_step(unit)})", kind)
    return f"if({start} = {time}, {time}, {after})"


def _step(unit: str) -> str:
    if unit == "WEEK":
        return "INTERVAL '7' DAY"
    return "INTERVAL '0.001' SECOND" if unit == "MILLISECOND" else f"INTERVAL '1' {unit}"


def _shift_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    known = (*_SECONDS, *_MONTHS, *(() if types[2].kind is Kind.DATE else ("MILLISECOND",)))
    _known_unit("TIMESTAMPADD", constants[0], known)
    nullable = any_nullable(types[1:])
    whole_days = constants[0] in _MONTHS or constants[0] in ("DAY", "WEEK")
    if types[2].kind is Kind.DATE and not whole_days:
        return timestamp().as_nullable(nullable)
    precision = types[2].precision or 0
    finer = constants[0] in _FRACTIONS and precision < _MILLI_DIGITS
    result = replace(types[2], precision=_MILLI_DIGITS) if finer else types[2]
    return result.as_nullable(nullable)


def _shift(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    unit, count, point = _unit(args[0]), as_spark(args[1], types[1], "int"), args[2]
    if result.kind is Kind.DATE:
        if unit in _MONTHS:
            return f"add_months({point}, {count} * {_MONTHS[unit]})"
        return f"date_add({point}, {count} * {_SECONDS[unit] // _SECONDS['DAY']})"
    if result.kind is Kind.TIME:
        return time_of_day(f"timestampadd({unit}, {count}, {on_first_day(point)})", result)
    return f"timestampadd({unit}, {count}, {as_spark(point, types[2], result.spark())})"


def _distance_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    _known_unit("TIMESTAMPDIFF", constants[0], (*_SECONDS, *_MONTHS, *_FRACTIONS))
    return INT.as_nullable(any_nullable(types[1:]))


def _distance(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Whole units from the first to the second point, cut toward zero."""
    unit = _unit(args[0])
    start, end = _points(args[1:], types[1:])
    if unit in _MONTHS:
        forward, backward = _months(start, end), _months(end, start)
        return f"CAST(if({end} >= {start}, {forward}, - {backward}) div {_MONTHS[unit]} AS INT)"
    seconds = f"CAST(CAST(({end} - {start}) AS INTERVAL SECOND) AS BIGINT)"
    if unit in _FRACTIONS:
        # Of whole seconds, as in Flink, and an INT, which wraps around after 24 days of milliseconds.
        return f"flink_convert({seconds} * {_FRACTIONS[unit]}, 'int')"
    return f"CAST({seconds} div {_SECONDS[unit]} AS INT)"


def _months(start: str, end: str) -> str:
    """The calendar's month count, less one when the last month is not full; the end of a short month counts as full."""
    count = f"((year({end}) - year({start})) * 12 + month({end}) - month({start}))"
    return f"({count} - if({start} + make_ym_interval(0, {count}) > {end}, 1, 0))"


def _interval_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    months = constants[0] in _MONTHS
    kind = Kind.INTERVAL_YEAR_MONTH if months else Kind.INTERVAL_DAY_SECOND
    return DataType(kind).as_nullable(any_nullable(types[1:]))


def _interval(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Whole months, or the time between two points."""
    if result.kind is Kind.INTERVAL_YEAR_MONTH:
        months = _distance(["'MONTH'", args[2], args[1]], [STRING, types[2], types[1]], INT)
        return f"make_ym_interval(0, {months})"
    end, start = _points(args[1:], types[1:])
    return f"({end} - {start})"


def _points(args: Sequence[str], types: Sequence[DataType]) -> list[str]:
    """Two time points in a type that has the time of both."""
    local = any(kind.kind is Kind.TIMESTAMP_LTZ for kind in types)
    shared = "timestamp" if local else "timestamp_ntz"
    return [as_spark(arg, kind, shared) for arg, kind in zip(args, types, strict=True)]


def _date_format(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """Text is read in the usual layout; of a time point the pattern sees what the clock on the wall shows."""
    given = args[0] if types[0].kind in CHARACTER else as_spark(args[0], types[0], "timestamp_ntz")
    return f"flink_date_format({given}, {args[1]})"


def _from_unix_time(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    layout = args[1] if len(args) > 1 else _USUAL_LAYOUT
    return f"flink_from_unixtime({as_spark(args[0], types[0], 'bigint')}, {layout}, {_ZONE})"


def _unix_timestamp(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    if not args:
        return "unix_timestamp()"
    layout = args[1] if len(args) > 1 else _USUAL_LAYOUT
    return f"flink_unix_timestamp({args[0]}, {layout}, {_ZONE})"


def _to_local(args: Sequence[str], types: Sequence[DataType], result: DataType) -> str:
    """From seconds, milliseconds or microseconds since 1970, or from text in UTC or a named time zone."""
    if types[0].kind in CHARACTER:
        return f"flink_to_timestamp_ltz({', '.join(args)})"
    unit = _EPOCH_UNITS[int(args[1]) if len(args) > 1 else 3]
    # Seconds may have a fraction, but not as a decimal; the others are whole.
    kept = unit == "seconds" and types[0].kind in APPROXIMATE
    number = args[0] if kept else as_spark(args[0], types[0], "bigint")
    return f"timestamp_{unit}({number})"


def _to_local_type(types: Sequence[DataType], constants: Sequence[object]) -> DataType:
    if types[0].kind in NUMERIC and len(types) > 1:
        _known_unit("TO_TIMESTAMP_LTZ", constants[1], tuple(_EPOCH_UNITS))
        return timestamp_ltz(6 if constants[1] == 6 else 3)
    return timestamp_ltz(3)


_DAY = DataType(Kind.DATE, nullable=False)

FUNCTIONS = (
    scalar("CURRENT_DATE", "", always(_DAY), "current_date()", deterministic=False),
    scalar("CURRENT_TIME", "", always(time(0).not_null()), "current_time(0)", deterministic=False),
    scalar("LOCALTIME", "", always(time(0).not_null()), "current_time(0)", deterministic=False),
    scalar(
        "LOCALTIMESTAMP",
        "",
        always(timestamp(3).not_null()),
        f"CAST({_NOW} AS TIMESTAMP_NTZ)",
        deterministic=False,
    ),
    *(
        scalar(name, "", always(timestamp_ltz(3).not_null()), _NOW, deterministic=False)
        for name in ("CURRENT_TIMESTAMP", "NOW", "CURRENT_ROW_TIMESTAMP", "PROCTIME")
    ),
    scalar(
        "EXTRACT",
        "word timed",
        BIGINT,
        _extract,
        "EXTRACT(DAY FROM DATE '2006-06-05') -> 5\nEXTRACT(MILLISECOND FROM TIMESTAMP '2020-01-01 00:00:01.234') -> 234\n"
        "EXTRACT(ISODOW FROM DATE '1994-09-27') -> 2\nEXTRACT(EPOCH FROM DATE '2020-01-01') -> 1577836800\n"
        "EXTRACT(NANOSECOND FROM TIMESTAMP '2020-12-31 23:59:59.999999') -> 999999000\n"
        "EXTRACT(HOUR FROM INTERVAL '2 03:04:05.678' DAY TO SECOND) -> 3\nEXTRACT(MONTH FROM INTERVAL '2-3' YEAR TO MONTH) -> 3\n"
        "EXTRACT(SECOND FROM -INTERVAL '2 03:04:05.678' DAY TO SECOND) -> -5\n"
        "EXTRACT(MILLISECOND FROM INTERVAL '2 03:04:05.678' DAY TO SECOND) -> 678",
        returns_for=_extract_type,
    ),
    scalar(
        "MINUS INTERVAL",
        "word day day",
        DataType(Kind.INTERVAL_DAY_SECOND),
        _interval,
        "CAST((DATE '2020-03-01' - DATE '2020-01-01') DAY AS STRING) -> +60 00:00:00.000\n"
        "CAST((DATE '2020-03-01' - DATE '2020-01-01') MONTH AS STRING) -> +0-02\n"
        "CAST((TIMESTAMP '2020-01-01 00:00:00' - TIMESTAMP '2020-01-02 12:00:00.5') HOUR AS STRING) -> -1 12:00:00.500",
        returns_for=_interval_type,
    ),
    _part("YEAR", "YEAR", "day", "YEAR(DATE '1994-09-27') -> 1994"),
    _part("QUARTER", "QUARTER", "day", "QUARTER(DATE '1994-09-27') -> 3"),
    _part("MONTH", "MONTH", "day", "MONTH(DATE '1994-09-27') -> 9"),
    _part("WEEK", "WEEK", "day", "WEEK(DATE '1994-09-27') -> 39"),
    _part("DAYOFYEAR", "DOY", "day", "DAYOFYEAR(DATE '1994-09-27') -> 270"),
    _part("DAYOFMONTH", "DAY", "day", "DAYOFMONTH(DATE '1994-09-27') -> 27"),
    _part("DAYOFWEEK", "DOW", "day", "DAYOFWEEK(DATE '1994-09-27') -> 3"),
    _part("HOUR", "HOUR", "clock", "HOUR(TIMESTAMP '1994-09-27 13:14:15') -> 13"),
    _part("MINUTE", "MINUTE", "clock", "MINUTE(TIMESTAMP '1994-09-27 13:14:15') -> 14"),
    _part("SECOND", "SECOND", "clock", "SECOND(TIMESTAMP '1994-09-27 13:14:15') -> 15"),
    scalar(
        "FLOOR",
        "pointnum word?",
        lambda types: types[0],
        _floor,
        "FLOOR(2.7) -> 2\nFLOOR(-2.5E0) -> -3.0\nFLOOR(TIMESTAMP '2020-05-13 12:44:31.5' TO MINUTE) -> 2020-05-13 12:44:00.0\n"
        "FLOOR(DATE '2020-05-13' TO MONTH) -> 2020-05-01\nFLOOR(DATE '2020-05-13' TO WEEK) -> 2020-05-10\n"
        "FLOOR(TIME '12:44:31' TO MINUTE) -> 12:44:00\nFLOOR(DATE '2026-05-17' TO DECADE) -> 2020-01-01\n"
        "FLOOR(DATE '2000-01-01' TO CENTURY) -> 1901-01-01\nFLOOR(-0.5E0) -> -1.0\n"
        "FLOOR(TIMESTAMP '2026-05-17 12:34:56' TO MILLENNIUM) -> 2001-01-01 00:00:00\n"
        "FLOOR(TO_TIMESTAMP_LTZ(1779020096000, 3) TO CENTURY) -> 2001-01-01 00:00:00.000",
        returns_for=_rounded_type("FLOOR"),
    ),
    *(
        scalar(
            name,
            "pointnum word?",
            lambda types: types[0],
            _ceil,
            example,
            returns_for=_rounded_type(name),
        )
        for name, example in (
            (
                "CEIL",
                "CEIL(2.1) -> 3\nCEIL(TIMESTAMP '2020-05-13 12:44:31' TO HOUR) -> 2020-05-13 13:00:00\n"
                "CEIL(DATE '2020-05-01' TO MONTH) -> 2020-05-01\nCEIL(DATE '2020-05-02' TO QUARTER) -> 2020-07-01\n"
                "CEIL(TIME '12:44:31' TO MINUTE) -> 12:45:00\nCEIL(TIME '12:44:31' TO SECOND) -> 12:44:31\n"
                "CEIL(DATE '2020-02-29' TO DAY) -> 2020-03-01\nCEIL(DATE '2020-01-01' TO DECADE) -> 2030-01-01\n"
                "CEIL(TIMESTAMP '2026-05-17 12:34:56' TO CENTURY) -> 2101-01-01 00:00:00\nCEIL(-0.5E0) -> -0.0",
            ),
            ("CEILING", "CEILING(-2.1E0) -> -2.0"),
        )
    ),
    scalar(
        "TIMESTAMPADD",
        "word int point",
        lambda types: types[2],
        _shift,
        "TIMESTAMPADD(WEEK, 1, DATE '2003-01-02') -> 2003-01-09\n"
        "TIMESTAMPADD(MONTH, 1, TIMESTAMP '2020-01-31 10:00:00') -> 2020-02-29 10:00:00\n"
        "TIMESTAMPADD(HOUR, -1, TIMESTAMP '2020-01-01 00:00:00') -> 2019-12-31 23:00:00\n"
        "TIMESTAMPADD(HOUR, -13, TIME '12:00:00') -> 23:00:00\n"
        "TIMESTAMPADD(MINUTE, 1, DATE '2020-01-01') -> 2020-01-01 00:01:00.000000\n"
        "TIMESTAMPADD(MILLISECOND, 1500, TIMESTAMP '2020-01-01 00:00:00.000000') -> 2020-01-01 00:00:01.500000",
        returns_for=_shift_type,
    ),
    scalar(
        "TIMESTAMPDIFF",
        "word day day",
        INT,
        _distance,
        "TIMESTAMPDIFF(DAY, TIMESTAMP '2003-01-02 10:00:00', TIMESTAMP '2003-01-03 10:00:00') -> 1\n"
        "TIMESTAMPDIFF(MILLISECOND, TIMESTAMP '2021-03-01 12:00:00', TIMESTAMP '2020-12-31 00:00:00') -> -932232704\n"
        "TIMESTAMPDIFF(MILLISECOND, TIMESTAMP '2020-02-29 12:34:56.789', TIMESTAMP '2020-02-29 12:34:58.456') -> 1000\n"
        "TIMESTAMPDIFF(MICROSECOND, TIMESTAMP '2020-02-29 12:34:58.456', TIMESTAMP '2020-02-29 12:34:56.789') -> -1000000\n"
        "TIMESTAMPDIFF(HOUR, TIMESTAMP '2020-01-01 10:00:00', TIMESTAMP '2020-01-01 08:30:00') -> -1\n"
        "TIMESTAMPDIFF(MONTH, DATE '2020-01-31', DATE '2020-02-29') -> 1\n"
        "TIMESTAMPDIFF(YEAR, DATE '2020-02-01', DATE '2019-02-02') -> 0",
        returns_for=_distance_type,
    ),
    scalar(
        "DATE_FORMAT",
        "chartime char",
        always(STRING),
        _date_format,
        "DATE_FORMAT(TIMESTAMP '2020-01-02 03:04:05', 'yyyy/MM/dd HH:mm') -> 2020/01/02 03:04\n"
        "DATE_FORMAT('2020-01-02 03:04:05', 'yyyyMMdd') -> 20200102\n"
        "DATE_FORMAT('2020-01-02 25:00:00', 'yyyy/MM/dd HH') -> 2020/01/03 01\n"
        "DATE_FORMAT('2020-02-30', 'yyyy/MM/dd HH') -> NULL\n"
        "DATE_FORMAT(TIMESTAMP '2020-12-31 00:00:00', 'u') -> 2020",
    ),
    scalar(
        "CONVERT_TZ",
        "char char char",
        always(STRING),
        "flink_convert_tz({*})",
        "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'America/Los_Angeles') -> 1969-12-31 16:00:00\n"
        "CONVERT_TZ('2020-02-30 00:00:00', 'UTC', 'America/New_York') -> 2020-02-29 19:00:00\n"
        "CONVERT_TZ('2020-01-02', 'UTC', 'America/New_York') -> NULL\n"
        "CONVERT_TZ('1970-01-01 00:00:00', 'UTC', 'bad') -> 1970-01-01 00:00:00",
    ),
    scalar(
        "FROM_UNIXTIME",
        "int char?",
        always(STRING),
        _from_unix_time,
        "FROM_UNIXTIME(44) -> 1970-01-01 00:00:44\nFROM_UNIXTIME(44, 'ss') -> 44",
    ),
    scalar(
        "UNIX_TIMESTAMP",
        "char? char?",
        lambda types: BIGINT.as_nullable(any_nullable(types)),
        _unix_timestamp,
        "UNIX_TIMESTAMP('1970-01-01 00:00:01') -> 1\nUNIX_TIMESTAMP('1970-01-01 08:00:01.001 +0800', 'yyyy-MM-dd HH:mm:ss.SSS X') -> 1\n"
        "UNIX_TIMESTAMP('x') -> -9223372036854775808",
        deterministic=False,
    ),
    scalar(
        "TO_DATE",
        "char char?",
        always(DATE),
        "flink_to_date({*})",
        "TO_DATE('2020-01-02') -> 2020-01-02\nTO_DATE('02.01.2020', 'dd.MM.yyyy') -> 2020-01-02\nTO_DATE('x') -> NULL\n"
        "TO_DATE('2020-1-2 3:4:5') -> 2020-01-02\nTO_DATE('2020-02-30') -> NULL\n"
        "TO_DATE('2020-01-02T03:04:05') -> NULL\nTO_DATE('2020-13-41', 'yyyy-MM-dd') -> 2021-02-10\n"
        "TO_DATE('2020-01-02 x', 'yyyy-MM-dd') -> 2020-01-02\nTO_DATE('31.02.2020', 'dd.MM.yyyy') -> 2020-03-02",
    ),
    scalar(
        "TO_TIMESTAMP",
        "char char?",
        always(timestamp(3)),
        "flink_to_timestamp({*})",
        "TO_TIMESTAMP('2020-01-02 03:04:05') -> 2020-01-02 03:04:05.000\n"
        "TO_TIMESTAMP('02.01.2020 03:04', 'dd.MM.yyyy HH:mm') -> 2020-01-02 03:04:00.000\nTO_TIMESTAMP('x') -> NULL\n"
        "TO_TIMESTAMP('2020-02-30 00:00:00') -> 2020-02-29 00:00:00.000\n"
        "TO_TIMESTAMP('12:30', 'HH:mm') -> 1970-01-01 12:30:00.000\n"
        "TO_TIMESTAMP('2020', 'yyyy') -> 2020-01-01 00:00:00.000\n"
        "TO_TIMESTAMP('Jan 5, 2020', 'MMM d, yyyy') -> 2020-01-05 00:00:00.000\n"
        "TO_TIMESTAMP('2020-01-02 03:04:05.123456789', 'yyyy-MM-dd') -> 2020-01-02 03:04:05.123\n"
        "TO_TIMESTAMP('2020-01-02 03:04:05 +0200', 'yyyy-MM-dd HH:mm:ss Z') -> 2020-01-02 03:04:05.000\n"
        "TO_TIMESTAMP('9999-12-31 23:59:59') -> 9999-12-31 23:59:59.000\nTO_TIMESTAMP('0001-01-01') -> 0001-01-01 00:00:00.000\n"
        "TO_TIMESTAMP('2020-01-02 trailing', 'yyyy-MM-dd') -> NULL\nTO_TIMESTAMP('x', 'bad pattern b') -> NULL",
    ),
    scalar(
        "TO_TIMESTAMP_LTZ",
        "charnum charint? char?",
        always(timestamp_ltz(3)),
        _to_local,
        "TO_TIMESTAMP_LTZ(4001, 3) -> 1970-01-01 00:00:04.001\nTO_TIMESTAMP_LTZ(4001, 0) -> 1970-01-01 01:06:41.000\n"
        "TO_TIMESTAMP_LTZ(100) -> 1970-01-01 00:00:00.100\nTO_TIMESTAMP_LTZ(1.5, 0) -> 1970-01-01 00:00:01.000\n"
        "TO_TIMESTAMP_LTZ(1.5E0, 0) -> 1970-01-01 00:00:01.500\n"
        "TO_TIMESTAMP_LTZ('2020-1-2 3:4:5') -> 2020-01-02 03:04:05.000\n"
        "TO_TIMESTAMP_LTZ('9999-12-31 23:59:59') -> 9999-12-31 23:59:59.000\n"
        "TO_TIMESTAMP_LTZ(1234567890123456, 6) -> 2009-02-13 23:31:30.123456\n"
        "TO_TIMESTAMP_LTZ('2023-01-01 00:00:00', 'yyyy-MM-dd HH:mm:ss', 'Asia/Tokyo') -> 2022-12-31 15:00:00.000",
        returns_for=_to_local_type,
    ),
    scalar(
        "OVERLAPS",
        "any any any any",
        _overlaps_type,
        _overlaps,
        "(TIME '02:55:00', INTERVAL '1' HOUR) OVERLAPS (TIME '03:30:00', INTERVAL '2' HOUR) -> TRUE\n"
        "(TIME '09:00:00', TIME '10:00:00') OVERLAPS (TIME '10:15:00', INTERVAL '3' HOUR) -> FALSE\n"
        "(DATE '2011-03-20', DATE '2011-03-10') OVERLAPS (DATE '2011-03-19', INTERVAL '10' DAY) -> TRUE\n"
        "(TIMESTAMP '2020-01-01 00:00:00', INTERVAL '1' MONTH) OVERLAPS "
        "(TIMESTAMP '2020-02-01 00:00:00.000', TIMESTAMP '2020-03-01 00:00:00') -> TRUE\n"
        "(DATE '2020-01-01', CAST(NULL AS DATE)) OVERLAPS (DATE '2019-01-01', DATE '2020-01-01') -> NULL\n"
        "(DATE '2020-01-01', CAST(NULL AS DATE)) OVERLAPS (DATE '2021-01-01', DATE '2022-01-01') -> FALSE",
        coerce=_overlaps_ends,
    ),
)
