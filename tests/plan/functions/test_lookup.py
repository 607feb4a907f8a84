from __future__ import annotations

import pytest

from headrace.errors import UnknownName, UnsupportedSql
from headrace.plan.functions import (
    function_names,
    is_aggregate_name,
    lookup_aggregate,
    lookup_scalar,
)
from headrace.plan.functions.lookup import AGGREGATES, NOT_RUN, PLANNED, SCALARS


def test_names_are_found_in_any_case():
    assert lookup_scalar("upper") is lookup_scalar("UPPER")
    assert lookup_aggregate("Count").name == "COUNT"
    assert is_aggregate_name("sum")
    assert not is_aggregate_name("upper")


@pytest.mark.parametrize("lookup", [lookup_scalar, lookup_aggregate])
def test_unknown_names_get_the_nearest(lookup):
    with pytest.raises(UnknownName) as caught:
        lookup("REGEXP_EXTRCT")
    assert (caught.value.condition, caught.value.cure) == (
        "UNKNOWN_FUNCTION",
        "did you mean 'REGEXP_EXTRACT'?",
    )


def test_no_name_is_both_scalar_and_aggregate():
    assert not set(SCALARS) & set(AGGREGATES)


def test_names_are_sorted_words_without_operators():
    names = function_names()
    assert names == sorted(names)
    assert {"UPPER", "COUNT", "JSON_QUERY", "ROW_NUMBER", "GROUPING_ID"} <= set(names)
    assert not {"AND", "LIKE", "IN", "+", "[]", "IS NULL", "OVERLAPS", "JSON_QUERY WITHOUT"} & set(
        names
    )


def test_the_table_is_as_wide_as_flinks():
    assert len(SCALARS) > 180


def test_functions_of_flink_that_are_not_run_say_so():
    with pytest.raises(UnsupportedSql) as caught:
        lookup_scalar("current_watermark")
    assert caught.value.summary == "function CURRENT_WATERMARK of Flink is not supported"
    assert not NOT_RUN & {*SCALARS, *AGGREGATES, *PLANNED}


def test_what_the_planner_answers_has_no_text_in_spark():
    assert not PLANNED.keys() & {*SCALARS, *AGGREGATES}
