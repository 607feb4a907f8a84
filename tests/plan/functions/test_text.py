from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.functions.text import constant
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
