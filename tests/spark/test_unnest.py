"""The texts, and what Spark makes of them."""

import pytest

from headrace.plan.nodes import Field, Unnest, Values
from headrace.spark.unnest import ITEM, ITEM_NUMBER, item_columns, items_of
from headrace.types import INT, STRING, DataType, array, map_of, multiset, row


def unnest(kind: DataType, *names: str, ordinality: bool = False) -> Unnest:
    source = Values((), (Field("c", kind),))
    columns = tuple(Field(name, STRING) for name in names)
    return Unnest(source, source.schema[0].ref(), columns, ordinality=ordinality)


CASES = [
    (unnest(array(STRING), "x"), "array('a', 'b', 'a')", [("a",), ("b",), ("a",)]),
    (unnest(array(STRING), "x", "i", ordinality=True), "array('a', 'b')", [("a", 1), ("b", 2)]),
    (
        unnest(array(row(a=INT, b=STRING)), "x", "y"),
        "array(named_struct('a', 1, 'b', 'u'), named_struct('a', 2, 'b', 'v'))",
        [(1, "u"), (2, "v")],
    ),
    (unnest(map_of(STRING, INT), "k", "v"), "map('a', 1, 'b', 2)", [("a", 1), ("b", 2)]),
    (unnest(multiset(STRING), "x"), "map('a', 2, 'b', 1)", [("a",), ("a",), ("b",)]),
    (
        unnest(multiset(STRING), "x", "i", ordinality=True),
        "map('a', 2, 'b', 1)",
        [("a", 1), ("a", 2), ("b", 3)],
    ),
]


def test_an_array_is_its_items():
    assert items_of(unnest(array(STRING), "x").collection) == "`c`"
    assert items_of(unnest(map_of(STRING, INT), "k", "v").collection) == "map_entries(`c`)"


def test_names_are_quoted():
    assert item_columns(unnest(array(STRING), "EXPR$0")) == [f"{ITEM} AS `EXPR$0`"]
    assert item_columns(unnest(array(row(**{"a b": INT})), "x y")) == [f"{ITEM}.`a b` AS `x y`"]


def test_the_number_comes_last_and_from_one():
    columns = item_columns(unnest(array(STRING), "x", "i", ordinality=True))
    assert columns[-1] == f"CAST({ITEM_NUMBER} + 1 AS INT) AS `i`"


@pytest.mark.spark
@pytest.mark.parametrize(("node", "collection", "rows"), CASES)
def test_spark_gives_the_items(spark, node, collection, rows):
    frame = spark.sql(f"SELECT {collection} AS c FROM range(1)")
    items = f"posexplode({items_of(node.collection)}) AS ({ITEM_NUMBER}, {ITEM})"
    found = frame.selectExpr(items).selectExpr(*item_columns(node)).collect()
    assert [tuple(item) for item in found] == rows
