from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.types import (
    BIGINT,
    DOUBLE,
    FLOAT,
    INT,
    SMALLINT,
    STRING,
    TINYINT,
    decimal,
)

COLUMNS = {
    "t": TINYINT,
    "w": SMALLINT,
    "i": INT,
    "b": BIGINT,
    "f": FLOAT,
    "x": DOUBLE,
    "d": decimal(10, 2),
    "s": STRING,
}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("t + t", "TINYINT"),
        ("t + w", "SMALLINT"),
        ("i - b", "BIGINT"),
        ("i * i", "INT"),
        ("i / b", "BIGINT"),
        ("i % 3", "INT"),
        ("MOD(b, i)", "BIGINT"),
        ("f + i", "FLOAT"),
        ("f + d", "DOUBLE"),
        ("d + d", "DECIMAL(11, 2)"),
        ("d - b", "DECIMAL(22, 2)"),
        ("d * i", "DECIMAL(21, 2)"),
        ("d / i", "DECIMAL(21, 13)"),
        ("d % i", "DECIMAL(10, 2)"),
        ("i + NULL", "INT"),
        ("ABS(d)", "DECIMAL(10, 2)"),
        ("SIGN(i)", "INT"),
        ("ROUND(d, 1)", "DECIMAL(10, 1)"),
        ("ROUND(d)", "DECIMAL(9, 0)"),
        ("ROUND(x, 1)", "DOUBLE"),
        ("TRUNCATE(d, 1)", "DECIMAL(10, 1)"),
        ("CEIL(d)", "DECIMAL(9, 0)"),
        ("FLOOR(x)", "DOUBLE"),
        ("POWER(i, 2)", "DOUBLE"),
        ("SQRT(4)", "DOUBLE NOT NULL"),
        ("PI()", "DOUBLE NOT NULL"),
        ("RAND_INTEGER(5)", "INT NOT NULL"),
        ("UUID()", "CHAR(36) NOT NULL"),
        ("BIN(i)", "STRING"),
        ("UNHEX(s)", "BYTES"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("i + 1", "(`i` + 1)"),
        ("i + b", "(CAST(`i` AS bigint) + `b`)"),
        ("i / 2", "CAST((`i` div 2) AS int)"),
        ("b / 2", "(`b` div CAST(2 AS bigint))"),
        ("d + 1", "CAST((`d` + CAST(1 AS decimal(10,0))) AS decimal(13,2))"),
        ("d * d", "CAST((`d` * `d`) AS decimal(21,4))"),
        (
            "x / f",
            "CAST(`x` * if(CAST(`f` AS double) = 0, double('Infinity'), 1D) "
            "/ if(CAST(`f` AS double) = 0, 1D, CAST(`f` AS double)) AS double)",
        ),
        ("x % x", "CAST(`x` % if(`x` = 0, double('NaN'), `x`) AS double)"),
        ("-i", "(- `i`)"),
        ("CEIL(i)", "`i`"),
        ("RAND(1)", "rand(1)"),
        ("RAND_INTEGER(1, 10)", "CAST(floor(rand(1) * 10) AS INT)"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    ("sql", "found"),
    [("i + s", "INT + STRING"), ("s * 2", "STRING"), ("ABS(s)", "STRING")],
)
def test_only_numbers_are_computed_with(bound, sql, found):
    with pytest.raises(TypeMismatch) as caught:
        bound(sql, **COLUMNS)
    assert caught.value.found == found


@pytest.mark.parametrize("sql", ["ROUND(d, i)", "RAND(i)", "RAND_INTEGER(i, 5)"])
def test_arguments_that_must_be_literals(bound, sql):
    with pytest.raises(UnsupportedSql):
        bound(sql, **COLUMNS)


@pytest.mark.parametrize(
    ("name", "deterministic"), [("ABS", True), ("RAND", False), ("UUID", False)]
)
def test_random_values_are_marked(name, deterministic):
    from headrace.plan.functions import lookup_scalar

    assert lookup_scalar(name).deterministic is deterministic


def test_a_chain_of_divisions_stays_short(text_of):
    assert len(text_of("/".join(["x"] * 20), **COLUMNS)) < 4000
