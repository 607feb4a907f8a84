from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.functions.text import constant
from headrace.runtime.faults import translate
from headrace.types import BIGINT, BYTES, INT, STRING, char, varchar

COLUMNS = {
    "s": STRING,
    "v": varchar(5),
    "c": char(3).not_null(),
    "i": INT,
    "b": BIGINT,
    "raw": BYTES,
}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("s || c", "STRING"),
        ("v || c", "VARCHAR(8)"),
        ("c || c", "CHAR(6) NOT NULL"),
        ("raw || x'01'", "BYTES"),
        ("x'01' || x'02'", "BINARY(2) NOT NULL"),
        ("CONCAT(c, s)", "STRING"),
        ("CONCAT_WS(c, s, s)", "STRING"),
        ("CONCAT_WS(c, c)", "STRING NOT NULL"),
        ("CONCAT_WS(s, c)", "STRING"),
        ("UPPER(c)", "CHAR(3) NOT NULL"),
        ("LTRIM(c)", "VARCHAR(3) NOT NULL"),
        ("BTRIM(c)", "STRING NOT NULL"),
        ("TRIM(s)", "STRING"),
        ("OVERLAY(c PLACING 'xy' FROM 1)", "VARCHAR(5) NOT NULL"),
        ("OVERLAY(c PLACING s FROM 1)", "STRING"),
        ("INITCAP(c)", "CHAR(3) NOT NULL"),
        ("STR_TO_MAP(c)", "MAP<STRING, STRING>"),
        ("REGEXP_REPLACE(c, c, c)", "STRING NOT NULL"),
        ("CHAR_LENGTH(s)", "INT"),
        ("SUBSTRING(v, 1)", "VARCHAR(5)"),
        ("SUBSTRING(s, 1, 2)", "STRING"),
        ("LPAD(c, 5, ' ')", "STRING"),
        ("REGEXP(s, 'a')", "BOOLEAN"),
        ("SPLIT(c, ',')", "ARRAY<STRING> NOT NULL"),
        ("STR_TO_MAP(s)", "MAP<STRING, STRING>"),
        ("ELT(1, 'a', 'bcd')", "VARCHAR(3)"),
        ("ENCODE(s, 'UTF-8')", "BYTES"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("s || c", "concat(`s`, `c`)"),
        ("SUBSTRING(s, 2)", "substring(`s`, 2)"),
        ("SUBSTRING(s, 2, 3)", "substring(`s`, 2, 3)"),
        (
            "SUBSTRING(s, i, 3)",
            "CASE WHEN `i` < -char_length(`s`) THEN '' ELSE substring(`s`, `i`, 3) END",
        ),
        (
            "SUBSTRING(s, 1, i)",
            "CASE WHEN `i` < 0 THEN NULL ELSE substring(`s`, 1, `i`) END",
        ),
        ("LEFT(s, b)", "left(`s`, CAST(`b` AS int))"),
        ("TRIM(s)", "trim(BOTH ' ' FROM `s`)"),
        ("TRIM(TRAILING 'x' FROM s)", "trim(TRAILING 'x' FROM `s`)"),
        ("LTRIM(s, 'ab')", "trim(LEADING 'ab' FROM `s`)"),
        ("LOCATE('a', s)", "locate('a', `s`)"),
        ("REGEXP_EXTRACT(s, 'a')", "flink_regexp_extract(`s`, 'a', 0)"),
        (
            "SPLIT_INDEX(s, '|', 0)",
            "get(split(nullif(`s`, ''), concat('\\\\Q', '|', '\\\\E')), 0)",
        ),
        (
            "SPLIT_INDEX(s, s, 0)",
            "get(split(nullif(`s`, ''), if(`s` = '', '\\\\s', concat('\\\\Q', `s`, '\\\\E'))), 0)",
        ),
        ("INSTR(s, 'a')", "instr(`s`, 'a')"),
        ("INSTR(s, 'a', b)", "flink_instr(`s`, 'a', CAST(`b` AS int), 1)"),
        ("INSTR(s, 'a', 1, i)", "flink_instr(`s`, 'a', 1, `i`)"),
        ("LOCATE('a', s, i)", "flink_locate('a', `s`, `i`)"),
        ("PRINTF(s, i, 'a')", "flink_printf(`s`, struct(`i`, 'a'))"),
        (
            "SUBSTRING(s, -9, i)",
            "CASE WHEN `i` < 0 THEN NULL WHEN -9 < -char_length(`s`) AND `i` >= 0 THEN '' "
            "ELSE substring(`s`, -9, `i`) END",
        ),
        ("ELT(i, 'a', 'b')", "get(array('a', 'b'), `i` - 1)"),
        ("MD5(s)", "md5(CAST(`s` AS binary))"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    "sql", ["UPPER(i)", "CONCAT(s, i)", "s || i", "SUBSTRING(s, 'a')", "LPAD(s, s, s)"]
)
def test_other_types_need_a_cast(bound, sql):
    with pytest.raises(TypeMismatch):
        bound(sql, **COLUMNS)


def test_a_map_needs_both_separators_or_none(bound):
    with pytest.raises(TypeMismatch) as caught:
        bound("STR_TO_MAP(s, ';')", **COLUMNS)
    assert (caught.value.found, caught.value.expected) == ("2", "1 or 3")


@pytest.mark.spark
@pytest.mark.parametrize(
    ("sql", "condition"),
    [
        ("FROM_BASE64('a b')", "INVALID_ARGUMENT"),
        ("INSTR('abc', 'c', 1, 0)", "INVALID_ARGUMENT"),
        ("DECODE(x'61', 'none')", "INVALID_ARGUMENT"),
    ],
)
def test_arguments_without_an_answer_fail_the_query(text_of, spark, sql, condition):
    with pytest.raises(Exception, match=condition) as caught:
        spark.sql(f"SELECT {text_of(sql)} FROM range(1)").collect()
    assert translate(str(caught.value)).condition == condition


def test_text_and_bytes_do_not_join(bound):
    with pytest.raises(TypeMismatch) as caught:
        bound("s || raw", **COLUMNS)
    assert caught.value.found == "STRING, BYTES"


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), ("-12", -12), ("`i`", None), ("CAST(1 AS int)", None)]
)
def test_constant(text, value):
    assert constant(text) == value


def test_addresses_may_be_none_at_all(type_of):
    assert type_of("INET_ATON('127.0.0.1')") == "BIGINT"
    assert type_of("INET_NTOA(1)") == "STRING"
