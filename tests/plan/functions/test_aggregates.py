from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
from headrace.plan.functions.aggregates import SINGLE_VALUE
from headrace.plan.functions.lookup import AGGREGATES
from headrace.sql.dialect import parse_type


def result(name: str, *kinds: str) -> str:
    return AGGREGATES[name].returns([parse_type(kind) for kind in kinds]).sql()


@pytest.mark.parametrize(
    ("name", "kind", "expected"),
    [
        ("COUNT", "INT", "BIGINT NOT NULL"),
        ("SUM", "TINYINT", "TINYINT"),
        ("SUM", "BIGINT NOT NULL", "BIGINT"),
        ("SUM", "FLOAT", "FLOAT"),
        ("SUM", "DECIMAL(10, 2)", "DECIMAL(38, 2)"),
        ("AVG", "INT", "INT"),
        ("AVG", "DOUBLE", "DOUBLE"),
        ("AVG", "DECIMAL(10, 8)", "DECIMAL(38, 8)"),
        ("MIN", "STRING NOT NULL", "STRING"),
        ("MAX", "TIMESTAMP(3)", "TIMESTAMP(3)"),
        ("STDDEV_POP", "INT", "INT"),
        ("VAR_SAMP", "DECIMAL(10, 2)", "DECIMAL(38, 6)"),
        ("STDDEV", "DOUBLE NOT NULL", "DOUBLE"),
        ("COLLECT", "INT", "MULTISET<INT> NOT NULL"),
        ("JSON_ARRAYAGG", "INT", "VARCHAR(2000) NOT NULL"),
        ("ARRAY_AGG", "STRING", "ARRAY<STRING>"),
        ("LAST_VALUE", "DATE NOT NULL", "DATE"),
        ("LAG", "INT NOT NULL", "INT"),
    ],
)
def test_result_types(name, kind, expected):
    assert result(name, kind) == expected


def test_no_argument_is_needed_to_count_or_rank():
    assert result("COUNT") == "BIGINT NOT NULL"
    assert result("ROW_NUMBER") == "BIGINT NOT NULL"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("SUM", "STRING"),
        ("AVG", "DATE"),
        ("MAX", "ROW<a INT>"),
        ("LISTAGG", "INT"),
        ("VARIANCE", "STRING"),
        ("JSON_OBJECTAGG", "INT"),
    ],
)
def test_types_an_aggregate_does_not_take(name, kind):
    with pytest.raises(TypeMismatch):
        result(name, kind)


def test_synonyms_share_an_accumulator():
    run = {
        name: function.accumulator
        for name, function in AGGREGATES.items()
        if function.accumulator not in (None, name.lower())
    }
    assert run == {"STDDEV": "stddev_samp", "VARIANCE": "var_samp"}


def test_functions_of_windows_are_known_but_not_run():
    assert {name for name, function in AGGREGATES.items() if function.accumulator is None} == {
        *("APPROX_COUNT_DISTINCT", "ROW_NUMBER", "RANK", "DENSE_RANK"),
        *("CUME_DIST", "PERCENT_RANK", "NTILE", "LAG", "LEAD"),
    }


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("INT", "DECIMAL(2, 1)"), "DOUBLE"),
        (("DECIMAL(10, 2)", "DOUBLE NOT NULL", "TINYINT"), "DOUBLE"),
        (("BIGINT", "ARRAY<DECIMAL(2, 1) NOT NULL>"), "ARRAY<DOUBLE>"),
    ],
)
def test_percentiles(kinds, expected):
    assert result("PERCENTILE", *kinds) == expected


@pytest.mark.parametrize("kinds", [("STRING", "DOUBLE"), ("INT", "DOUBLE", "DOUBLE")])
def test_percentiles_are_of_numbers_and_counted_in_whole_ones(kinds):
    with pytest.raises(TypeMismatch):
        result("PERCENTILE", *kinds)


def test_what_has_no_name_in_sql():
    assert SINGLE_VALUE.name not in AGGREGATES
    assert SINGLE_VALUE.returns([parse_type("INT NOT NULL")]).sql() == "INT"
    # Flink has it in its table API alone.
    assert "SUM0" not in AGGREGATES
