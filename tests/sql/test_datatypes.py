from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headrace.errors import SqlSyntaxError, UnsupportedSql
from headrace.sql.dialect import parse_type
from headrace.types import (
    BIGINT,
    BOOLEAN,
    BYTES,
    DATE,
    DOUBLE,
    FLOAT,
    INT,
    NULL,
    SMALLINT,
    STRING,
    TINYINT,
    DataType,
    Kind,
    array,
    char,
    decimal,
    map_of,
    multiset,
    row,
    row_of,
    time,
    timestamp,
    timestamp_ltz,
    varchar,
)

MONTHS = DataType(Kind.INTERVAL_YEAR_MONTH)
SECONDS = DataType(Kind.INTERVAL_DAY_SECOND)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("BOOLEAN", BOOLEAN),
        ("TINYINT", TINYINT),
        ("SMALLINT", SMALLINT),
        ("INT", INT),
        ("INTEGER", INT),
        ("BIGINT", BIGINT),
        ("FLOAT", FLOAT),
        ("DOUBLE", DOUBLE),
        ("DOUBLE PRECISION", DOUBLE),
        ("STRING", STRING),
        ("BYTES", BYTES),
        ("DATE", DATE),
        ("NULL", NULL),
        ("bigint", BIGINT),
        ("CHAR", char(1)),
        ("CHAR(12)", char(12)),
        ("CHARACTER(3)", char(3)),
        ("VARCHAR", STRING),
        ("VARCHAR(255)", varchar(255)),
        ("CHARACTER VARYING(7)", varchar(7)),
        ("CHAR VARYING(7)", varchar(7)),
        ("VARCHAR(2147483647)", STRING),
        ("BINARY", DataType(Kind.BINARY, length=1)),
        ("BINARY(16)", DataType(Kind.BINARY, length=16)),
        ("VARBINARY(16)", DataType(Kind.VARBINARY, length=16)),
        ("VARBINARY(2147483647)", BYTES),
        ("DECIMAL", decimal(10, 0)),
        ("DECIMAL(5)", decimal(5, 0)),
        ("DECIMAL(10, 2)", decimal(10, 2)),
        ("DEC(38,38)", decimal(38, 38)),
        ("NUMERIC(1)", decimal(1, 0)),
        ("TIME", time(0)),
        ("TIME(3)", time(3)),
        ("TIME(3) WITHOUT TIME ZONE", time(3)),
        ("TIMESTAMP", timestamp(6)),
        ("TIMESTAMP(0)", timestamp(0)),
        ("TIMESTAMP(9)", timestamp(9)),
        ("TIMESTAMP(3) WITHOUT TIME ZONE", timestamp(3)),
        ("TIMESTAMP WITH LOCAL TIME ZONE", timestamp_ltz(6)),
        ("TIMESTAMP(3) WITH LOCAL TIME ZONE", timestamp_ltz(3)),
        ("TIMESTAMP_LTZ", timestamp_ltz(6)),
        ("TIMESTAMP_LTZ(3)", timestamp_ltz(3)),
        ("INTERVAL YEAR", MONTHS),
        ("INTERVAL MONTH", MONTHS),
        ("INTERVAL YEAR(2) TO MONTH", MONTHS),
        ("INTERVAL DAY", SECONDS),
        ("INTERVAL DAY(3) TO SECOND(6)", SECONDS),
        ("INTERVAL HOUR TO MINUTE", SECONDS),
        ("INTERVAL SECOND(3)", SECONDS),
    ],
)
def test_atomic_types(text, expected):
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ARRAY<INT>", array(INT)),
        ("INT ARRAY", array(INT)),
        ("INT ARRAY ARRAY", array(array(INT))),
        ("STRING MULTISET", multiset(STRING)),
        ("MULTISET<STRING>", multiset(STRING)),
        ("MAP<STRING, BIGINT>", map_of(STRING, BIGINT)),
        ("ROW<a INT, b STRING>", row(a=INT, b=STRING)),
        ("ROW(a INT, b STRING)", row(a=INT, b=STRING)),
        ("ROW<>", row()),
        ("ROW<`a b` INT>", row_of([("a b", INT)])),
        ("ROW<a INT 'how many', b STRING>", row(a=INT, b=STRING)),
        (
            "ROW<timestamp TIMESTAMP(3), order INT>",
            row_of([("timestamp", timestamp(3)), ("order", INT)]),
        ),
        ("ARRAY<ARRAY<ARRAY<INT>>>", array(array(array(INT)))),
        ("MAP<STRING, ARRAY<ROW<x DECIMAL(4, 1)>>>", map_of(STRING, array(row(x=decimal(4, 1))))),
        ("ROW<m MAP<STRING, STRING>, r ROW<d DATE>>", row(m=map_of(STRING, STRING), r=row(d=DATE))),
    ],
)
def test_constructed_types(text, expected):
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("INT NOT NULL", INT.not_null()),
        ("INT NULL", INT),
        ("DECIMAL(4, 2) NOT NULL", decimal(4, 2).not_null()),
        ("ARRAY<INT NOT NULL>", array(INT.not_null())),
        ("ARRAY<INT> NOT NULL", array(INT).not_null()),
        ("INT NOT NULL ARRAY NOT NULL", array(INT.not_null()).not_null()),
        ("MAP<STRING NOT NULL, INT>", map_of(STRING.not_null(), INT)),
        ("ROW<a INT NOT NULL, b INT NULL> NOT NULL", row(a=INT.not_null(), b=INT).not_null()),
        ("TIMESTAMP_LTZ(3) NOT NULL", timestamp_ltz(3).not_null()),
    ],
)
def test_nullability_at_every_level(text, expected):
    assert parse_type(text) == expected


@pytest.mark.parametrize(
    ("text", "column", "length", "cure"),
    [
        ("INTT", 1, 4, "did you mean INT?"),
        ("ARRAY<STRNG>", 7, 5, "did you mean STRING?"),
        ("TIMESTAMPLTZ(3)", 1, 12, "did you mean TIMESTAMP_LTZ?"),
        ("ROW<a BIGNIT>", 7, 6, "did you mean BIGINT?"),
        ("xyzzy", 1, 5, None),
    ],
)
def test_a_wrong_name_is_pointed_at_with_the_nearest(reject, place, text, column, length, cure):
    error = reject(text, parse_type)
    assert place(error) == (1, column, length)
    assert error.cure == cure


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("DECIMAL(0)", 9, "1 to 38"),
        ("DECIMAL(39, 2)", 9, "1 to 38"),
        ("DECIMAL(10, 11)", 13, "0 to 10"),
        ("TIMESTAMP(10)", 11, "0 to 9"),
        ("TIMESTAMP_LTZ(12)", 15, "0 to 9"),
        ("TIME(10)", 6, "0 to 9"),
        ("CHAR(0)", 6, "1 to 2147483647"),
        ("VARCHAR(2147483648)", 9, "1 to 2147483647"),
    ],
)
def test_ranges(reject, place, text, column, expected):
    error = reject(text, parse_type)
    assert error.summary.endswith("out of range")
    assert error.expected == expected
    assert place(error)[1] == column


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("DECIMAL(a)", 9),
        ("DECIMAL(1.5)", 9),
        ("DECIMAL(10 2)", 12),
        ("ARRAY", 6),
        ("ARRAY INT", 7),
        ("MAP<STRING>", 11),
        ("ROW", 4),
        ("ROW<a>", 6),
        ("INT STRING", 5),
        ("INT NOT NUL", 9),
        ("INT NOT", 8),
        ("INTERVAL", 9),
        ("INTERVAL FORTNIGHT", 10),
        ("", 1),
        ("'INT'", 1),
    ],
)
def test_broken_types_are_pointed_at(reject, place, text, column):
    error = reject(text, parse_type)
    assert isinstance(error, SqlSyntaxError)
    assert place(error)[:2] == (1, column)


@pytest.mark.parametrize(("text", "column"), [("ARRAY<INT", 6), ("ROW<a INT", 4), ("DECIMAL(3", 8)])
def test_the_bracket_that_is_never_closed(reject, place, text, column):
    error = reject(text, parse_type)
    assert "never closed" in error.summary
    assert place(error) == (1, column, 1)


def test_months_and_seconds_do_not_mix(reject):
    assert "mixes months and seconds" in reject("INTERVAL YEAR TO DAY", parse_type).summary


def test_zoned_timestamps_do_not_exist_in_flink(reject):
    error = reject("TIMESTAMP(3) WITH TIME ZONE", parse_type)
    assert isinstance(error, UnsupportedSql)
    assert error.cure == "use TIMESTAMP_LTZ"


@pytest.mark.parametrize("name", ["RAW", "VARIANT"])
def test_types_that_are_not_run(reject, name):
    error = reject(name, parse_type)
    assert isinstance(error, UnsupportedSql)
    assert name in error.summary


ATOMS = st.one_of(
    st.sampled_from([BOOLEAN, TINYINT, INT, BIGINT, DOUBLE, STRING, BYTES, DATE]),
    st.integers(1, 38).flatmap(lambda p: st.integers(0, p).map(lambda s: decimal(p, s))),
    st.integers(1, 100).map(char),
    st.integers(1, 100).map(varchar),
    st.integers(0, 9).map(timestamp),
    st.integers(0, 9).map(timestamp_ltz),
    st.integers(0, 9).map(time),
)
NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=6)


def nullable_or_not(types):
    return st.tuples(types, st.booleans()).map(lambda pair: pair[0].as_nullable(pair[1]))


TYPES = st.recursive(
    nullable_or_not(ATOMS),
    lambda inner: nullable_or_not(
        st.one_of(
            inner.map(array),
            inner.map(multiset),
            st.tuples(inner, inner).map(lambda pair: map_of(*pair)),
            st.dictionaries(NAMES, inner, max_size=3).map(lambda fields: row_of(fields.items())),
        )
    ),
    max_leaves=8,
)


@given(TYPES)
def test_every_type_reads_back_from_its_own_spelling(kind):
    assert parse_type(kind.sql()) == kind
