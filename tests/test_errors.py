import inspect

import pytest

from headrace import errors
from headrace.errors import (
    DataError,
    EnvironmentFault,
    HeadraceError,
    InternalError,
    InvalidOption,
    InvalidSchema,
    PlanError,
    Position,
    SqlSyntaxError,
    TransientFault,
    TypeMismatch,
    UnknownName,
    UnsupportedSql,
    UserError,
    nearest,
)

CLASSES = [
    item
    for _, item in inspect.getmembers(errors, inspect.isclass)
    if issubclass(item, HeadraceError)
]


def test_render_has_one_line_per_fact_and_at_most_five():
    error = UserError(
        "the summary",
        condition="SOME_CONDITION",
        where=Position(3, 7, source="job.sql"),
        found="this",
        expected="that",
        cure="do so",
    )
    assert error.render().splitlines() == [
        "[SOME_CONDITION] the summary",
        "  at: job.sql:3:7",
        "  found: this",
        "  expected: that",
        "  cure: do so",
    ]
    assert str(error) == error.render()


def test_facts_that_are_missing_leave_no_line():
    assert PlanError("no").render() == "[PLAN_ERROR] no"
    assert PlanError("no", cure="yes").render() == "[PLAN_ERROR] no\n  cure: yes"


def test_the_facts_are_readable_as_data():
    error = TypeMismatch("no", where=Position(1, 2), found="INT", expected="STRING")
    assert error.to_dict() == {
        "condition": "TYPE_MISMATCH",
        "message": "no",
        "where": "<sql>:1:2",
        "found": "INT",
        "expected": "STRING",
    }


def test_a_place_is_given_once():
    inner, outer = Position(2, 1), Position(9, 9)
    error = UserError("no")
    assert error.at(inner) is error
    assert error.at(outer).where == inner


@pytest.mark.parametrize(
    ("kind", "condition", "exit_code"),
    [
        (SqlSyntaxError, "PARSE_ERROR", 1),
        (UnsupportedSql, "UNSUPPORTED_SQL", 1),
        (InvalidSchema, "INVALID_SCHEMA", 1),
        (InvalidOption, "INVALID_OPTION", 1),
        (DataError, "DATA_ERROR", 1),
        (EnvironmentFault, "ENVIRONMENT", 3),
        (InternalError, "INTERNAL_ERROR", 4),
    ],
)
def test_conditions_and_exit_codes(kind, condition, exit_code):
    error = kind("no")
    assert error.condition == condition
    assert error.exit_code == exit_code


def test_the_class_keeps_its_condition_when_an_instance_has_another():
    assert PlanError("no", condition="CHANGELOG_MISMATCH").condition == "CHANGELOG_MISMATCH"
    assert PlanError("no").condition == "PLAN_ERROR"


def test_every_class_stands_in_the_overview():
    assert errors.__doc__ is not None
    assert [item.__name__ for item in CLASSES if item.__name__ not in errors.__doc__] == []


def test_what_may_pass_when_tried_again_is_marked():
    class BrokerAway(EnvironmentFault, TransientFault):
        pass

    assert isinstance(BrokerAway("away"), TransientFault)
    assert BrokerAway("away").render() == "[ENVIRONMENT] away"
    assert not isinstance(EnvironmentFault("gone"), TransientFault)


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("oders", ["orders", "users"], "orders"),
        ("ORDERS", ["Orders"], "Orders"),
        ("xyz", ["orders", "users"], None),
        ("a", [], None),
    ],
)
def test_nearest(name, known, expected):
    assert nearest(name, known) == expected


def test_an_unknown_name_lists_what_exists_the_nearest_first():
    error = UnknownName("column", "nmae", ["id", "name", "age"], where=Position(1, 8))
    assert error.render().splitlines() == [
        "[UNKNOWN_COLUMN] column 'nmae' does not exist",
        "  at: <sql>:1:8",
        "  expected: name, age, id",
        "  cure: did you mean 'name'?",
    ]
    assert error.name == "nmae"
    assert error.candidates == ["age", "id", "name"]


def test_an_unknown_name_without_a_near_one_offers_no_cure():
    error = UnknownName("time zone", "xyz", ["orders"], context=" in 't'")
    assert error.render().splitlines() == [
        "[UNKNOWN_TIME_ZONE] time zone 'xyz' does not exist in 't'",
        "  expected: orders",
    ]


def test_an_unknown_name_where_nothing_is_known_says_so():
    assert UnknownName("table", "t", []).expected == "no table is known here"


def test_a_long_list_is_cut():
    names = [f"column_{i:02}" for i in range(20)]
    expected = UnknownName("column", "column_07x", names).expected
    assert expected is not None
    assert expected.startswith("column_07, column_00, ")
    assert expected.endswith(", … (20 in all)")
    assert expected.count("column_") == 8
