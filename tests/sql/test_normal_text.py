import pytest

from headrace.sql.normal_text import normal_text

COLUMNS = ("a", "b", "r", "arr", "ts", "end")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a+1", "`a` + 1"),
        ("(a +  1)*2", "(`a` + 1) * 2"),
        ("upper( b )", "UPPER(`b`)"),
        ("cast(a as decimal(10,2))", "CAST(`a` AS DECIMAL(10, 2))"),
        ("r.x", "`r`.`x`"),
        ("`r` . `x y`", "`r`.`x y`"),
        ("arr[1]", "`arr`[1]"),
        ("coalesce(b, 'it''s')", "COALESCE(`b`, 'it''s')"),
        ("case when a > 1 then 'b' else 'c' end", "CASE WHEN `a` > 1 THEN 'b' ELSE 'c' `end`"),
        ("a in (1,2) and (a<>3)", "`a` IN (1, 2) AND (`a` <> 3)"),
        ("extract(day from ts)", "EXTRACT(DAY FROM `ts`)"),
        ("ts - interval '1' second", "`ts` - INTERVAL '1' SECOND"),
        ("proctime()", "PROCTIME()"),
        ("b || 'a' -- said so", "`b` || 'a'"),
    ],
)
def test_names_are_quoted_and_words_are_capitals(text, expected):
    assert normal_text(text, COLUMNS) == expected


def test_only_columns_are_quoted():
    assert normal_text("A + a + missing", ("a",)) == "A + `a` + MISSING"
