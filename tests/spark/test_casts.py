from __future__ import annotations

import pytest

from headrace.errors import InternalError
from headrace.spark.casts import cast_sql, cut_fraction, text_of
from headrace.sql.dialect import parse_type


def made(source: str, target: str, **options) -> str:
    return cast_sql("x", parse_type(source), parse_type(target), **options)


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("INT", "BIGINT", "CAST(x AS bigint)"),
        ("INT", "INT NOT NULL", "x"),
        ("NULL", "DATE", "CAST(x AS date)"),
        ("STRING", "TIMESTAMP(6)", "CAST(x AS timestamp_ntz)"),
        ("TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "CAST(x AS timestamp)"),
        ("TIMESTAMP(3)", "TIMESTAMP(6)", "x"),
        ("DATE", "TIMESTAMP(3)", "CAST(x AS timestamp_ntz)"),
        ("INT", "STRING", "CAST(x AS string)"),
        ("BOOLEAN", "STRING", "upper(CAST(x AS string))"),
        ("STRING", "STRING", "x"),
        ("CHAR(3)", "STRING", "x"),
        ("CHAR(3)", "VARCHAR(5)", "x"),
        ("STRING", "VARCHAR(5)", "left(x, 5)"),
        ("STRING", "CHAR(5)", "rpad(x, 5, ' ')"),
        ("CHAR(3)", "CHAR(5)", "rpad(x, 5, ' ')"),
        ("INT", "VARCHAR(2)", "left(CAST(x AS string), 2)"),
        ("TIMESTAMP(0)", "STRING", "left(CAST(x AS string), 19)"),
        ("STRING", "BYTES", "CAST(x AS binary)"),
        ("BYTES", "STRING", "CAST(x AS string)"),
        ("BYTES", "BINARY(3)", "rpad(x, 3, X'00')"),
        ("BYTES", "VARBINARY(3)", "substring(x, 1, 3)"),
        ("ARRAY<INT>", "ARRAY<BIGINT>", "CAST(x AS array<bigint>)"),
        ("ARRAY<BOOLEAN>", "ARRAY<STRING>", "transform(x, __e0 -> upper(CAST(__e0 AS string)))"),
    ],
)
def test_text(source, target, expected):
    assert made(source, target) == expected


def test_try_cast_reaches_into_collections():
    assert made("STRING", "INT", try_cast=True) == "try_cast(x AS int)"
    nested = made("ROW<a STRING, b BOOLEAN>", "ROW<a INT, b STRING>", try_cast=True)
    assert "try_cast(x.`a` AS int)" in nested


def test_nested_lambdas_have_names_of_their_own():
    text = made("ARRAY<ARRAY<BOOLEAN>>", "ARRAY<ARRAY<STRING>>")
    assert text == "transform(x, __e0 -> transform(__e0, __e1 -> upper(CAST(__e1 AS string))))"


def test_a_fraction_is_cut_only_when_it_may_be_too_long():
    assert made("TIMESTAMP(6)", "TIMESTAMP(3)") == cut_fraction("x", parse_type("TIMESTAMP(3)"))
    assert "% 0.001" in made("TIMESTAMP(6)", "TIMESTAMP(3)")
    assert "% 1)" in made("TIMESTAMP(3)", "TIMESTAMP(0)")


def test_numbers_print_as_spark_prints_them():
    assert text_of("x", parse_type("DECIMAL(10, 2)")) == "CAST(x AS string)"


def test_scalars_are_not_rebuilt():
    from headrace.spark.casts import _rebuilt

    with pytest.raises(InternalError):
        _rebuilt("x", parse_type("INT"), parse_type("INT"), False, 0)


# Source value in Spark, its Flink type, the target, the result as Flink prints it.
RESULTS = [
    ("true", "BOOLEAN", "STRING", "TRUE"),
    ("CAST(NULL AS boolean)", "BOOLEAN", "STRING", None),
    ("'abcdef'", "STRING", "VARCHAR(3)", "abc"),
    ("'ab'", "STRING", "CHAR(4)", "ab  "),
    ("12345", "INT", "CHAR(3)", "123"),
    ("1.5E10D", "DOUBLE", "STRING", "1.5E10"),
    ("CAST(0.0000001 AS decimal(10,8))", "DECIMAL(10, 8)", "STRING", "0.00000010"),
    ("TIMESTAMP_NTZ'2020-01-02 03:04:05.5'", "TIMESTAMP(3)", "STRING", "2020-01-02 03:04:05.500"),
    ("TIMESTAMP_NTZ'2020-01-02 03:04:05'", "TIMESTAMP(3)", "STRING", "2020-01-02 03:04:05.000"),
    ("TIMESTAMP_NTZ'2020-01-02 03:04:05'", "TIMESTAMP(0)", "STRING", "2020-01-02 03:04:05"),
    (
        "TIMESTAMP_NTZ'2020-01-02 03:04:05.5'",
        "TIMESTAMP(9)",
        "STRING",
        "2020-01-02 03:04:05.500000000",
    ),
    ("TIMESTAMP'2020-01-02 03:04:05.12'", "TIMESTAMP_LTZ(3)", "STRING", "2020-01-02 03:04:05.120"),
    ("DATE'2020-01-02'", "DATE", "STRING", "2020-01-02"),
    ("X'616263'", "BYTES", "STRING", "abc"),
    ("array(1, NULL)", "ARRAY<INT>", "STRING", "[1, NULL]"),
    ("map('a', true, 'b', NULL)", "MAP<STRING, BOOLEAN>", "STRING", "{a=TRUE, b=NULL}"),
    ("named_struct('f', 1, 'g', NULL)", "ROW<f INT, g STRING>", "STRING", "(1, NULL)"),
    ("array(array(true))", "ARRAY<ARRAY<BOOLEAN>>", "STRING", "[[TRUE]]"),
    ("CAST(NULL AS array<int>)", "ARRAY<INT>", "STRING", None),
    ("'42'", "STRING", "INT", "42"),
    ("' 42 '", "STRING", "INT", "42"),
    ("1.9D", "DOUBLE", "INT", "1"),
    ("-1.9D", "DOUBLE", "INT", "-1"),
    ("true", "BOOLEAN", "INT", "1"),
    ("'true'", "STRING", "BOOLEAN", "TRUE"),
    ("0", "INT", "BOOLEAN", "FALSE"),
    ("'2020-01-02 03:04:05.123456'", "STRING", "TIMESTAMP(3)", "2020-01-02 03:04:05.123"),
    (
        "TIMESTAMP_NTZ'2020-01-02 03:04:05.999999'",
        "TIMESTAMP(6)",
        "TIMESTAMP(3)",
        "2020-01-02 03:04:05.999",
    ),
    (
        "TIMESTAMP_NTZ'1969-12-31 23:59:59.9995'",
        "TIMESTAMP(6)",
        "TIMESTAMP(3)",
        "1969-12-31 23:59:59.999",
    ),
    ("TIMESTAMP_NTZ'2020-01-02 03:04:05.5'", "TIMESTAMP(3)", "DATE", "2020-01-02"),
    ("array('1', 'x')", "ARRAY<STRING>", "ARRAY<VARCHAR(1)>", "[1, x]"),
    ("named_struct('a', true)", "ROW<a BOOLEAN>", "ROW<b STRING>", "(TRUE)"),
    ("map('k', true)", "MAP<STRING, BOOLEAN>", "MAP<STRING, STRING>", "{k=TRUE}"),
    ("map('k', 2)", "MULTISET<STRING>", "STRING", "{k=2}"),
    ("map('kk', 2)", "MULTISET<STRING>", "MULTISET<CHAR(1)>", "{k=2}"),
]


@pytest.mark.spark
def test_spark_casts_as_flink_does(spark):
    texts = []
    for value, source, target, _ in RESULTS:
        cast = cast_sql(value, parse_type(source), parse_type(target))
        texts.append(cast_sql(cast, parse_type(target), parse_type("STRING")))
    row = spark.sql("SELECT " + ", ".join(f"{text} AS c{i}" for i, text in enumerate(texts)))
    found = list(row.collect()[0])
    wrong = [(case, value) for case, value in zip(RESULTS, found, strict=True) if case[3] != value]
    assert wrong == []


@pytest.mark.spark
def test_a_cast_that_fails_is_an_error_and_try_cast_null(spark):
    from pyspark.errors import NumberFormatException

    text = made("STRING", "INT").replace("x", "'oops'")
    with pytest.raises(NumberFormatException):
        spark.sql(f"SELECT {text}").collect()
    tried = made("STRING", "INT", try_cast=True).replace("x", "'oops'")
    assert spark.sql(f"SELECT {tried}").collect()[0][0] is None
