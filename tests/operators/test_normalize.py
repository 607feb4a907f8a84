"""Normalize: the last record of a key wins, and what it replaces is taken back."""

import pytest

pytestmark = pytest.mark.spark

SCHEMA = "id bigint, name string, amount int, __partition int, __offset bigint, __weight bigint"


def spec(retract=True, **more):
    return {"keys": ["id"], "retract": retract, **more}


def put(key, name, amount, offset, partition=0):
    return (key, name, amount, partition, offset, 1)


def tombstone(key, offset, partition=0):
    return (key, None, None, partition, offset, -1)


def test_first_record_inserts_and_the_next_replaces_it(operator):
    step = operator("normalize", SCHEMA, spec())
    assert step([put(1, "a", 5, 0)]) == [(1, "a", 5, 1)]
    assert step([put(1, "b", 6, 1)]) == [(1, "a", 5, -1), (1, "b", 6, 1)]


def test_of_one_batch_only_the_last_offset_counts_whatever_the_order(operator):
    step = operator("normalize", SCHEMA, spec())
    assert step([put(1, "late", 3, 9), put(1, "early", 1, 2), put(1, "middle", 2, 5)]) == [
        (1, "late", 3, 1)
    ]


def test_partition_goes_before_offset_when_a_key_moved(operator):
    step = operator("normalize", SCHEMA, spec())
    assert step([put(1, "new home", 3, 0, partition=1), put(1, "old home", 1, 100)]) == [
        (1, "new home", 3, 1)
    ]


def test_tombstone_takes_the_row_back_and_forgets_it(operator):
    step = operator("normalize", SCHEMA, spec())
    step([put(1, "a", 5, 0)])
    assert step([tombstone(1, 1)]) == [(1, "a", 5, -1)]
    assert step([tombstone(1, 2)]) == []
    assert step([put(1, "again", 7, 3)]) == [(1, "again", 7, 1)]


def test_tombstone_of_an_unknown_key_is_silent(operator):
    step = operator("normalize", SCHEMA, spec())
    assert step([tombstone(42, 0), put(1, "a", 1, 1)]) == [(1, "a", 1, 1)]


def test_insert_and_delete_in_one_batch_leave_nothing(operator):
    step = operator("normalize", SCHEMA, spec())
    assert step([put(1, "a", 5, 0), tombstone(1, 1)]) == []


def test_an_equal_update_is_swallowed(operator):
    step = operator("normalize", SCHEMA, spec())
    step([put(1, "a", 5, 0)])
    assert step([put(1, "a", 5, 1)]) == []


def test_nulls_are_values_like_others(operator):
    step = operator("normalize", SCHEMA, spec())
    assert step([put(1, None, None, 0)]) == [(1, None, None, 1)]
    assert step([put(1, None, None, 1)]) == []
    assert step([put(1, "a", None, 2)]) == [(1, None, None, -1), (1, "a", None, 1)]


def test_without_retraction_an_update_is_the_new_row_and_a_delete_the_old(operator):
    step = operator("normalize", SCHEMA, spec(retract=False))
    assert step([put(1, "a", 5, 0)]) == [(1, "a", 5, 1)]
    assert step([put(1, "b", 6, 1)]) == [(1, "b", 6, 1)]
    assert step([tombstone(1, 2)]) == [(1, "b", 6, -1)]


def test_keys_do_not_mix(operator):
    step = operator("normalize", SCHEMA, spec())
    step([put(key, f"n{key}", key, key) for key in range(20)])
    changed = step([put(key, "even", key, 100 + key) for key in range(0, 20, 2)])
    assert sorted(row[0] for row in changed if row[-1] > 0) == list(range(0, 20, 2))
    assert sorted(row[1] for row in changed if row[-1] < 0) == sorted(
        f"n{key}" for key in range(0, 20, 2)
    )


def test_binary_and_nested_values_compare_by_content(operator):
    schema = "id bigint, raw binary, tags array<string>, __partition int, __offset bigint, __weight bigint"
    step = operator("normalize", schema, spec())
    step([(1, b"xy", ["a", "b"], 0, 0, 1)])
    assert step([(1, b"xy", ["a", "b"], 0, 1, 1)]) == []
    assert [row[-1] for row in step([(1, b"xz", ["a", "b"], 0, 2, 1)])] == [-1, 1]


def test_a_key_in_any_column_order_keeps_the_columns_in_place(operator):
    schema = "name string, id bigint, __partition int, __offset bigint, __weight bigint"
    step = operator("normalize", schema, spec())
    step([("a", 1, 0, 0, 1)])
    assert step([("b", 1, 0, 1, 1)]) == [("a", 1, -1), ("b", 1, 1)]


def test_a_row_that_comes_with_a_record_outlives_one_that_goes_with_it(operator):
    step = operator("normalize", SCHEMA, spec())
    came, went = put(2, "moved here", 1, 5), tombstone(2, 5)
    assert step([came, went]) == [(2, "moved here", 1, 1)]
    assert step([tombstone(2, 6), put(2, "again", 2, 6)]) == [
        (2, "moved here", 1, -1),
        (2, "again", 2, 1),
    ]
