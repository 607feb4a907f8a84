from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.runtime.faults import translate
from headrace.spark.expressions import spark_sql
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
        ("MOD(b, i)", "INT"),
        ("MOD(i, b)", "BIGINT"),
        ("f + i", "FLOAT"),
        ("f + x", "FLOAT"),
        ("x * f", "DOUBLE"),
        ("f * d", "DOUBLE"),
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
        ("CEIL(d)", "DECIMAL(10, 0)"),
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
        ("i + 1", "flink_add(`i`, 1)"),
        ("i + b", "flink_add(CAST(`i` AS bigint), `b`)"),
        ("i / 2", "flink_divide(`i`, 2)"),
        ("b / 2", "flink_divide(`b`, CAST(2 AS bigint))"),
        ("d + 1", "flink_convert(flink_add(`d`, CAST(1 AS decimal(10,0))), 'decimal(13,2)')"),
        ("d * d", "flink_convert(flink_multiply(`d`, `d`), 'decimal(21,4)')"),
        (
            "x / f",
            "CAST(`x` * if(CAST(`f` AS double) = 0, double('Infinity'), 1D) "
            "/ if(CAST(`f` AS double) = 0, 1D, CAST(`f` AS double)) AS double)",
        ),
        ("x % x", "CAST(`x` % if(`x` = 0, double('NaN'), `x`) AS double)"),
        ("-i", "flink_negate(`i`)"),
        ("-x", "-(`x`)"),
        ("ABS(x)", "abs(`x`)"),
        ("x * 2", "(`x` * CAST(2 AS double))"),
        ("d % 2", "flink_remainder(`d`, CAST(2 AS decimal(10,0)), 'decimal(10,2)')"),
        ("CEIL(i)", "`i`"),
        ("RAND(1)", "rand(1)"),
        ("RAND_INTEGER(1, 10)", "CAST(floor(rand(1) * 10) AS INT)"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    ("sql", "found"),
    [
        ("i + s", "INT + STRING"),
        ("s * 2", "STRING * INT NOT NULL"),
        ("ABS(s)", "STRING"),
        ("-s", "STRING"),
        ("-'5'", "CHAR(1) NOT NULL"),
        ("-TRUE", "BOOLEAN NOT NULL"),
        ("INTERVAL '1' DAY * 1.5", "INTERVAL DAY TO SECOND NOT NULL * DECIMAL(2, 1) NOT NULL"),
        (
            "INTERVAL '1' DAY * INTERVAL '1' DAY",
            "INTERVAL DAY TO SECOND NOT NULL * INTERVAL DAY TO SECOND NOT NULL",
        ),
    ],
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


# Of each type a value at its end, so that the next step leaves the type.
EXTREMES = {
    "t": (TINYINT, "CAST(-128 AS tinyint)"),
    "w": (SMALLINT, "CAST(-32768 AS smallint)"),
    "i": (INT, "CAST(-2147483648 AS int)"),
    "b": (BIGINT, "CAST('-9223372036854775808' AS bigint)"),
    "one": (BIGINT, "1L"),
    "d": (decimal(38, 0), f"CAST('{'9' * 38}' AS decimal(38,0))"),
    "c": (decimal(5, 2), "CAST('7.25' AS decimal(5,2))"),
    "e": (decimal(38, 10), "CAST('1234567890.0123456789' AS decimal(38,10))"),
    "x": (DOUBLE, "1.5D"),
    "z": (INT, "0"),
    "zd": (decimal(5, 2), "CAST(0 AS decimal(5,2))"),
    "none": (INT, "CAST(NULL AS int)"),
}
VALUES = [
    ("t - CAST(1 AS TINYINT)", 127),
    ("-t", -128),
    ("ABS(t)", -128),
    ("t * CAST(-1 AS TINYINT)", -128),
    ("t / CAST(-1 AS TINYINT)", -128),
    ("w - CAST(1 AS SMALLINT)", 32767),
    ("i - 1", 2147483647),
    ("-i", -2147483648),
    ("ABS(i)", -2147483648),
    ("i * 2", 0),
    ("i / -1", -2147483648),
    ("i % -1", 0),
    ("i + i", 0),
    ("i - one", -2147483649),
    ("b - one", 9223372036854775807),
    ("b / -1", -9223372036854775808),
    ("b * b", 0),
    ("-7 / 2", -3),
    ("-7 % 3", -1),
    ("none / 0", None),
    ("z / none", None),
    ("d + 1", None),
    ("d * d", None),
    ("d - d", "0"),
    ("-d", "-" + "9" * 38),
    ("ABS(-d)", "9" * 38),
    ("ABS(d)", "9" * 38),
    ("d / CAST(0.001 AS DECIMAL(5, 3))", None),
    ("c / 3", "2.4166666666667"),
    ("c / c", "1.00000000"),
    ("-c / 3", "-2.4166666666667"),
    ("c % 2", "1.25"),
    ("-c % 2", "-1.25"),
    ("e * e", "1524157875049535257.500533"),
    ("x / 0", "inf"),
    ("-x / 0", "-inf"),
    ("x / 0 - x / 0", "nan"),
    ("x % 0", "nan"),
]
DIVISIONS_BY_ZERO = [
    "i / z",
    "i % z",
    "b / z",
    "MOD(b, z)",
    "c / zd",
    "c % zd",
    "t / CAST(z AS TINYINT)",
]


@pytest.fixture(scope="module")
def extremes(spark):
    """One row that the optimiser does not know the values of."""
    texts = ", ".join(f"{text} AS {name}" for name, (_, text) in EXTREMES.items())
    return spark.sql(f"SELECT {texts}").localCheckpoint()


TYPES = {name: kind for name, (kind, _) in EXTREMES.items()}


@pytest.mark.spark
def test_numbers_that_outgrow_their_type_do_as_in_flink(extremes, text_of):
    texts = [text_of(sql, **TYPES) for sql, _ in VALUES]
    found = extremes.selectExpr(*(f"{text} AS v{n}" for n, text in enumerate(texts))).collect()[0]
    shown = [v if v is None or isinstance(v, int) else str(v) for v in found]
    wrong = [(sql, due, is_) for (sql, due), is_ in zip(VALUES, shown, strict=True) if due != is_]
    assert wrong == []


@pytest.mark.spark
def test_the_type_in_spark_is_the_one_that_is_told(extremes, bound):
    exprs = [bound(sql, **TYPES) for sql, _ in VALUES]
    frame = extremes.selectExpr(*(f"{spark_sql(e)} AS v{n}" for n, e in enumerate(exprs)))
    assert [kind for _, kind in frame.dtypes] == [expr.type.spark() for expr in exprs]


@pytest.mark.spark
@pytest.mark.parametrize("sql", DIVISIONS_BY_ZERO)
def test_a_division_by_zero_names_its_expression(extremes, text_of, sql):
    with pytest.raises(Exception) as caught:  # noqa: PT011
        extremes.selectExpr(text_of(sql, **TYPES)).collect()
    error = translate(caught.value)
    assert error.condition == "DIVISION_BY_ZERO"
    assert len(error.render().splitlines()) <= 5
    if "CAST" not in sql and "(" not in sql:
        left, operator, right = sql.split()
        assert error.found.startswith(left) or left in error.found
        assert f" {operator} " in error.found
        assert right in error.found
