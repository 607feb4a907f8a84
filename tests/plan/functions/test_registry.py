from __future__ import annotations

import pytest

from headrace.plan.functions.registry import AggregateFunction, ScalarFunction, as_spark, fill
from headrace.types import BIGINT, INT, STRING


def function(spark, **more) -> ScalarFunction:
    return ScalarFunction("F", lambda types: types[0], spark, 1, None, **more)


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("f({0}, {1})", "f(a, b)"),
        ("f({1}, {0}, {1})", "f(b, a, b)"),
        ("f({*})", "f(a, b)"),
        ("f({0:int}, {1:int})", "f(a, CAST(b AS int))"),
        ("'{'", "'{'"),
    ],
)
def test_templates(template, expected):
    assert fill(template, ["a", "b"], [INT, BIGINT]) == expected


def test_braces_inside_arguments_stay():
    text = function("concat({0}, {1})").spark_sql(["'{1}{*}'", "'{0}'"], [STRING, STRING], STRING)
    assert text == "concat('{1}{*}', '{0}')"


def test_a_callable_sees_texts_types_and_result():
    made = function(lambda args, types, result: f"{args[0]}|{types[0]}|{result}")
    assert made.spark_sql(["a"], [INT], BIGINT) == "a|INT|BIGINT"


def test_a_cast_only_where_the_type_differs():
    assert as_spark("a", INT, "int") == "a"
    assert as_spark("a", INT.not_null(), "int") == "a"
    assert as_spark("a", INT, "double") == "CAST(a AS double)"


def test_result_type_may_depend_on_constants():
    plain = function("f")
    chosen = function(
        "f", returns_for=lambda types, constants: BIGINT if constants[0] == 1 else INT
    )
    assert plain.result_type([STRING], [None]) == STRING
    assert (chosen.result_type([STRING], [1]), chosen.result_type([STRING], [None])) == (
        BIGINT,
        INT,
    )


def test_examples_are_pairs_of_expression_and_result():
    made = function("f", example="F(1) -> 2\nF('->') -> a -> b")
    assert made.examples() == [("F(1)", "2"), ("F('->') -> a", "b")]


def test_functions_are_hashable_by_name():
    one, two = function("a"), function("b")
    assert hash(one) == hash(two)
    assert hash(AggregateFunction("F", lambda types: types[0], 1, 1, None)) == hash(one)
