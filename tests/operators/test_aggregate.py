"""Aggregate: retractable accumulators, one result row per group, nothing left of an empty group."""

from collections import Counter
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.spark

SCHEMA = "g string, x int, d double, m decimal(10,2), flag boolean, __weight bigint"


def call(name, function, argument=None, kind="bigint", **more):
    spec = {"name": name, "function": function, "type": kind, **more}
    return spec | {"arguments": [] if argument is None else [argument]}


def spec(*calls, keys=("g",), retract=True, append_only=False):
    return {
        "keys": list(keys),
        "aggregates": list(calls),
        "retract": retract,
        "appendOnly": append_only,
    }


def row(group, x=None, d=None, m=None, flag=None, weight=1):
    return (group, x, d, None if m is None else Decimal(m), flag, weight)


def test_count_counts_rows_or_values(operator):
    step = operator("aggregate", SCHEMA, spec(call("n", "count"), call("k", "count", "x")))
    assert step([row("a", 1), row("a", None), row("a", 3)]) == [("a", 3, 2, 1)]
    assert step([row("a", None, weight=-1)]) == [("a", 3, 2, -1), ("a", 2, 2, 1)]


def test_weights_above_one_are_copies(operator):
    step = operator("aggregate", SCHEMA, spec(call("n", "count"), call("s", "sum", "x", "int")))
    assert step([row("a", 5, weight=3)]) == [("a", 3, 15, 1)]
    assert step([row("a", 5, weight=-2)]) == [("a", 3, 15, -1), ("a", 1, 5, 1)]


def test_sum_over_no_value_is_null(operator):
    step = operator("aggregate", SCHEMA, spec(call("s", "sum", "x", "int")))
    assert step([row("a", None)]) == [("a", None, 1)]
    assert step([row("a", 4)]) == [("a", None, -1), ("a", 4, 1)]
    assert step([row("a", 4, weight=-1)]) == [("a", 4, -1), ("a", None, 1)]


def test_sum_of_ints_wraps_as_in_flink(operator):
    step = operator("aggregate", SCHEMA, spec(call("s", "sum", "x", "int")))
    assert step([row("a", 2**31 - 1), row("a", 1)]) == [("a", -(2**31), 1)]


def test_average_of_ints_truncates_and_of_decimals_rounds(operator):
    step = operator(
        "aggregate",
        SCHEMA,
        spec(call("i", "avg", "x", "int"), call("m", "avg", "m", "decimal(38,6)")),
    )
    assert step([row("a", 1, m="1.00"), row("a", 2, m="1.00"), row("a", 2, m="0.00")]) == [
        ("a", 1, Decimal("0.666667"), 1)
    ]


def test_decimal_sum_is_exact(operator):
    step = operator("aggregate", SCHEMA, spec(call("s", "sum", "m", "decimal(38,2)")))
    step([row("a", m="0.10") for _ in range(3)])
    assert step([row("a", m="0.10", weight=-1)])[-1] == ("a", Decimal("0.20"), 1)


def test_sums_beyond_their_type_wrap_or_are_null_as_in_flink(operator):
    schema = "g string, b bigint, m decimal(38,0), __weight bigint"
    sums = spec(call("b", "sum", "b"), call("m", "sum", "m", "decimal(38,0)"))
    step = operator("aggregate", schema, sums)
    greatest = ("a", 2**63 - 1, Decimal("9" * 38), 1)
    assert step([greatest]) == [greatest]
    assert step([("a", 1, Decimal(1), 1)]) == [(*greatest[:3], -1), ("a", -(2**63), None, 1)]


def test_double_sum_and_average(operator):
    step = operator(
        "aggregate",
        SCHEMA,
        spec(call("s", "sum", "d", "double"), call("v", "avg", "d", "double")),
    )
    assert step([row("a", d=1.5), row("a", d=2.5)]) == [("a", 4.0, 2.0, 1)]


def test_min_and_max_find_the_next_value_when_the_extreme_goes(operator):
    step = operator(
        "aggregate", SCHEMA, spec(call("lo", "min", "x", "int"), call("hi", "max", "x", "int"))
    )
    step([row("a", 5), row("a", 9), row("a", 1), row("a", 9)])
    assert step([row("a", 9, weight=-1)]) == []
    assert step([row("a", 9, weight=-1), row("a", 1, weight=-1)]) == [
        ("a", 1, 9, -1),
        ("a", 5, 5, 1),
    ]


def test_count_distinct_counts_values_once_and_forgets_the_last(operator):
    step = operator("aggregate", SCHEMA, spec(call("u", "count", "x", distinct=True)))
    assert step([row("a", 1), row("a", 1), row("a", 2), row("a", None)]) == [("a", 2, 1)]
    assert step([row("a", 1, weight=-1)]) == []
    assert step([row("a", 1, weight=-1)]) == [("a", 2, -1), ("a", 1, 1)]


def test_sum_distinct_and_count_distinct_share_their_values(operator):
    step = operator(
        "aggregate",
        SCHEMA,
        spec(
            call("s", "sum", "x", "int", distinct=True),
            call("u", "count", "x", distinct=True),
            call("hi", "max", "x", "int"),
        ),
    )
    assert step([row("a", 4), row("a", 4), row("a", 6)]) == [("a", 10, 2, 6, 1)]
    assert step([row("a", 6, weight=-1)]) == [("a", 10, 2, 6, -1), ("a", 4, 1, 4, 1)]


def test_filter_leaves_rows_out_of_one_call_only(operator):
    step = operator(
        "aggregate", SCHEMA, spec(call("n", "count"), call("f", "count", filter="flag"))
    )
    assert step([row("a", flag=True), row("a", flag=False), row("a", flag=None)]) == [
        ("a", 3, 1, 1)
    ]


def test_a_group_without_rows_is_gone_and_starts_anew(operator):
    step = operator(
        "aggregate", SCHEMA, spec(call("n", "count"), call("u", "count", "x", distinct=True))
    )
    step([row("a", 1), row("b", 2)])
    assert step([row("a", 1, weight=-1)]) == [("a", 1, 1, -1)]
    assert step([row("a", 1)]) == [("a", 1, 1, 1)]


def test_without_retraction_only_the_new_result_is_emitted(operator):
    step = operator("aggregate", SCHEMA, spec(call("n", "count"), retract=False))
    step([row("a")])
    assert step([row("a")]) == [("a", 2, 1)]
    assert step([row("a", weight=-2)]) == [("a", 2, -1)]


def test_an_unchanged_result_is_not_emitted(operator):
    step = operator("aggregate", SCHEMA, spec(call("hi", "max", "x", "int")))
    step([row("a", 9)])
    assert step([row("a", 3)]) == []


def test_no_keys_make_one_group(operator):
    step = operator("aggregate", SCHEMA, spec(call("n", "count"), keys=()))
    assert step([row("a"), row("b")]) == [(2, 1)]
    assert step([row("c")]) == [(2, -1), (3, 1)]
    # As in Flink, a total over nothing is no row, not a zero.
    assert step([row(group, weight=-1) for group in "abc"]) == [(3, -1)]


def test_null_is_a_group(operator):
    step = operator("aggregate", SCHEMA, spec(call("n", "count")))
    assert sorted(step([row(None), row(None), row("a")]), key=str) == [("a", 1, 1), (None, 2, 1)]


def test_no_calls_are_distinct(operator):
    step = operator("aggregate", SCHEMA, spec(keys=("g", "x")))
    assert sorted(step([row("a", 1), row("a", 1), row("a", 2)])) == [("a", 1, 1), ("a", 2, 1)]
    assert step([row("a", 1, weight=-1)]) == []
    assert step([row("a", 1, weight=-1)]) == [("a", 1, -1)]


@pytest.mark.parametrize(
    ("values", "least", "greatest"),
    [(["b", "a", "ä"], "a", "ä"), (["\U0001f600", "￿"], "￿", "\U0001f600")],
)
def test_text_is_ordered_by_code_point(operator, values, least, greatest):
    schema = "g string, t string, __weight bigint"
    calls = spec(call("lo", "min", "t", "string"), call("hi", "max", "t", "string"))
    step = operator("aggregate", schema, calls)
    assert step([("a", value, 1) for value in values]) == [("a", least, greatest, 1)]


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("date", ["2020-01-02", "2020-01-01"]),
        ("timestamp_ntz", ["2020-01-02 00:00:00", "2020-01-01 00:00:00"]),
        ("timestamp", ["2020-01-02 00:00:00", "2020-01-01 00:00:00"]),
        ("decimal(10,2)", ["2.50", "1.25"]),
        ("boolean", ["true", "false"]),
        ("binary", ["b", "a"]),
    ],
)
def test_extremes_of_every_ordered_type(spark, operator, kind, values):
    typed = [spark.sql(f"SELECT CAST('{value}' AS {kind}) AS v").collect()[0].v for value in values]
    schema = f"g string, v {kind}, __weight bigint"
    step = operator("aggregate", schema, spec(call("lo", "min", "v", kind), call("n", "count")))
    assert step([("a", value, 1) for value in typed]) == [("a", typed[1], 2, 1)]
    assert step([("a", typed[1], -1)])[-1] == ("a", typed[0], 1, 1)


@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    batches=st.lists(
        st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 3)), max_size=6),
        min_size=2,
        max_size=4,
    ),
    data=st.data(),
)
def test_results_add_up_to_the_answer_after_every_batch(operator, batches, data):
    """Rows come and go at random; the folded output always equals the aggregates of the rows present."""
    step = operator(
        "aggregate",
        SCHEMA,
        spec(
            call("n", "count"),
            call("s", "sum", "x", "int"),
            call("lo", "min", "x", "int"),
            call("u", "count", "x", distinct=True),
        ),
    )
    present: Counter[tuple[str, int]] = Counter()
    output: Counter[tuple] = Counter()
    for batch in batches:
        added = [row(group, x) for group, x in batch]
        leaving = (
            data.draw(st.lists(st.sampled_from(sorted(present.elements())), unique=True))
            if present
            else []
        )
        removed = [row(group, x, weight=-1) for group, x in leaving]
        present.update(batch)
        present.subtract(leaving)
        present = +present
        if not added and not removed:
            continue
        for result in step(added + removed):
            output[result[:-1]] += result[-1]
        assert {key for key, count in output.items() if count} == _answer(present)
        assert all(count in (0, 1) for count in output.values())


def _answer(present):
    groups = {group for group, _ in present}
    values = {
        g: [x for (group, x), n in present.items() for _ in range(n) if group == g] for g in groups
    }
    return {(g, len(v), sum(v), min(v), len(set(v))) for g, v in values.items()}
