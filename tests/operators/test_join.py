"""Join: the difference between the join before and after a batch, netted."""

import json
from collections import Counter

import pytest
from pyspark.sql import DataFrame

from headrace.testing.spark import ScriptedQuery, ScriptedStream

pytestmark = pytest.mark.spark

LEFT = "id bigint, c string, __weight bigint"
RIGHT = "rc string, name string, __weight bigint"


@pytest.fixture
def join(spark, tmp_path):
    """`join(kind)` starts a join of (id, c) and (rc, name) on c = rc; the result takes both sides' rows of a batch."""
    running = []

    def start(kind, condition=None, right=RIGHT, **more):
        left, right = ScriptedStream(spark, LEFT), ScriptedStream(spark, right)
        spec = {"kind": kind, "leftKeys": ["c"], "rightKeys": ["rc"], "condition": condition} | more
        operators = spark._jvm.headrace.operators.Operators
        result = operators.join(left.frame._jdf, right.frame._jdf, json.dumps(spec))
        query = ScriptedQuery(DataFrame(result, spark), tmp_path / f"checkpoint{len(running)}")
        running.append(query)

        def step(lefts=(), rights=()):
            if lefts:
                left.add([(*row, 1) if len(row) == 2 else row for row in lefts])
            if rights:
                right.add([(*row, 1) if len(row) == 2 else row for row in rights])
            changes = Counter()
            for row in query.step():
                changes[row[:-1]] += row[-1]
            return {row: weight for row, weight in changes.items() if weight}

        return step

    yield start
    for query in running:
        query.stop()


def test_inner_pairs_appear_and_go_with_either_side(join):
    step = join("inner")
    assert step([(1, "a"), (2, "b")]) == {}
    assert step(rights=[("a", "Ann")]) == {(1, "a", "a", "Ann"): 1}
    assert step([(3, "a")]) == {(3, "a", "a", "Ann"): 1}
    assert step(rights=[("a", "Ann", -1), ("a", "Anna", 1)]) == {
        (1, "a", "a", "Ann"): -1,
        (3, "a", "a", "Ann"): -1,
        (1, "a", "a", "Anna"): 1,
        (3, "a", "a", "Anna"): 1,
    }
    assert step([(1, "a", -1)]) == {(1, "a", "a", "Anna"): -1}


def test_both_sides_changing_in_one_batch_show_no_state_in_between(join):
    step = join("left")
    step([(1, "a")], [("a", "old")])
    assert step([(1, "a", -1), (2, "a", 1)], [("a", "old", -1), ("a", "new", 1)]) == {
        (1, "a", "a", "old"): -1,
        (2, "a", "a", "new"): 1,
    }


def test_copies_multiply(join):
    step = join("inner")
    assert step([(1, "a", 2)], [("a", "x", 3)]) == {(1, "a", "a", "x"): 6}
    assert step([(1, "a", -1)]) == {(1, "a", "a", "x"): -3}


def test_left_pads_until_a_match_comes_and_again_when_it_goes(join):
    step = join("left")
    assert step([(1, "a")]) == {(1, "a", None, None): 1}
    assert step(rights=[("a", "x")]) == {(1, "a", None, None): -1, (1, "a", "a", "x"): 1}
    assert step(rights=[("a", "y")]) == {(1, "a", "a", "y"): 1}
    assert step(rights=[("a", "x", -1), ("a", "y", -1)]) == {
        (1, "a", "a", "x"): -1,
        (1, "a", "a", "y"): -1,
        (1, "a", None, None): 1,
    }
    assert step([(1, "a", -1)]) == {(1, "a", None, None): -1}


def test_right_and_full_pad_their_sides(join):
    right = join("right")
    assert right([(1, "a")], [("b", "x")]) == {(None, None, "b", "x"): 1}
    full = join("full")
    assert full([(1, "a")], [("b", "x")]) == {(1, "a", None, None): 1, (None, None, "b", "x"): 1}
    assert full([(2, "b")]) == {(None, None, "b", "x"): -1, (2, "b", "b", "x"): 1}


def test_semi_and_anti_tell_who_has_a_match(join):
    semi, anti = join("semi"), join("anti")
    assert semi([(1, "a")], [("b", "x")]) == {}
    assert anti([(1, "a")], [("b", "x")]) == {(1, "a"): 1}
    assert semi(rights=[("a", "x"), ("a", "y")]) == {(1, "a"): 1}
    assert anti(rights=[("a", "x"), ("a", "y")]) == {(1, "a"): -1}
    assert semi(rights=[("a", "x", -1)]) == {}
    assert anti(rights=[("a", "x", -1), ("a", "y", -1)]) == {(1, "a"): 1}


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("inner", {}),
        ("left", {(1, None, None, None): 1}),
        ("full", {(1, None, None, None): 1, (None, None, None, "x"): 1}),
        ("semi", {}),
        ("anti", {(1, None): 1}),
    ],
)
def test_null_keys_match_nothing(join, kind, expected):
    assert join(kind)([(1, None)], [(None, "x")]) == expected


def test_a_condition_decides_about_each_pair(join):
    step = join("left", "name <> 'hidden' AND id < 10")
    assert step([(1, "a"), (20, "a")], [("a", "x"), ("a", "hidden")]) == {
        (1, "a", "a", "x"): 1,
        (20, "a", None, None): 1,
    }
    assert step(rights=[("a", "x", -1)]) == {(1, "a", "a", "x"): -1, (1, "a", None, None): 1}


def test_a_condition_may_use_functions_that_spark_rewrites(join):
    step = join("anti", "nvl(name, 'none') = 'none'")
    assert step([(1, "a")], [("a", "x")]) == {(1, "a"): 1}
    assert step(rights=[("a", None)]) == {(1, "a"): -1}


@pytest.mark.parametrize(
    "condition", ["id BETWEEN 1 AND 2", "id + 1 BETWEEN 2 AND 3", "nullif(id + 5, 8) IS NOT NULL"]
)
def test_a_condition_may_use_a_part_of_itself_twice(join, condition):
    step = join("left", condition)
    assert step([(1, "a"), (3, "a")], [("a", "x")]) == {
        (1, "a", "a", "x"): 1,
        (3, "a", None, None): 1,
    }


def test_a_mark_says_whether_there_is_a_match(join):
    step = join("mark", mark="found")
    assert step([(1, "a"), (2, None)]) == {(1, "a", False): 1, (2, None, False): 1}
    assert step([(3, "a")], [("a", "Ann"), ("a", "Anna")]) == {
        (1, "a", False): -1,
        (1, "a", True): 1,
        (3, "a", True): 1,
    }
    assert step(rights=[("a", "Ann", -1)]) == {}
    assert step([(1, "a", -1)], [("a", "Anna", -1)]) == {
        (1, "a", True): -1,
        (3, "a", True): -1,
        (3, "a", False): 1,
    }


def test_a_mark_with_a_condition_and_no_key(join):
    step = join("mark", "id > length(name)", mark="found", leftKeys=[], rightKeys=[])
    assert step([(1, "a"), (4, "b")], [("x", "Ann")]) == {(1, "a", False): 1, (4, "b", True): 1}
    assert step(rights=[("y", "")]) == {(1, "a", False): -1, (1, "a", True): 1}


def test_each_side_lives_for_its_own_time(join):
    """A millisecond is over when the next batch begins."""
    step = join("inner", leftTtlMillis=1, rightTtlMillis=86_400_000)
    assert step([(1, "a")]) == {}
    assert step(rights=[("a", "Ann")]) == {}
    assert step([(2, "a")]) == {(2, "a", "a", "Ann"): 1}
    # What is no longer known can go no further than its pairs.
    assert step([(2, "a", -1)]) == {(2, "a", "a", "Ann"): -1}
    assert step(rights=[("a", "Ann", -1)]) == {}


@pytest.mark.parametrize("kind", ["inner", "full"])
def test_nulls_match_where_it_is_said(join, kind):
    step = join(kind, nullSafe=["c"])
    alone = {(2, "b", None, None): 1} if kind == "full" else {}
    assert step([(1, None), (2, "b")], [(None, "Ann")]) == {(1, None, None, "Ann"): 1} | alone
    assert step(rights=[(None, "Ann", -1), (None, "Bob")]) == {
        (1, None, None, "Ann"): -1,
        (1, None, None, "Bob"): 1,
    }


def test_a_null_matches_in_its_own_key_only(join):
    keys = {"leftKeys": ["c", "id"], "rightKeys": ["rc", "n"], "nullSafe": ["c"]}
    step = join("anti", right="rc string, n bigint, __weight bigint", **keys)
    assert step([(1, None), (None, None)], [(None, 1), (None, None)]) == {(None, None): 1}
