from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.types import BIGINT, BOOLEAN, DATE, INT, STRING

COLUMNS = {"i": INT, "n": BIGINT.not_null(), "s": STRING, "f": BOOLEAN, "d": DATE}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("COALESCE(i, n)", "BIGINT NOT NULL"),
        ("COALESCE(i, NULL)", "INT"),
        ("NULLIF(n, 1)", "BIGINT"),
        ("IF(f, n, 1)", "BIGINT"),
        ("IF(f IS TRUE, n, 1)", "BIGINT NOT NULL"),
        ("IF(f, i, 1)", "INT"),
        ("IFNULL(i, n)", "BIGINT NOT NULL"),
        ("IFNULL(n, i)", "BIGINT"),
        ("GREATEST(n, i)", "BIGINT"),
        ("LEAST(n, 1)", "BIGINT NOT NULL"),
        ("IS_ALPHA(s)", "BOOLEAN NOT NULL"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("COALESCE(i, n)", "coalesce(CAST(`i` AS bigint), `n`)"),
        ("IF(f, i, 1)", "if(`f`, `i`, 1)"),
        ("GREATEST(n, 1)", "greatest(`n`, 1L)"),
        ("GREATEST(i, 1)", "if(`i` IS NULL, NULL, greatest(`i`, 1))"),
        ("GREATEST(i)", "if(`i` IS NULL, NULL, `i`)"),
        ("IS_DIGIT(i)", "(`i` IS NOT NULL)"),
        ("IS_ALPHA(i)", "FALSE"),
        ("IS_DECIMAL(s)", "(try_cast(`s` AS DOUBLE) IS NOT NULL)"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    "sql", ["COALESCE(i, s)", "IF(f, i, d)", "GREATEST(s, i)", "IF(i, 1, 2)", "IS_ALPHA(d)"]
)
def test_types_that_do_not_meet(bound, sql):
    with pytest.raises(TypeMismatch):
        bound(sql, **COLUMNS)
