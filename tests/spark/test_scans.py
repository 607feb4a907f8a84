"""Which scans become one source, and that its rows reach every branch whole and in order."""

from dataclasses import replace

import pytest

from headrace.catalog.table import Column, Identifier, Table
from headrace.changelog import WEIGHT
from headrace.plan.nodes import Field, Scan
from headrace.spark.scans import ScanFrames
from headrace.types import BIGINT, STRING

pytestmark = pytest.mark.spark

COLUMNS = {"id": BIGINT, "name": STRING, "size": BIGINT}


class Numbers:
    """Ten rows in two tasks; counts how often it is asked for them."""

    name = "numbers"

    def __init__(self):
        self.asked = []

    def read(self, session, table, columns):
        self.asked.append(list(columns))
        made = {"id": "id", "name": "concat('n', id) AS name", "size": "CAST(1 AS BIGINT) AS size"}
        rows = session.range(0, 10, 1, 2)
        return rows.selectExpr(
            *(made[name] for name in columns), "id AS __offset", f"CAST(1 AS BIGINT) AS {WEIGHT}"
        )


@pytest.fixture
def table():
    return Table(
        identifier=Identifier("c", "d", "numbers"),
        columns=tuple(Column(name=name, type=type) for name, type in COLUMNS.items()),
        options={"connector": "numbers"},
        connector=Numbers(),
        primary_key=(),
    )


def scan(table, *names):
    return Scan(table, tuple(Field(name, COLUMNS[name]) for name in names))


def test_a_single_scan_is_read_as_it_is(spark, table):
    only = scan(table, "name")
    frame = ScanFrames(spark, [only]).frame(only)
    assert frame.columns == ["name", "__offset", WEIGHT]
    assert table.connector.asked == [["name"]]
    assert "Exchange" not in frame._jdf.queryExecution().executedPlan().toString()


def test_scans_of_one_table_share_what_is_read(spark, table):
    first, second = scan(table, "id"), scan(table, "size", "name")
    frames = ScanFrames(spark, [first, second])
    one, other = frames.frame(first), frames.frame(second)
    assert table.connector.asked == [["id", "size", "name"]]
    assert one.columns == ["id", "__offset", WEIGHT]
    assert other.columns == ["size", "name", "__offset", WEIGHT]
    assert sorted(tuple(row) for row in one.collect()) == [(n, n, 1) for n in range(10)]
    assert {tuple(row) for row in other.collect()} == {(1, f"n{n}", n, 1) for n in range(10)}
    tasks = one.rdd.mapPartitions(lambda rows: [[row[0] for row in rows]]).collect()
    assert sorted(tasks) == [[*range(5)], [*range(5, 10)]]


def test_a_hint_makes_another_source(spark, table):
    hinted = replace(table, options={**table.options, "mode": "other"})
    first, second = scan(table, "id"), scan(hinted, "id")
    frames = ScanFrames(spark, [first, second])
    frames.frame(first)
    frames.frame(second)
    assert table.connector.asked == [["id"], ["id"]]
