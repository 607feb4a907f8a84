from __future__ import annotations

import pytest

from headrace.errors import InternalError
from headrace.runtime.faults import translate
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
        ("STRING", "TIMESTAMP(9)", "flink_read(x, 'timestamp_ntz', 6, 'TIMESTAMP(9)')"),
        ("CHAR(3)", "DECIMAL(5, 2)", "flink_read(x, 'decimal(5,2)', 5, 'DECIMAL(5, 2)')"),
        ("BIGINT", "INT", "flink_convert(x, 'int')"),
        ("DOUBLE", "BIGINT", "flink_convert(x, 'bigint')"),
        ("DECIMAL(5, 2)", "DECIMAL(4, 1)", "flink_convert(x, 'decimal(4,1)')"),
        ("INT", "DECIMAL(4, 1)", "flink_convert(x, 'decimal(4,1)')"),
        ("DECIMAL(5, 2)", "DOUBLE", "CAST(x AS double)"),
        ("BOOLEAN", "TINYINT", "CAST(x AS tinyint)"),
        ("ARRAY<STRING>", "ARRAY<INT>", "transform(x, __e0 -> flink_read(__e0, 'int', 0, 'INT'))"),
        ("ARRAY<BIGINT>", "ARRAY<INT>", "transform(x, __e0 -> flink_convert(__e0, 'int'))"),
        ("TIMESTAMP(3)", "TIMESTAMP_LTZ(3)", "CAST(x AS timestamp)"),
        ("TIMESTAMP(3)", "TIMESTAMP(6)", "x"),
        ("DATE", "TIMESTAMP(3)", "CAST(x AS timestamp_ntz)"),
        ("TIME(0)", "TIMESTAMP(3)", "make_timestamp_ntz(DATE '1970-01-01', x)"),
        (
            "TIME(0)",
            "TIMESTAMP_LTZ(3)",
            "CAST(make_timestamp_ntz(DATE '1970-01-01', x) AS timestamp)",
        ),
        (
            "TIMESTAMP(6)",
            "TIME(6)",
            "CAST(make_time(hour(x), minute(x), extract(SECOND FROM x)) AS time(6))",
        ),
        ("INT", "STRING", "CAST(x AS string)"),
        ("INTERVAL MONTH", "STRING", "flink_interval_text(x)"),
        ("INTERVAL DAY TO SECOND", "CHAR(4)", "rpad(flink_interval_text(x), 4, ' ')"),
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
    assert made("STRING", "INT", try_cast=True) == "flink_try_read(x, 'int', 0, 'INT')"
    nested = made("ROW<a STRING, b BOOLEAN>", "ROW<a INT, b STRING>", try_cast=True)
    assert "flink_try_read(x.`a`, 'int', 0, 'INT')" in nested


def test_try_cast_asks_only_what_may_be_unreadable():
    read = "flink_try_read(__e0, 'int', 0, 'INT')"
    assert made("ARRAY<STRING>", "ARRAY<INT>", try_cast=True) == (
        f"if(coalesce(exists(x, __e0 -> (__e0 IS NOT NULL AND {read} IS NULL)), FALSE), NULL, "
        f"transform(x, __e0 -> {read}))"
    )
    assert made("ARRAY<BIGINT>", "ARRAY<INT>", try_cast=True) == made("ARRAY<BIGINT>", "ARRAY<INT>")


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
    ("TIME'01:02:03'", "TIME(3)", "STRING", "01:02:03"),
    ("TIME'01:02:00'", "TIME(6)", "STRING", "01:02:00"),
    ("TIME'01:02:03.1'", "TIME(3)", "STRING", "01:02:03.100"),
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
    ("TIMESTAMP_NTZ'2020-01-01 10:11:12.123'", "TIMESTAMP(3)", "TIME(0)", "10:11:12"),
    ("TIMESTAMP'2020-01-01 10:11:12.123'", "TIMESTAMP_LTZ(3)", "TIME(0)", "10:11:12"),
    ("TIME'12:34:56'", "TIME(0)", "TIMESTAMP(3)", "1970-01-01 12:34:56.000"),
    ("TIME'00:00:00.123'", "TIME(3)", "TIMESTAMP_LTZ(6)", "1970-01-01 00:00:00.123000"),
    ("1e300", "DOUBLE", "BOOLEAN", "TRUE"),
    ("0.0", "DECIMAL(2, 1)", "BOOLEAN", "FALSE"),
    ("array('1', 'x')", "ARRAY<STRING>", "ARRAY<VARCHAR(1)>", "[1, x]"),
    ("named_struct('a', true)", "ROW<a BOOLEAN>", "ROW<b STRING>", "(TRUE)"),
    ("map('k', true)", "MAP<STRING, BOOLEAN>", "MAP<STRING, STRING>", "{k=TRUE}"),
    ("map('k', 2)", "MULTISET<STRING>", "STRING", "{k=2}"),
    ("map('kk', 2)", "MULTISET<STRING>", "MULTISET<CHAR(1)>", "{k=2}"),
    # Numbers keep their lowest bits, as in Java.
    ("4294967297L", "BIGINT", "INT", "1"),
    ("300", "INT", "TINYINT", "44"),
    ("-32769", "INT", "SMALLINT", "32767"),
    ("1E10D", "DOUBLE", "INT", "2147483647"),
    ("-1E30D", "DOUBLE", "BIGINT", "-9223372036854775808"),
    ("300.7D", "DOUBLE", "TINYINT", "44"),
    ("CAST('NaN' AS double)", "DOUBLE", "INT", "0"),
    ("CAST(1E10 AS float)", "FLOAT", "INT", "2147483647"),
    ("CAST(-1.99 AS decimal(5,2))", "DECIMAL(5, 2)", "INT", "-1"),
    ("CAST(4294967297.9 AS decimal(20,2))", "DECIMAL(20, 2)", "INT", "1"),
    (
        "CAST('99999999999999999999' AS decimal(20,0))",
        "DECIMAL(20, 0)",
        "BIGINT",
        "7766279631452241919",
    ),
    # Decimals are rounded half up, and NULL where they do not fit.
    ("CAST(1.25 AS decimal(5,2))", "DECIMAL(5, 2)", "DECIMAL(4, 1)", "1.3"),
    ("CAST(-1.25 AS decimal(5,2))", "DECIMAL(5, 2)", "DECIMAL(4, 1)", "-1.3"),
    ("CAST(999.99 AS decimal(5,2))", "DECIMAL(5, 2)", "DECIMAL(4, 2)", None),
    ("CAST(99.99 AS decimal(5,2))", "DECIMAL(5, 2)", "DECIMAL(3, 1)", None),
    ("1000", "INT", "DECIMAL(3, 0)", None),
    ("1.005D", "DOUBLE", "DECIMAL(5, 2)", "1.01"),
    ("1E10D", "DOUBLE", "DECIMAL(5, 2)", None),
    ("true", "BOOLEAN", "DECIMAL(3, 1)", "1.0"),
    # Text as numbers: blanks around, a sign, a fraction that is cut.
    ("'+7'", "STRING", "INT", "7"),
    ("'1.9'", "STRING", "INT", "1"),
    ("'-1.9'", "STRING", "BIGINT", "-1"),
    ("'-128'", "STRING", "TINYINT", "-128"),
    ("'9223372036854775807'", "STRING", "BIGINT", "9223372036854775807"),
    ("' 1e3 '", "STRING", "DOUBLE", "1000.0"),
    ("'NaN'", "STRING", "DOUBLE", "NaN"),
    ("'-Infinity'", "STRING", "FLOAT", "-Infinity"),
    ("'\\n 1.005\\t'", "STRING", "DECIMAL(5, 2)", "1.01"),
    ("'12e1'", "STRING", "DECIMAL(5, 2)", "120.00"),
    ("'1e-99999999'", "STRING", "DECIMAL(5, 2)", "0.00"),
    ("'0e99999999'", "STRING", "DECIMAL(5, 2)", "0.00"),
    # Text as truth.
    ("'t'", "STRING", "BOOLEAN", "TRUE"),
    ("'Yes'", "STRING", "BOOLEAN", "TRUE"),
    ("'1'", "STRING", "BOOLEAN", "TRUE"),
    ("'N'", "STRING", "BOOLEAN", "FALSE"),
    ("'0'", "STRING", "BOOLEAN", "FALSE"),
    # Text as dates and times.
    ("'2020'", "STRING", "DATE", "2020-01-01"),
    ("'2020-3'", "STRING", "DATE", "2020-03-01"),
    ("'2020-03-7'", "STRING", "DATE", "2020-03-07"),
    ("'2020-03-07 23:59:59'", "STRING", "DATE", "2020-03-07"),
    ("'12'", "STRING", "TIME(0)", "12:00:00"),
    ("'12:34'", "STRING", "TIME(0)", "12:34:00"),
    ("'1:2:3.4567'", "STRING", "TIME(3)", "01:02:03.457"),
    ("'12:34:56.789'", "STRING", "TIME(0)", "12:34:56"),
    ("'12:34:56.789'", "STRING", "TIME(1)", "12:34:56.7"),
    ("'2020-1-2'", "STRING", "TIMESTAMP(0)", "2020-01-02 00:00:00"),
    ("'2020-1-2 3:4:5'", "STRING", "TIMESTAMP(3)", "2020-01-02 03:04:05.000"),
    ("'2020-01-02 03:04:05.123456789'", "STRING", "TIMESTAMP(6)", "2020-01-02 03:04:05.123456"),
    ("'1969-12-31 23:59:59.9999'", "STRING", "TIMESTAMP(3)", "1969-12-31 23:59:59.999"),
    ("'2020-01-02 03:04:05.5'", "STRING", "TIMESTAMP_LTZ(3)", "2020-01-02 03:04:05.500"),
    ("CAST(NULL AS string)", "STRING", "TIMESTAMP(3)", None),
    ("CAST(NULL AS string)", "STRING", "INT", None),
    # Inside of collections the same.
    ("array('7', NULL, ' 8')", "ARRAY<STRING>", "ARRAY<INT>", "[7, NULL, 8]"),
    ("array(4294967297L)", "ARRAY<BIGINT>", "ARRAY<INT>", "[1]"),
    ("named_struct('a', '1.5')", "ROW<a STRING>", "ROW<a DECIMAL(2, 1)>", "(1.5)"),
    # Numbers, bytes and text of fixed length.
    ("CAST(123.456 AS float)", "FLOAT", "STRING", "123.456"),
    ("1E-5D", "DOUBLE", "STRING", "1.0E-5"),
    ("-5", "INT", "VARCHAR(1)", "-"),
    ("'ab'", "STRING", "BINARY(3)", "ab\x00"),
    ("'abcd'", "STRING", "VARBINARY(3)", "abc"),
    ("true", "BOOLEAN", "CHAR(3)", "TRU"),
]

# Text that is no value of the type: an error, and NULL for TRY_CAST.
MALFORMED = [
    ("oops", "INT"),
    ("", "INT"),
    ("-", "INT"),
    ("1e3", "INT"),
    ("1.x", "BIGINT"),
    ("\\t7", "INT"),
    ("128", "TINYINT"),
    ("2147483648", "INT"),
    ("9223372036854775808", "BIGINT"),
    ("x", "DOUBLE"),
    ("", "FLOAT"),
    ("1000", "DECIMAL(3, 0)"),
    ("1e99999999", "DECIMAL(3, 0)"),
    ("1,5", "DECIMAL(3, 1)"),
    ("", "DECIMAL(3, 1)"),
    (" true", "BOOLEAN"),
    ("2", "BOOLEAN"),
    ("2020-13-01", "DATE"),
    ("2021-02-29", "DATE"),
    ("20200101x", "DATE"),
    ("99999-01-01", "DATE"),
    ("24:00:00", "TIME(0)"),
    ("12:60", "TIME(0)"),
    ("noon", "TIME(0)"),
    ("2020-01-02T03:04:05", "TIMESTAMP(3)"),
    ("2020-01-02 03:04", "TIMESTAMP(3)"),
    ("2020", "TIMESTAMP(3)"),
    ("2020-01-02 03:04:05Z", "TIMESTAMP_LTZ(3)"),
]


@pytest.mark.spark
def test_spark_casts_as_flink_does(spark):
    values = ", ".join(f"{value} AS c{n}" for n, (value, *_) in enumerate(RESULTS))
    # Values that the optimiser knows would be computed by it instead of by generated code.
    frame = spark.sql(f"SELECT {values}").localCheckpoint()
    texts = []
    for n, (_, source, target, _) in enumerate(RESULTS):
        cast = cast_sql(f"c{n}", parse_type(source), parse_type(target))
        texts.append(cast_sql(cast, parse_type(target), parse_type("STRING")))
    found = list(
        frame.selectExpr(*(f"{text} AS r{n}" for n, text in enumerate(texts))).collect()[0]
    )
    wrong = [(case, value) for case, value in zip(RESULTS, found, strict=True) if case[3] != value]
    assert wrong == []


@pytest.fixture(scope="module")
def malformed(spark):
    texts = ", ".join(f"'{text}' AS c{n}" for n, (text, _) in enumerate(MALFORMED))
    return spark.sql(f"SELECT {texts}").localCheckpoint()


@pytest.mark.spark
def test_what_cannot_be_read_is_null_for_try_cast(malformed):
    texts = [
        cast_sql(f"c{n}", parse_type("STRING"), parse_type(target), try_cast=True)
        for n, (_, target) in enumerate(MALFORMED)
    ]
    found = malformed.selectExpr(*(f"{text} AS r{n}" for n, text in enumerate(texts))).collect()[0]
    assert [case for case, value in zip(MALFORMED, found, strict=True) if value is not None] == []


TRIED = [
    ("array('1', 'x')", "ARRAY<STRING>", "ARRAY<INT>", None),
    ("array('1', NULL)", "ARRAY<STRING>", "ARRAY<INT>", "[1, NULL]"),
    ("array(array('1', 'x'), array('2'))", "ARRAY<ARRAY<STRING>>", "ARRAY<ARRAY<INT>>", None),
    ("array(array('1'), NULL)", "ARRAY<ARRAY<STRING>>", "ARRAY<ARRAY<INT>>", "[[1], NULL]"),
    ("map('a', 'x')", "MAP<STRING, STRING>", "MAP<STRING, INT>", None),
    ("map('1', 'x')", "MAP<STRING, STRING>", "MAP<INT, STRING>", "{1=x}"),
    ("struct('1' AS a, 'x' AS b)", "ROW<a STRING, b STRING>", "ROW<a INT, b INT>", None),
    ("struct('1' AS a, 'x' AS b)", "ROW<a STRING, b STRING>", "ROW<a INT, b STRING>", "(1, x)"),
    ("array(struct('x' AS a))", "ARRAY<ROW<a STRING>>", "ARRAY<ROW<a INT>>", None),
    ("CAST(NULL AS array<string>)", "ARRAY<STRING>", "ARRAY<INT>", None),
]


@pytest.mark.spark
def test_one_part_that_cannot_be_read_makes_a_tried_collection_null(spark):
    values = ", ".join(f"{value} AS c{n}" for n, (value, *_) in enumerate(TRIED))
    texts = []
    for n, (_, source, target, _) in enumerate(TRIED):
        cast = cast_sql(f"c{n}", parse_type(source), parse_type(target), try_cast=True)
        texts.append(f"{cast_sql(cast, parse_type(target), parse_type('STRING'))} AS r{n}")
    found = spark.sql(f"SELECT {values}").localCheckpoint().selectExpr(*texts).collect()[0]
    assert list(found) == [expected for *_, expected in TRIED]


@pytest.mark.spark
def test_what_cannot_be_read_is_an_error_that_shows_it(malformed):
    for n, (text, target) in enumerate(MALFORMED):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            malformed.selectExpr(
                cast_sql(f"c{n}", parse_type("STRING"), parse_type(target))
            ).collect()
        error = translate(caught.value)
        assert error.condition == "INVALID_CAST", (text, target)
        assert error.summary == f"text cannot be cast to {target}"
        assert error.found == f"'{text}'".replace("\\t", " ")
        assert len(error.render().splitlines()) <= 5
