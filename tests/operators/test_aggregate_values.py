"""Aggregates made of single values: first and last, lists, arrays, multisets, JSON; and measures of spread."""

from __future__ import annotations

import math
import statistics
from decimal import Decimal

import pytest

pytestmark = pytest.mark.spark

SCHEMA = "g string, x int, d double, m decimal(10,2), t string, flag boolean, __weight bigint"


def call(name, function, *arguments, kind="bigint", **more):
    return {
        "name": name,
        "function": function,
        "arguments": list(arguments),
        "type": kind,
        **more,
    }


def spec(*calls, append_only=False):
    return {"keys": ["g"], "aggregates": list(calls), "retract": False, "appendOnly": append_only}


def row(x=None, *, d=None, m=None, t=None, flag=None, weight=1, group="a"):
    return (group, x, d, None if m is None else Decimal(m), t, flag, weight)


def texts(*values, weight=1):
    return [row(t=value, weight=weight) for value in values]


ENDS = (
    call("first", "first_value", "t", kind="string"),
    call("last", "last_value", "t", kind="string"),
)


@pytest.mark.parametrize("append_only", [True, False])
def test_first_and_last_follow_the_order_of_arrival(operator, append_only):
    step = operator("aggregate", SCHEMA, spec(*ENDS, append_only=append_only))
    assert step(texts(None)) == [("a", None, None, 1)]
    assert step(texts("q", "b", "z", "m")) == [("a", "q", "m", 1)]
    assert step(texts("a", None)) == [("a", "q", "a", 1)]


def test_first_and_last_come_back_when_their_successor_goes(operator):
    step = operator("aggregate", SCHEMA, spec(*ENDS))
    step(texts("q", "b", "m"))
    assert step(texts("m", "q", weight=-1)) == [("a", "b", "b", 1)]
    assert step(texts("x")) == [("a", "b", "x", 1)]
    assert step(texts("b", "x", weight=-1) + texts(None)) == [("a", None, None, 1)]


def test_of_equal_values_the_oldest_goes(operator):
    calls = (*ENDS, call("all", "listagg", "t", kind="string", separator=","))
    step = operator("aggregate", SCHEMA, spec(*calls))
    step(texts("q", "b", "q", "c"))
    assert step(texts("q", weight=-1)) == [("a", "b", "c", "b,q,c", 1)]
    # An update that gives the same value again is the newest.
    assert step(texts("b", weight=-1) + texts("b")) == [("a", "q", "b", "q,c,b", 1)]


COLLECTIONS = (
    call("list", "listagg", "t", kind="string", separator="; "),
    call("once", "listagg", "t", kind="string", separator=",", distinct=True),
    call("array", "array_agg", "t", kind="array<string>", keepsNulls=True),
    call("set", "array_agg", "t", kind="array<string>", keepsNulls=True, distinct=True),
    call("known", "array_agg", "t", kind="array<string>"),
    call("bag", "collect", "t", kind="map<string,int>"),
    call("unique", "collect", "t", kind="map<string,int>", distinct=True),
    call("json", "json_arrayagg", "t", kind="string"),
    call("nulls", "json_arrayagg", "t", kind="string", keepsNulls=True),
    call("chosen", "listagg", "t", kind="string", separator=",", filter="flag"),
)
NAMES = [item["name"] for item in COLLECTIONS]


def collected(result):
    (values,) = [item for item in result if item[-1] > 0]
    return dict(zip(NAMES, values[1:-1], strict=True))


@pytest.mark.parametrize("append_only", [True, False])
def test_values_are_collected_in_order(operator, append_only):
    step = operator("aggregate", SCHEMA, spec(*COLLECTIONS, append_only=append_only))
    assert collected(step([row()])) == {
        "list": None,
        "once": None,
        "array": [None],
        "set": [None],
        "known": None,
        "bag": {},
        "unique": {},
        "json": "[]",
        "nulls": "[null]",
        "chosen": None,
    }
    batch = [row(t="2", flag=True), row(t="1"), row(), row(t="2"), row(t="3", flag=True)]
    assert collected(step(batch)) == {
        "list": "2; 1; 2; 3",
        "once": "2,1,3",
        "array": [None, "2", "1", None, "2", "3"],
        "set": [None, "2", "1", "3"],
        "known": ["2", "1", "2", "3"],
        "bag": {"1": 1, "2": 2, "3": 1},
        "unique": {"1": 1, "2": 1, "3": 1},
        "json": "[2,1,2,3]",
        "nulls": "[null,2,1,null,2,3]",
        "chosen": "2,3",
    }


def test_collected_values_go(operator):
    step = operator("aggregate", SCHEMA, spec(*COLLECTIONS))
    step(texts("2", "1", None, "2", "3"))
    assert collected(step([row(weight=-1), row(t="2", weight=-1)])) == {
        "list": "1; 2; 3",
        "once": "2,1,3",
        "array": ["1", "2", "3"],
        "set": ["2", "1", "3"],
        "known": ["1", "2", "3"],
        "bag": {"1": 1, "2": 1, "3": 1},
        "unique": {"1": 1, "2": 1, "3": 1},
        "json": "[1,2,3]",
        "nulls": "[1,2,3]",
        "chosen": None,
    }
    left = collected(step(texts("1", "2", weight=-1) + texts("1")))
    assert (left["list"], left["bag"], left["array"]) == ("3; 1", {"3": 1, "1": 1}, ["3", "1"])
    assert step(texts("3", "1", weight=-1))[0][-1] == -1


def test_rows_of_several_tasks_arrive_task_by_task(operator):
    """Two tasks read the batch, and each meets both groups."""
    step = operator(
        "aggregate", SCHEMA, spec(call("l", "listagg", "t", kind="string", separator=""))
    )
    letters = "abcdefghijklmnopqrstuvwxyz"
    batch = [row(t=letter, group="ab"[i % 2]) for i, letter in enumerate(letters)]
    assert sorted(step(batch)) == [("a", letters[::2], 1), ("b", letters[1::2], 1)]


def test_members_of_json_objects_are_pairs(operator):
    schema = "g string, k string, v string, __weight bigint"
    calls = [
        call(name, "json_objectagg", "k", "v", kind="string", keepsNulls=keeps)
        for name, keeps in (("all", True), ("known", False))
    ]
    step = operator("aggregate", schema, spec(*calls))
    members = [("a", '"x"', "1", 1), ("a", '"y"', None, 1)]
    assert step(members) == [("a", '{"x":1,"y":null}', '{"x":1}', 1)]
    changes = [("a", '"x"', "1", -1), ("a", '"x"', "[2]", 1)]
    assert step(changes) == [("a", '{"x":[2],"y":null}', '{"x":[2]}', 1)]


def test_members_of_json_objects_are_sorted_by_name(operator):
    schema = "g string, k string, v string, __weight bigint"
    members = call("j", "json_objectagg", "k", "v", kind="string", keepsNulls=True)
    step = operator("aggregate", schema, spec(members))
    rows = [("a", f'"{name}"', "1", 1) for name in ("z", "a b", "a", "B", "é")]
    assert step(rows) == [("a", '{"B":1,"a":1,"a b":1,"z":1,"é":1}', 1)]


@pytest.mark.parametrize("key", ['"x"', None])
def test_a_key_twice_or_null_is_no_object(operator, key):
    schema = "g string, k string, v string, __weight bigint"
    members = call("j", "json_objectagg", "k", "v", kind="string", keepsNulls=True)
    step = operator("aggregate", schema, spec(members))
    with pytest.raises(Exception, match="INVALID_JSON_KEY"):
        step([("a", '"x"', "1", 1), ("a", key, "2", 1)])


def test_percentiles_lie_between_the_values(operator):
    schema = "g string, x double, n bigint, __weight bigint"
    calls = (
        call("some", "percentile", "x", kind="array<double>", percentages=[0.25, 0.0, 1.0, 0.5]),
        call("median", "percentile", "x", kind="double", percentages=[0.5]),
        call("once", "percentile", "x", kind="double", percentages=[0.5], distinct=True),
        call("counted", "percentile", "x", "n", kind="double", percentages=[0.5]),
    )
    step = operator("aggregate", schema, spec(*calls))
    assert step([("a", None, 1, 1)]) == [("a", None, None, None, None, 1)]
    # A frequency that is NULL or not positive leaves the row out.
    batch = [("a", x, n, 1) for x, n in ((40.0, 1), (10.0, 6), (30.0, None), (20.0, -1))]
    assert step(batch) == [("a", [17.5, 10.0, 40.0, 25.0], 25.0, 25.0, 10.0, 1)]
    more = [("a", 40.0, 1, 1), ("a", 40.0, 9, 1), ("a", 20.0, -1, -1)]
    assert step(more) == [("a", [30.0, 10.0, 40.0, 40.0], 40.0, 30.0, 40.0, 1)]
    assert step([("a", 40.0, 9, -1), ("a", 40.0, 1, -1)]) == [
        ("a", [20.0, 10.0, 40.0, 30.0], 30.0, 30.0, 10.0, 1)
    ]


def test_a_single_value_is_the_only_one_after_a_batch(operator):
    step = operator(
        "aggregate", SCHEMA, spec(call("v", "single_value", "t", kind="string", keepsNulls=True))
    )
    assert step(texts("b")) == [("a", "b", 1)]
    assert step(texts("c") + texts("b", weight=-1)) == [("a", "c", 1)]
    # A NULL is a row too.
    with pytest.raises(Exception, match="SEVERAL_ROWS count=2"):
        step([row()])


def test_several_columns_are_counted_as_one_value(operator):
    """A NULL in any of them leaves the row out; other DISTINCT calls count for themselves."""
    calls = (
        call("pairs", "count", "x", "t", distinct=True),
        call("chosen", "count", "x", "t", distinct=True, filter="flag"),
        call("xs", "count", "x", distinct=True),
        call("ts", "count", "t", distinct=True),
        call("rows", "count", "x", "t"),
    )
    step = operator("aggregate", SCHEMA, spec(*calls))
    batch = [row(1, t="a", flag=True), row(1, t="b"), row(1, t="b"), row(2), row(t="c")]
    assert step(batch) == [("a", 2, 1, 2, 3, 3, 1)]
    assert step([row(1, t="b", weight=-1)]) == [("a", 2, 1, 2, 3, 2, 1)]
    assert step([row(1, t="b", weight=-1)]) == [("a", 1, 1, 2, 2, 1, 1)]


SPREADS = ("var_pop", "var_samp", "stddev_pop", "stddev_samp")


def spreads(argument, kind, **more):
    return spec(*(call(name, name, argument, kind=kind, **more) for name in SPREADS))


def test_spread_of_doubles_does_not_drift(operator):
    """Far from zero, and after a value came and went whose square drowns all digits of theirs in a double."""
    step = operator("aggregate", SCHEMA, spreads("d", "double"))
    values = [1e6 + 1e-3 * i for i in range(10)]
    step([row(d=value) for value in values] + [row(d=1e10)])
    ((_, *found, _),) = step([row(d=1e10, weight=-1)])
    exact = [Decimal(value) for value in values]
    expected = [
        statistics.pvariance(exact),
        statistics.variance(exact),
        statistics.pstdev(exact),
        statistics.stdev(exact),
    ]
    assert found == pytest.approx([float(value) for value in expected], rel=1e-5)
    ((_, *single, _),) = step([row(d=value, weight=-1) for value in values[1:]])
    assert single == [0.0, None, 0.0, None]
    assert step([row(), row(d=values[0], weight=-1)]) == [("a", None, None, None, None, 1)]
    ((_, *nan, _),) = step([row(d=math.inf), row(d=1.0)])
    assert all(map(math.isnan, nan))


def test_spread_keeps_the_type_of_its_argument(operator):
    kinds = (("x", "int"), ("m", "decimal(38,6)"))
    calls = [call(f"{f}_{x}", f, x, kind=kind) for x, kind in kinds for f in SPREADS]
    step = operator("aggregate", SCHEMA, spec(*calls))
    ((_, *found, _),) = step([row(1, m="0.10"), row(4, m="0.20"), row(4, m="0.40")])
    assert found[:4] == [2, 3, 1, 1]
    assert found[4:] == [Decimal(v) for v in ("0.015556", "0.023333", "0.124722", "0.152753")]


def test_spread_of_whole_numbers_divides_whole_numbers(operator):
    """As Flink: the sum's square over the count first, and what outgrows the type wraps around."""
    step = operator("aggregate", SCHEMA, spreads("x", "int"))
    assert step([row(1), row(2)]) == [("a", 0, 1, 0, 1, 1)]
    ((_, *found, weight),) = [
        changed for changed in step([row(2, weight=-1), row(100000), row(7)]) if changed[-1] > 0
    ]
    assert (found, weight) == ([313170100, 469755150, 17696, 21673], 1)


def test_spread_of_distinct_values(operator):
    step = operator("aggregate", SCHEMA, spreads("d", "double", distinct=True))
    ((_, *found, _),) = step([row(d=value) for value in (1.0, 1.0, 1.0, 3.0)])
    assert found == [1.0, 2.0, 1.0, math.sqrt(2)]


KINDS = {
    "date": ("DATE '2020-01-02'", "DATE '2019-01-01'"),
    "decimal(20,3)": ("1.250", "2.500"),
    "array<int>": ("array(1, null)", "array()"),
    "map<string,int>": ("map('a', 1)", "map()"),
    "binary": ("X'01'", "X'00'"),
}


def test_values_of_every_type_are_kept(spark, operator):
    first, second = (
        spark.sql(f"SELECT {', '.join(f'CAST({v[i]} AS {k})' for k, v in KINDS.items())}").first()
        for i in (0, 1)
    )
    columns = ", ".join(f"v{i} {kind}" for i, kind in enumerate(KINDS))
    calls = [
        item
        for i, kind in enumerate(KINDS)
        for item in (
            call(f"f{i}", "first_value", f"v{i}", kind=kind),
            call(f"l{i}", "array_agg", f"v{i}", kind=f"array<{kind}>"),
        )
    ]
    step = operator("aggregate", f"g string, {columns}, __weight bigint", spec(*calls))
    ((_, *found, _),) = step([("a", *first, 1), ("a", *second, 1)])
    assert found[::2] == list(first)
    assert found[1::2] == [list(pair) for pair in zip(first, second, strict=True)]
    ((_, *found, _),) = step([("a", *first, -1)])
    assert (found[::2], found[1::2]) == (list(second), [[value] for value in second])
