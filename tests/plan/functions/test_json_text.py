from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.sql.dialect import parse_type
from headrace.types import INT, STRING

COLUMNS = {"s": STRING, "i": INT}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("JSON_VALUE(s, '$.a')", "STRING"),
        ("JSON_QUERY('{}', '$')", "STRING"),
        ("JSON_EXISTS(s, '$.a')", "BOOLEAN"),
        ("JSON_STRING(i)", "STRING"),
        ("JSON_STRING(1)", "STRING NOT NULL"),
        ("JSON_OBJECT('a' VALUE i)", "STRING NOT NULL"),
        ("JSON_ARRAY(i)", "STRING NOT NULL"),
        ("s IS JSON", "BOOLEAN NOT NULL"),
        ("JSON_LENGTH('[]')", "INT"),
        ("JSON_TYPE('[]', '$[0]')", "STRING"),
        ("JSON_QUOTE(s)", "STRING"),
        ("JSON_UNQUOTE('x')", "STRING NOT NULL"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


def test_an_absent_value_drops_its_key(text_of):
    assert "coalesce" in text_of("JSON_OBJECT('a' VALUE i)", **COLUMNS)
    assert "coalesce" not in text_of("JSON_OBJECT('a' VALUE i ABSENT ON NULL)", **COLUMNS)


@pytest.mark.parametrize(
    "kind", ["BOOLEAN", "DECIMAL(5, 2)", "MAP<STRING, INT>", "ARRAY<ROW<a INT>>"]
)
def test_what_json_is_made_of(bound, kind):
    assert bound("JSON_STRING(x)", x=parse_type(kind)).type == STRING


@pytest.mark.parametrize("kind", ["DATE", "TIME(0)", "MAP<INT, INT>", "ARRAY<TIMESTAMP(3)>"])
def test_other_types_are_cast_first(bound, kind):
    with pytest.raises(TypeMismatch) as caught:
        bound("JSON_STRING(x)", x=parse_type(kind))
    assert caught.value.cure == "CAST(… AS STRING) first"
