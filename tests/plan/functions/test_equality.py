from __future__ import annotations

import pytest

from headrace.plan.functions.equality import as_comparable, by_equality
from headrace.sql.dialect import parse_type
from headrace.types import BOOLEAN


@pytest.mark.parametrize("kind", ["INT", "ARRAY<INT>", "ROW<a INT, b ARRAY<STRING>>"])
def test_what_holds_no_map_is_compared_as_it_is(kind):
    assert as_comparable("x", parse_type(kind)) == "x"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (
            "MAP<STRING, INT>",
            "array_sort(transform(map_entries(x), __c0 -> struct(__c0.key, __c0.value)))",
        ),
        (
            "MULTISET<STRING>",
            "array_sort(transform(map_entries(x), __c0 -> struct(__c0.key, __c0.value)))",
        ),
        (
            "ARRAY<MAP<STRING, INT>>",
            "transform(x, __c0 -> array_sort(transform(map_entries(__c0), __c1 -> struct(__c1.key, __c1.value))))",
        ),
        (
            "ROW<a INT, m MAP<INT, INT>>",
            "if(x IS NULL, NULL, struct(x.`a`, "
            "array_sort(transform(map_entries(x.`m`), __c0 -> struct(__c0.key, __c0.value)))))",
        ),
    ],
)
def test_a_map_is_compared_as_its_sorted_entries(kind, text):
    assert as_comparable("x", parse_type(kind)) == text


def test_maps_within_maps_have_variables_of_their_own():
    text = as_comparable("x", parse_type("MAP<STRING, MAP<STRING, INT>>"))
    assert "map_entries(__c0.value), __c1 -> struct(__c1.key, __c1.value)" in text


def test_both_sides_go_into_the_template():
    kind = parse_type("MAP<STRING, INT>")
    text = by_equality("({0} <=> {1})")(["x", "y"], [kind, kind], BOOLEAN)
    assert text == f"({as_comparable('x', kind)} <=> {as_comparable('y', kind)})"


@pytest.mark.spark
def test_spark_compares_what_holds_maps(spark, text_of):
    cases = {
        "MAP['a', 1, 'b', 2] = MAP['b', 2, 'a', 1]": True,
        "MAP['a', 1] = CAST(NULL AS MAP<STRING, INT>)": None,
        "MAP['a', MAP['b', 1, 'c', 2]] = MAP['a', MAP['c', 2, 'b', 1]]": True,
        "MAP['a', 1] IS DISTINCT FROM CAST(NULL AS MAP<STRING, INT>)": True,
        "ARRAY[MAP['a', 1]] <> ARRAY[MAP['a', 2]]": True,
        "CASE MAP['a', 1] WHEN MAP['a', 1] THEN TRUE ELSE FALSE END": True,
        "NULLIF(MAP['a', 1], MAP['a', 1]) IS NULL": True,
    }
    found = spark.sql(f"SELECT {', '.join(map(text_of, cases))} FROM range(1)").collect()[0]
    assert list(found) == list(cases.values())
