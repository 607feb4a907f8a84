from __future__ import annotations

import pytest

from headrace.types import INT, STRING, decimal, row


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("TYPEOF(i)", "'INT'"),
        ("TYPEOF(d)", "'DECIMAL(10, 2)'"),
        ("TYPEOF(r)", "'ROW<`a` STRING>'"),
        ("TYPEOF('x')", "'CHAR(1) NOT NULL'"),
    ],
)
def test_typeof_is_known_before_the_query_runs(text_of, sql, text):
    assert text_of(sql, i=INT, d=decimal(10, 2), r=row(a=STRING)) == text


def test_typeof_is_never_null(type_of):
    assert type_of("TYPEOF(i)", i=INT) == "STRING NOT NULL"
