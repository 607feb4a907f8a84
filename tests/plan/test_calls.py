from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.calls import call, cast, check_count, coerced
from headrace.plan.expressions import Cast, InputRef, Literal
from headrace.plan.functions.lookup import lookup_aggregate, lookup_scalar
from headrace.plan.literals import null_literal, number_literal, text_literal
from headrace.sql.dialect import parse_type


def column(kind: str) -> InputRef:
    return InputRef(parse_type(kind), "c")


def test_a_call_has_the_result_type_of_its_arguments():
    made = call(lookup_scalar("+"), [column("INT"), number_literal("1")])
    assert made.type.sql() == "INT"
    assert made.args == (column("INT"), number_literal("1"))


def test_arguments_are_cast_to_what_is_compared():
    made = call(lookup_scalar("="), [column("INT"), column("BIGINT NOT NULL")])
    assert made.args == (Cast(parse_type("BIGINT"), column("INT")), column("BIGINT NOT NULL"))


def test_a_literal_is_widened_in_place():
    made = call(lookup_scalar("="), [column("BIGINT"), number_literal("1")])
    assert made.args[1] == Literal(parse_type("BIGINT NOT NULL"), 1)


@pytest.mark.parametrize(
    ("name", "count", "expected"),
    [("LPAD", 2, "3"), ("ROUND", 3, "1 to 2"), ("COALESCE", 0, "at least 1"), ("PI", 1, "0")],
)
def test_the_number_of_arguments_is_checked(name, count, expected):
    with pytest.raises(TypeMismatch) as caught:
        check_count(lookup_scalar(name), count)
    error = caught.value
    assert (error.condition, error.found, error.expected) == (
        "WRONG_ARGUMENT_COUNT",
        str(count),
        expected,
    )


def test_aggregates_are_counted_alike():
    with pytest.raises(TypeMismatch):
        check_count(lookup_aggregate("SUM"), 2)
    check_count(lookup_aggregate("COUNT"), 3)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("INT", "INT NOT NULL"),
        ("CHAR(3)", "STRING"),
        ("CHAR(3)", "VARCHAR(3)"),
        ("VARCHAR(2)", "VARCHAR(3)"),
    ],
)
def test_values_that_fit_are_left_alone(source, target):
    assert coerced(column(source), parse_type(target)) == column(source)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("INT", "BIGINT"),
        ("STRING", "VARCHAR(3)"),
        ("VARCHAR(2)", "CHAR(3)"),
        ("DATE", "TIMESTAMP(3)"),
    ],
)
def test_other_values_are_cast(source, target):
    assert coerced(column(source), parse_type(target)) == Cast(parse_type(target), column(source))


def test_null_takes_the_type_asked_for():
    assert coerced(null_literal(), parse_type("DATE")) == Literal(parse_type("DATE"), None)
    assert cast(null_literal(), parse_type("INT")) == Literal(parse_type("INT"), None)


@pytest.mark.parametrize(
    ("source", "try_cast", "expected"),
    [
        ("STRING", False, "INT"),
        ("STRING NOT NULL", False, "INT NOT NULL"),
        ("STRING NOT NULL", True, "INT"),
    ],
)
def test_a_cast_is_nullable_as_its_operand(source, try_cast, expected):
    made = cast(column(source), parse_type("INT"), try_cast=try_cast)
    assert isinstance(made, Cast)
    assert (made.type.sql(), made.try_cast) == (expected, try_cast)


@pytest.mark.parametrize(
    ("source", "target", "cure"),
    [
        ("BIGINT", "TIMESTAMP(3)", "use TO_TIMESTAMP_LTZ(number, 0 or 3)"),
        ("TIMESTAMP(3)", "BIGINT", "use UNIX_TIMESTAMP(CAST(… AS STRING))"),
        ("BOOLEAN", "DATE", None),
    ],
)
def test_impossible_casts_name_a_way_out(source, target, cure):
    with pytest.raises(TypeMismatch) as caught:
        cast(column(source), parse_type(target))
    assert caught.value.summary == f"{source} cannot be cast to {target}"
    assert caught.value.cure == cure


def test_constants_decide_types():
    rounded = call(lookup_scalar("ROUND"), [column("DECIMAL(10, 4)"), number_literal("2")])
    assert rounded.type.sql() == "DECIMAL(9, 2)"


def test_families_are_checked_before_coercion():
    with pytest.raises(TypeMismatch) as caught:
        call(lookup_scalar("ARRAY_CONTAINS"), [text_literal("a"), text_literal("b")])
    assert caught.value.expected == "an ARRAY"
