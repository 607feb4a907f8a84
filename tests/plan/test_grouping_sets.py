import pytest

from headrace.plan.grouping_sets import grouping_sets
from headrace.sql.dialect import parse_query


def sets(clause: str) -> list[str]:
    group = parse_query(f"SELECT 1 FROM t GROUP BY {clause}").args["group"]
    return [" ".join(item.sql() for item in one) for one in grouping_sets(group)]


@pytest.mark.parametrize(
    ("clause", "expected"),
    [
        ("a", ["a"]),
        ("a, b", ["a b"]),
        ("(a, b)", ["a b"]),
        ("()", [""]),
        ("GROUPING SETS ((a, b), (a), ())", ["a b", "a", ""]),
        ("GROUPING SETS (a, b)", ["a", "b"]),
        ("ROLLUP (a, b)", ["a b", "a", ""]),
        ("ROLLUP ((a, b), c)", ["a b c", "a b", ""]),
        ("CUBE (a, b)", ["a b", "a", "b", ""]),
        ("CUBE (a, (b, c))", ["a b c", "a", "b c", ""]),
        ("a, ROLLUP (b)", ["a b", "a"]),
        ("ROLLUP (a), ROLLUP (b)", ["a b", "a", "b", ""]),
        ("GROUPING SETS (ROLLUP (a), CUBE (b))", ["a", "", "b", ""]),
        ("GROUPING SETS ((a), (a))", ["a", "a"]),
        ("ROLLUP (UPPER(a))", ["UPPER(a)", ""]),
    ],
)
def test_the_sets_a_clause_stands_for(clause, expected):
    assert sets(clause) == expected


def test_a_cube_has_every_choice():
    assert len(sets("CUBE (a, b, c)")) == len(set(sets("CUBE (a, b, c)"))) == 8


def test_without_a_clause_all_rows_are_one_group():
    assert grouping_sets(None) == [()]
