from __future__ import annotations

import pytest

from headrace.errors import TypeMismatch, UnsupportedSql
from headrace.types import BIGINT, BOOLEAN, INT, STRING, array, map_of

COLUMNS = {
    "a": array(INT),
    "w": array(BIGINT.not_null()),
    "t": array(STRING),
    "m": map_of(STRING, INT),
    "i": INT,
    "s": STRING,
    "f": BOOLEAN,
}


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("ROW(i, 'a')", "ROW<`EXPR$0` INT, `EXPR$1` CHAR(1) NOT NULL> NOT NULL"),
        ("ARRAY[1, 2]", "ARRAY<INT NOT NULL> NOT NULL"),
        ("ARRAY[1, i]", "ARRAY<INT> NOT NULL"),
        ("MAP['a', 1, 'bb', i]", "MAP<VARCHAR(2) NOT NULL, INT> NOT NULL"),
        ("a[1]", "INT"),
        ("w[1]", "BIGINT"),
        ("m['k']", "INT"),
        ("CARDINALITY(m)", "INT"),
        ("ELEMENT(w)", "BIGINT"),
        ("ARRAY_APPEND(w, NULL)", "ARRAY<BIGINT>"),
        ("ARRAY_CONTAINS(ARRAY[1], i)", "BOOLEAN NOT NULL"),
        ("ARRAY_POSITION(a, 1)", "INT"),
        ("ARRAY_UNION(a, w)", "ARRAY<BIGINT>"),
        ("ARRAY_MAX(w)", "BIGINT"),
        ("ARRAY_JOIN(t, ',')", "STRING"),
        ("MAP_KEYS(m)", "ARRAY<STRING>"),
        ("MAP_VALUES(m)", "ARRAY<INT>"),
        ("MAP_ENTRIES(m)", "ARRAY<ROW<`key` STRING, `value` INT> NOT NULL>"),
        ("MAP_FROM_ARRAYS(t, a)", "MAP<STRING, INT>"),
    ],
)
def test_types(type_of, sql, kind):
    assert type_of(sql, **COLUMNS) == kind


@pytest.mark.parametrize(
    ("sql", "text"),
    [
        ("ROW(i, s)", "named_struct('EXPR$0', `i`, 'EXPR$1', `s`)"),
        ("ARRAY[i, 1]", "array(`i`, 1)"),
        ("MAP['a', i]", "map('a', `i`)"),
        ("MAP[s, i, 'b', 2]", "flink_map(array(`s`, 'b'), array(`i`, 2))"),
        ("a[i]", "get(`a`, `i` - 1)"),
        ("m[s]", "try_element_at(`m`, `s`)"),
        ("ARRAY_APPEND(w, 1)", "array_append(`w`, 1L)"),
        ("ARRAY_CONTAINS(a, i)", "exists(`a`, __e -> __e <=> `i`)"),
        (
            "ARRAY_SLICE(ARRAY[1], 1, 1)",
            "slice(array(1), greatest(if(1 < 0, size(array(1)) + 1 + 1, 1), 1), "
            "greatest(least(greatest(if(1 < 0, size(array(1)) + 1 + 1, 1), 1), size(array(1))) - "
            "greatest(if(1 < 0, size(array(1)) + 1 + 1, 1), 1) + 1, 0))",
        ),
        ("ARRAY_SORT(a)", "sort_array(`a`, TRUE)"),
        ("ARRAY_SORT(a, FALSE)", "sort_array(`a`, FALSE)"),
        ("ARRAY_JOIN(t, ',')", "array_join(`t`, ',')"),
    ],
)
def test_text(text_of, sql, text):
    assert text_of(sql, **COLUMNS) == text


@pytest.mark.parametrize(
    "sql",
    [
        "ARRAY[1, 'a']",
        "MAP['a', 1, 2, 3]",
        "s[1]",
        "m[1]",
        "a['x']",
        "ARRAY_APPEND(a, 'x')",
        "ARRAY_UNION(a, t)",
        "ARRAY_JOIN(a, ',')",
        "CARDINALITY(s)",
        "a[0]",
        "a[-1]",
        "ARRAY_CONTAINS(a, 1.5)",
        "ARRAY_APPEND(a, CAST(1 AS BIGINT))",
    ],
)
def test_types_that_do_not_meet(bound, sql):
    with pytest.raises(TypeMismatch):
        bound(sql, **COLUMNS)


def test_the_order_of_a_sort_is_a_literal(bound):
    with pytest.raises(UnsupportedSql):
        bound("ARRAY_SORT(a, f)", **COLUMNS)


@pytest.mark.spark
def test_columns_named_like_lambda_variables_are_seen(bound, spark):
    from headrace.plan.calls import cast
    from headrace.spark.expressions import spark_sql

    kinds = {"e": INT, "k": map_of(STRING, INT), "v": array(INT)}
    sql = ["ARRAY_CONTAINS(v, e)", "ARRAY_REMOVE(v, e)", "MAP_UNION(k, k)", "CAST(v AS STRING)"]
    texts = [spark_sql(cast(bound(item, **kinds), STRING)) for item in sql]
    frame = spark.sql("SELECT 3 AS e, map('a', 1) AS k, array(1, 2) AS v").selectExpr(*texts)
    assert list(frame.collect()[0]) == ["FALSE", "[1, 2]", "{a=1}", "[1, 2]"]


@pytest.mark.parametrize(
    "call",
    [
        "ARRAY_DISTINCT(ARRAY[m])",
        "ARRAY_UNION(ARRAY[m], ARRAY[m])",
        "ARRAY_EXCEPT(ARRAY[m], ARRAY[m])",
        "ARRAY_INTERSECT(ARRAY[ROW(m)], ARRAY[ROW(m)])",
    ],
)
def test_maps_are_not_told_apart(bound, call):
    with pytest.raises(UnsupportedSql) as caught:
        bound(call, **COLUMNS)
    assert caught.value.summary == f"{call.partition('(')[0]} of maps is not supported"
