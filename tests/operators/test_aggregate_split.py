"""Values under DISTINCT counted in buckets before the groups: the same answers, however large a group is."""

from __future__ import annotations

import random
from collections import Counter

import pytest

pytestmark = pytest.mark.spark

SCHEMA = "g string, x int, t string, flag boolean, __weight bigint"
CALLS = (
    ("n", "count", [], {}),
    ("total", "sum", ["x"], {}),
    ("xs", "count", ["x"], {"distinct": True}),
    ("sum", "sum", ["x"], {"distinct": True}),
    ("avg", "avg", ["x"], {"distinct": True}),
    ("ts", "count", ["t"], {"distinct": True}),
    ("pairs", "count", ["x", "t"], {"distinct": True, "filter": "flag"}),
)


def spec(keys, buckets):
    calls = [
        {"name": name, "function": function, "arguments": arguments, "type": "bigint", **more}
        for name, function, arguments, more in CALLS
    ]
    return {
        "keys": keys,
        "aggregates": calls,
        "retract": True,
        "buckets": buckets,
    }


def answer(rows: Counter, keys) -> set:
    groups: dict = {}
    for (g, x, t, flag), count in rows.items():
        groups.setdefault((g,) if keys else (), []).extend([(x, t, flag)] * count)
    return {(*group, *results(members)) for group, members in groups.items()}


def results(rows):
    xs = [x for x, _, _ in rows if x is not None]
    once = set(xs)
    pairs = {(x, t) for x, t, flag in rows if flag and x is not None and t is not None}
    return (
        len(rows),
        sum(xs) if xs else None,
        len(once),
        sum(once) if once else None,
        int(sum(once) / len(once)) if once else None,
        len({t for _, t, _ in rows if t is not None}),
        len(pairs),
    )


@pytest.mark.parametrize(("keys", "buckets"), [(["g"], 3), ([], 64)])
def test_every_batch_gives_the_answer(operator, keys, buckets):
    step = operator("aggregate", SCHEMA, spec(keys, buckets))
    chance = random.Random(buckets)
    present: Counter = Counter()
    output: Counter = Counter()
    for size in (60, 40, 3):
        added = [
            (
                chance.choice(["a", "a", "b"]),
                chance.choice([None, *range(-9, 30)]),
                chance.choice([None, "p", "q", "r"]),
                chance.choice([None, True, False]),
            )
            for _ in range(size)
        ]
        present.update(added)
        removed = chance.sample(sorted(present.elements(), key=repr), len(present) // 2)
        present.subtract(removed)
        present = +present
        changes = [(*row, 1) for row in added] + [(*row, -1) for row in removed]
        chance.shuffle(changes)
        for result in step(changes):
            output[result[:-1]] += result[-1]
        assert {key for key, count in output.items() if count} == answer(present, keys)
        assert set(output.values()) <= {0, 1}
    gone = [(*row, -1) for row in present.elements()]
    for result in step(gone):
        output[result[:-1]] += result[-1]
    assert not +output
    assert [result[-1] for result in step([("a", 1, "p", True, 1)])] == [1]


def test_the_key_of_a_bucket_is_hashed_to_its_number(spark):
    """Spark sends a key to the partition that is its hash modulo their number."""
    hashed_to = spark._jvm.headrace.operators.Buckets.hashedTo
    keys = [(bucket, hashed_to(bucket)) for bucket in (0, 1, 2, 63, 1023)]
    frame = spark.createDataFrame(keys, "bucket int, k int")
    assert [row[0] for row in frame.selectExpr("hash(k)").collect()] == [b for b, _ in keys]
