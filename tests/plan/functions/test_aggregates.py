from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch
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
        ("SUM0", "INT", "INT NOT NULL"),
        ("STDDEV_POP", "INT", "INT"),
        ("COLLECT", "INT", "MULTISET<INT>"),
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
    [("SUM", "STRING"), ("AVG", "DATE"), ("MAX", "ROW<a INT>"), ("LISTAGG", "INT")],
)
def test_types_an_aggregate_does_not_take(name, kind):
    with pytest.raises(TypeMismatch):
        result(name, kind)


def test_accumulators_are_named_as_the_operators_know_them():
    run = {
        name: function.accumulator for name, function in AGGREGATES.items() if function.accumulator
    }
    assert run == {"COUNT": "count", "SUM": "sum", "AVG": "avg", "MIN": "min", "MAX": "max"}
