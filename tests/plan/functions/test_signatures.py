from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.plan.functions.signatures import (
    always,
    common,
    derived,
    of,
    same_as,
    scalar,
    signature,
    to_common,
)
from headrace.types import BIGINT, DOUBLE, INT, NULL, STRING


@pytest.mark.parametrize(
    ("takes", "required", "most"),
    [
        ("", 0, 0),
        ("char", 1, 1),
        ("char int?", 1, 2),
        ("char int? int?", 1, 3),
        ("any+", 1, None),
        ("char char*", 1, None),
        ("any any+", 2, None),
    ],
)
def test_argument_counts(takes, required, most):
    read = signature(takes)
    assert (read.required, read.most) == (required, most)


def test_families_are_checked_by_position():
    read = signature("char int?")
    read.check("F", [STRING, INT])
    with pytest.raises(TypeMismatch) as caught:
        read.check("F", [STRING, STRING])
    error = caught.value
    assert (error.summary, error.found, error.expected) == (
        "argument 2 of F has a type that F does not take",
        "STRING",
        "an integer",
    )


def test_the_last_family_repeats():
    read = signature("int char+")
    read.check("F", [INT, STRING, STRING, STRING])
    with pytest.raises(TypeMismatch):
        read.check("F", [INT, STRING, STRING, INT])


def test_null_is_of_every_family():
    signature("char int").check("F", [NULL, NULL])


def test_a_plain_type_is_nullable_when_an_argument_is():
    assert of(INT)([STRING.not_null()]) == INT.not_null()
    assert of(INT)([STRING.not_null(), STRING]) == INT
    assert of(INT.not_null())([STRING]) == INT
    assert always(INT)([STRING.not_null()]) == INT


def test_same_as_and_derived():
    types = [BIGINT.not_null(), STRING]
    assert same_as(0)(types) == BIGINT
    assert derived(lambda given: given[0])(types) == BIGINT
    assert derived(lambda given: given[0])(types[:1]) == BIGINT.not_null()


def test_common_names_the_types_that_do_not_meet():
    assert common([INT, BIGINT], "F") == BIGINT
    with pytest.raises(TypeMismatch) as caught:
        common([INT, STRING], "F")
    assert caught.value.found == "INT, STRING"


def test_to_common_leaves_the_first_arguments():
    rule = to_common("IF", 1)
    assert rule([STRING, INT.not_null(), DOUBLE]) == [STRING, DOUBLE.not_null(), DOUBLE]


def test_constants_are_required_where_said():
    row = scalar("F", "char int?", STRING, "f({*})", constant=(1,))
    assert row.result_type([STRING, INT], [None, 2]) == STRING
    assert row.result_type([STRING], [None]) == STRING
    with pytest.raises(UnsupportedSql) as caught:
        row.result_type([STRING, INT], [None, None])
    assert caught.value.summary == "argument 2 of F must be a literal"


def test_a_row_checks_before_it_types():
    row = scalar("F", "int", lambda types: types[0], "f({0})")
    assert row.returns([BIGINT]) == BIGINT
    with pytest.raises(TypeMismatch):
        row.returns([STRING])
