import pytest

from headrace.cli.demo.pagila.verdict import compare

A, B = {"id": 1, "name": "a"}, {"id": 2, "name": "b"}


def test_the_same_rows_are_equal():
    check = compare("here", {1: A, 2: B}, {2: B, 1: A})
    assert check.equal
    assert (check.rows, check.missing, check.different, check.left) == (2, 0, 0, ())


@pytest.mark.parametrize(
    ("found", "missing", "different", "left"),
    [
        ({1: A}, 1, 0, ()),
        ({1: A, 2: A}, 0, 1, ()),
        ({1: A, 2: {**B, "more": 1}}, 0, 1, ()),
        ({1: A, 2: B, 3: B}, 0, 0, (3,)),
        ({}, 2, 0, ()),
    ],
)
def test_every_kind_of_difference_counts(found, missing, different, left):
    check = compare("here", found, {1: A, 2: B})
    assert not check.equal
    assert (check.missing, check.different, check.left) == (missing, different, left)


def test_exactly_the_deleted_rows_may_be_left():
    assert compare("here", {1: A, 2: B}, {1: A}, {2}).equal
    assert not compare("here", {1: A}, {1: A}, {2}).equal
    assert not compare("here", {1: A, 3: B}, {1: A}, {2}).equal


def test_the_facts_for_programs():
    assert compare("here", {1: A, 2: B}, {1: A}, {2}).to_dict() == {
        "place": "here",
        "rows": 1,
        "missing": 0,
        "different": 0,
        "deleted_rows_kept": [2],
        "equal": True,
    }


def test_keys_that_are_left_are_sorted():
    check = compare("here", {3: A, 10: B, 2: B}, {}, {10, 3, 2})
    assert (check.left, check.equal) == ((2, 3, 10), True)


def test_nothing_equals_nothing():
    assert compare("here", {}, {}).equal
