"""Materialize: the newest row of a sink's key, and the one before it when that goes."""

import pytest

pytestmark = pytest.mark.spark

SCHEMA = "k string, v bigint, __weight bigint"


@pytest.mark.parametrize("retract", [True, False])
def test_newest_wins_and_the_previous_comes_back(operator, retract):
    step = operator("materialize", SCHEMA, {"keys": ["k"], "retract": retract})
    old = lambda *row: [(*row, -1)] if retract else []  # noqa: E731
    assert step([("a", 1, 1)]) == [("a", 1, 1)]
    assert step([("a", 2, 1)]) == [*old("a", 1), ("a", 2, 1)]
    assert step([("a", 2, -1)]) == [*old("a", 2), ("a", 1, 1)]
    assert step([("a", 1, -1)]) == [("a", 1, -1)]


def test_a_delete_of_an_older_row_is_silent(operator):
    step = operator("materialize", SCHEMA, {"keys": ["k"], "retract": False})
    step([("a", 1, 1)])
    step([("a", 2, 1)])
    assert step([("a", 1, -1)]) == []
    assert step([("a", 2, -1)]) == [("a", 2, -1)]


def test_a_move_between_keys_in_one_batch(operator):
    step = operator("materialize", SCHEMA, {"keys": ["k"], "retract": False})
    step([("a", 1, 1), ("b", 2, 1)])
    assert sorted(step([("a", 1, -1), ("b", 2, -1), ("a", 2, 1)])) == [("a", 2, 1), ("b", 2, -1)]


def test_equal_rows_count(operator):
    step = operator("materialize", SCHEMA, {"keys": ["k"], "retract": False})
    step([("a", 1, 2)])
    assert step([("a", 1, -1)]) == []
    assert step([("a", 1, -1)]) == [("a", 1, -1)]
