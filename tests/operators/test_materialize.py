"""Materialize: the newest row of a sink's key, and the one before it when that goes."""

import pytest

from headrace.runtime.faults import translate

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


def settling(conflict, *own_key, **more):
    spec = {"keys": ["k"], "conflict": conflict, "ownKey": list(own_key), "retract": False}
    return spec | {"table": "sink"} | more


def test_the_first_row_stays_while_it_is_there(operator):
    step = operator("materialize", SCHEMA, settling("NOTHING"))
    assert step([("a", 1, 1)]) == [("a", 1, 1)]
    assert step([("a", 0, 1)]) == []
    # It was never written.
    assert step([("a", 0, -1)]) == []
    assert step([("a", 1, -1)]) == [("a", 1, -1)]
    assert step([("a", 3, 1)]) == [("a", 3, 1)]


def test_the_first_row_may_change(operator):
    """Rows are told apart by `v`: another `s` is another version."""
    step = operator("materialize", f"s string, {SCHEMA}", settling("NOTHING", "v"))
    step([("x", "a", 7, 1)])
    assert step([("y", "a", 1, 1), ("x", "a", 7, -1), ("z", "a", 7, 1)]) == [("z", "a", 7, 1)]
    assert step([("z", "a", 7, -1), ("y", "a", 2, 1)]) == [("y", "a", 2, 1)]


@pytest.mark.parametrize(("in_order", "first"), [(True, 9), (False, 5)])
def test_the_first_of_one_batch_is_the_first_of_the_source(operator, in_order, first):
    step = operator("materialize", SCHEMA, settling("NOTHING", inOrder=in_order))
    assert step([("a", 9, 1), ("a", 5, 1), ("a", 7, 1)]) == [("a", first, 1)]


def test_a_conflict_fails_naming_its_key(operator):
    step = operator("materialize", SCHEMA, settling("ERROR"))
    assert step([("a", 1, 1), ("b", 1, 1)])
    # Copies of a row are no conflict, and neither is a row that comes as the other goes.
    assert step([("a", 1, 1)]) == []
    assert step([("b", 1, -1), ("b", 2, 1)]) == [("b", 2, 1)]
    with pytest.raises(Exception, match="PRIMARY_KEY_CONFLICT") as caught:
        step([("a", 2, 1)])
    error = translate(caught.value)
    assert (error.condition, error.found) == ("PRIMARY_KEY_CONFLICT", "(k=a)")
    assert "'sink'" in error.summary


class TestArrivals:
    """Rows that only arrive, in the order of their source."""

    def arriving(self, operator, conflict):
        spec = {"keys": ["k"], "conflict": conflict, "retract": True, "inOrder": True}
        return operator("materialize", SCHEMA, spec | {"appendOnly": True})

    def test_the_last_one_counts_also_when_it_was_there_before(self, operator):
        step = self.arriving(operator, "DEDUPLICATE")
        assert step([("a", 9, 1), ("a", 1, 1), ("a", 9, 1)]) == [("a", 9, 1)]
        assert step([("a", 1, 1), ("a", 5, 1)]) == [("a", 9, -1), ("a", 5, 1)]
        assert step([("a", 5, 1)]) == []

    def test_the_first_one_stays(self, operator):
        step = self.arriving(operator, "NOTHING")
        assert step([("a", 9, 1), ("a", 1, 1)]) == [("a", 9, 1)]
        assert step([("a", 0, 1), ("b", 2, 1)]) == [("b", 2, 1)]
