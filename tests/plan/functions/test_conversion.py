from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.types import BYTES, INT, STRING, decimal, row


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("TYPEOF(i)", "'INT'"),
        ("TYPEOF(i, TRUE)", "'INT'"),
        ("TYPEOF(d)", "'DECIMAL(10, 2)'"),
        ("TYPEOF(r)", "'ROW<`a` STRING>'"),
        ("TYPEOF('x')", "'CHAR(1) NOT NULL'"),
    ],
)
def test_typeof_is_known_before_the_query_runs(text_of, sql, text):
    assert text_of(sql, i=INT, d=decimal(10, 2), r=row(a=STRING)) == text


def test_typeof_counts_as_nullable(type_of):
    assert type_of("TYPEOF(i)", i=INT) == "STRING"


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("IS_VALID_UTF8(b)", "BOOLEAN"),
        ("IS_VALID_UTF8(x'80')", "BOOLEAN NOT NULL"),
        ("MAKE_VALID_UTF8(b)", "STRING"),
        ("MAKE_VALID_UTF8(x'80')", "STRING NOT NULL"),
    ],
)
def test_bytes_as_text(type_of, sql, kind):
    assert type_of(sql, b=BYTES) == kind


@pytest.mark.parametrize("name", ["IS_VALID_UTF8", "MAKE_VALID_UTF8"])
def test_text_is_valid_already(bound, name):
    with pytest.raises(TypeMismatch) as caught:
        bound(f"{name}('a')")
    assert caught.value.expected == "a binary string"
