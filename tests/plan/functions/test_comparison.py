from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.functions.comparison import compared
from headrace.sql.dialect import parse_type
from headrace.types import BIGINT, DOUBLE, FLOAT, INT, STRING


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("a = 1", "(`a` = 1)"),
        ("a <> b", "(CAST(`a` AS bigint) <> `b`)"),
        ("b >= 1", "(`b` >= 1L)"),
        ("a IS NULL", "(`a` IS NULL)"),
        ("a IS NOT DISTINCT FROM 1", "(`a` <=> 1)"),
        ("a IS DISTINCT FROM 1", "(NOT (`a` <=> 1))"),
        ("a BETWEEN 1 AND 2", "(`a` BETWEEN 1 AND 2)"),
        ("a IN (1, 2)", "(`a` IN (1, 2))"),
        ("s LIKE 'a%'", "(`s` LIKE 'a%' ESCAPE '\\u0000')"),
        ("s LIKE 'a!%' ESCAPE '!'", "(`s` LIKE 'a!%' ESCAPE '!')"),
        ("s SIMILAR TO 'a+'", "flink_similar(`s`, 'a+')"),
        ("s NOT SIMILAR TO 'a!+' ESCAPE '!'", "(NOT flink_similar(`s`, 'a!+', '!'))"),
        ("a = 1 AND s = 'x' OR NOT b = 2", "(((`a` = 1) AND (`s` = 'x')) OR (NOT (`b` = 2L)))"),
        ("(a = 1) IS TRUE", "((`a` = 1) IS TRUE)"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, a=INT, b=BIGINT, s=STRING) == text


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("f = d", "(`f` = CAST(`d` AS float))"),
        ("d > f", "(`d` > CAST(`f` AS double))"),
        ("f = 0.1", "(CAST(`f` AS double) = 0.1D)"),
    ],
)
def test_float_and_double_compare_in_the_type_on_the_left(text_of, sql, text):
    assert text_of(sql, f=FLOAT, d=DOUBLE) == text


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("a = 1", "BOOLEAN"),
        ("1 = 1", "BOOLEAN NOT NULL"),
        ("a IS DISTINCT FROM NULL", "BOOLEAN NOT NULL"),
        ("a IN (1, 2)", "BOOLEAN"),
        ("1 IN (1, NULL)", "BOOLEAN"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, a=INT) == kind


def test_all_members_of_a_list_are_cast_alike():
    rule = compared("IN")
    kinds = [parse_type(name) for name in ("INT", "BIGINT NOT NULL", "DECIMAL(3, 1)")]
    assert [kind.sql() for kind in rule(kinds)] == [
        "DECIMAL(20, 1)",
        "DECIMAL(20, 1) NOT NULL",
        "DECIMAL(20, 1)",
    ]


def test_maps_are_equal_or_not_but_not_ordered():
    kind = parse_type("MAP<STRING, INT>")
    assert compared("=")([kind, kind]) == [kind, kind]
    with pytest.raises(TypeMismatch):
        compared("<", ordered=True)([kind, kind])


def test_the_error_shows_both_sides():
    with pytest.raises(TypeMismatch) as caught:
        compared("=")([INT, STRING])
    assert (caught.value.found, caught.value.cure) == (
        "INT = STRING",
        "CAST one side, for example CAST(… AS STRING)",
    )
