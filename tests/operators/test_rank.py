"""Rank: the difference of the top N before and after a batch."""

import pytest

pytestmark = pytest.mark.spark

SCHEMA = "g string, id bigint, score int, __weight bigint"


def spec(end, *, start=1, rank=None, partition=("g",), descending=True, nulls_first=False):
    order = [{"column": "score", "descending": descending, "nullsFirst": nulls_first}]
    return {
        "partition": list(partition),
        "order": order,
        "start": start,
        "end": end,
        "rank": rank,
    }


def row(number, score, group="a", weight=1):
    return (group, number, score, weight)


def test_top_two_of_each_partition(operator):
    step = operator("rank", SCHEMA, spec(2))
    first = step([row(1, 10), row(2, 30), row(3, 20), row(4, 5, "b")])
    assert sorted(first) == [("a", 2, 30, 1), ("a", 3, 20, 1), ("b", 4, 5, 1)]


def test_a_better_row_pushes_the_last_one_out(operator):
    step = operator("rank", SCHEMA, spec(2))
    step([row(1, 10), row(2, 30)])
    assert step([row(3, 20)]) == [("a", 1, 10, -1), ("a", 3, 20, 1)]
    assert step([row(4, 1)]) == []


def test_a_delete_promotes_the_next(operator):
    step = operator("rank", SCHEMA, spec(1))
    step([row(1, 10), row(2, 30), row(3, 20)])
    assert step([row(2, 30, weight=-1)]) == [("a", 2, 30, -1), ("a", 3, 20, 1)]
    assert step([row(1, 10, weight=-1)]) == []
    assert step([row(3, 20, weight=-1)]) == [("a", 3, 20, -1)]
    assert step([row(5, 1)]) == [("a", 5, 1, 1)]


def test_ranks_shown_shift(operator):
    step = operator("rank", SCHEMA, spec(3, rank="rn"))
    step([row(1, 10), row(2, 30)])
    assert sorted(step([row(3, 20)])) == [
        ("a", 1, 10, 2, -1),
        ("a", 1, 10, 3, 1),
        ("a", 3, 20, 2, 1),
    ]


def test_ranks_hidden_do_not_shift(operator):
    step = operator("rank", SCHEMA, spec(3))
    step([row(1, 10), row(2, 30)])
    assert step([row(3, 20)]) == [("a", 3, 20, 1)]


def test_start_leaves_the_first_ranks_out(operator):
    step = operator("rank", SCHEMA, spec(3, start=2))
    assert sorted(step([row(1, 10), row(2, 30), row(3, 20)])) == [("a", 1, 10, 1), ("a", 3, 20, 1)]


def test_copies_take_a_rank_each(operator):
    step = operator("rank", SCHEMA, spec(2))
    assert step([row(1, 10, weight=3)]) == [("a", 1, 10, 2)]
    assert step([row(1, 10, weight=-2)]) == [("a", 1, 10, -1)]


@pytest.mark.parametrize(("nulls_first", "best"), [(True, None), (False, 1)])
def test_nulls_stand_where_they_are_told(operator, nulls_first, best):
    step = operator("rank", SCHEMA, spec(1, descending=False, nulls_first=nulls_first))
    assert step([row(1, None), row(2, 1)])[0][2] == best


def test_no_partition_is_one(operator):
    step = operator("rank", SCHEMA, spec(1, partition=()))
    assert step([row(1, 10, "a"), row(2, 30, "b")]) == [("b", 2, 30, 1)]


def test_an_update_in_one_batch_is_netted(operator):
    step = operator("rank", SCHEMA, spec(2))
    step([row(1, 10), row(2, 30)])
    assert step([row(2, 30, weight=-1), row(2, 40)]) == [("a", 2, 30, -1), ("a", 2, 40, 1)]


def test_with_a_time_to_live_the_top_lives_as_long_as_the_newest_row(spark, operator, tmp_path):
    """It is written again although nothing in it has changed."""
    step = operator("rank", SCHEMA, spec(1) | {"ttlMillis": 86_400_000})
    assert step([row(1, 10)]) == [("a", 1, 10, 1)]
    first = expiry_of_top(spark, tmp_path)
    assert step([row(2, 5)]) == []
    assert expiry_of_top(spark, tmp_path) > first
    assert step([row(1, 10, weight=-1)]) == [("a", 1, 10, -1), ("a", 2, 5, 1)]


def expiry_of_top(spark, folder):
    """In milliseconds, as the state store has it."""
    reader = spark.read.format("statestore").option("stateVarName", "top")
    (held,) = reader.load(str(folder / "checkpoint0")).collect()
    return held["value"]["ttlExpirationMs"]


def test_in_no_order_those_that_are_there_stay(operator):
    step = operator("rank", SCHEMA, spec(2, partition=()) | {"order": []})
    assert step([row(5, 1)]) == [("a", 5, 1, 1)]
    assert step([row(1, 1), row(2, 1), row(3, 1)]) == [("a", 1, 1, 1)]
    assert step([row(0, 0)]) == []
    assert step([row(5, 1, weight=-1)]) != []
