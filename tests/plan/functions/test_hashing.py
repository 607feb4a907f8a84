from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.types import BYTES, INT, STRING

COLUMNS = {"s": STRING, "raw": BYTES.not_null(), "i": INT}


@pytest.mark.parametrize(
    ("sql", "kind", "text"),
    [
        ("MD5(s)", "CHAR(32)", "md5(CAST(`s` AS binary))"),
        ("SHA1(raw)", "CHAR(40) NOT NULL", "sha1(`raw`)"),
        ("SHA224(s)", "CHAR(56)", "sha2(CAST(`s` AS binary), 224)"),
        ("SHA512(raw)", "CHAR(128) NOT NULL", "sha2(`raw`, 512)"),
        ("SHA2(s, 256)", "VARCHAR(128)", "sha2(CAST(`s` AS binary), 256)"),
    ],
)
def test_digests(type_of, text_of, sql, kind, text):
    assert (type_of(sql, **COLUMNS), text_of(sql, **COLUMNS)) == (kind, text)


def test_numbers_have_no_digest(bound):
    with pytest.raises(TypeMismatch):
        bound("MD5(i)", **COLUMNS)
