"""Answers recomputed by DuckDB from the very records that go into the topics."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from benchmarks.queries import QUERIES, query_named
from benchmarks.workloads import Dataset, Workload, workload

SCALE = 0.002

# The last record of every key, tombstones dropped: what an upsert topic means.
FOLDED = """
    SELECT value FROM (
        SELECT arg_max(coalesce(value, ''), position) AS value FROM {topic} GROUP BY key
    ) WHERE value <> ''
"""

ANSWERS = {
    "q1": """
        SELECT value->>'user_region', count(*), count(DISTINCT CAST(value->>'user_id' AS BIGINT))
        FROM pageviews GROUP BY 1
    """,
    "q2": f"""
        SELECT value->>'order_id', CAST(value->>'customer_id' AS BIGINT),
               CAST(value->>'amount' AS BIGINT), value->>'status'
        FROM ({FOLDED.format(topic="q2_orders")}) WHERE CAST(value->>'amount' AS BIGINT) > 50
    """,
    "q3": f"""
        SELECT value->>'customer_id', count(*), CAST(sum(CAST(value->>'amount' AS BIGINT)) AS BIGINT)
        FROM ({FOLDED.format(topic="q3_orders")}) GROUP BY 1
    """,
    "copy": f"""
        SELECT value->>'order_id', CAST(value->>'customer_id' AS BIGINT),
               CAST(value->>'amount' AS BIGINT), value->>'status'
        FROM ({FOLDED.format(topic="copy_orders")})
    """,
    "copy-once": f"""
        SELECT value->>'order_id', CAST(value->>'customer_id' AS BIGINT),
               CAST(value->>'amount' AS BIGINT), value->>'status'
        FROM ({FOLDED.format(topic="once_orders")})
    """,
    "q4": f"""
        SELECT o.value->>'order_id', CAST(o.value->>'customer_id' AS BIGINT),
               CAST(o.value->>'amount' AS BIGINT), o.value->>'status',
               c.value->>'name', c.value->>'region'
        FROM ({FOLDED.format(topic="q4_orders")}) AS o
        JOIN ({FOLDED.format(topic="q4_customers")}) AS c
          ON o.value->>'customer_id' = c.value->>'customer_id'
    """,
}


@pytest.fixture
def database() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def store(database: duckdb.DuckDBPyConnection, dataset: Dataset, tmp_path: Any) -> None:
    """Through a file: DuckDB inserts row by row slowly."""
    file = tmp_path / f"{dataset.topic}.json"
    with file.open("w") as lines:
        for position, (key, value) in enumerate(dataset.records()):
            lines.write(json.dumps({"position": position, "key": key, "value": value}) + "\n")
    columns = "{position: 'BIGINT', key: 'VARCHAR', value: 'VARCHAR'}"
    database.execute(
        f"CREATE TABLE {dataset.topic} AS FROM read_json('{file}', columns = {columns})"
    )


@pytest.mark.parametrize("name", list(QUERIES))
def test_answers_are_what_a_database_computes(
    name: str, database: duckdb.DuckDBPyConnection, tmp_path: Any
):
    made = workload(name, SCALE)
    for dataset in made.datasets:
        store(database, dataset, tmp_path)
    found = {str(key): list(columns) for key, *columns in database.sql(ANSWERS[name]).fetchall()}
    assert found == made.answer
    assert len(found) >= 30


@pytest.mark.parametrize("name", list(QUERIES))
def test_datasets_are_the_inputs_of_the_query_and_as_long_as_they_say(name: str):
    made = workload(name, SCALE)
    assert tuple(dataset.topic for dataset in made.datasets) == query_named(name).inputs
    for dataset in made.datasets:
        assert sum(1 for _ in dataset.records()) == dataset.count
    assert made.rows == sum(dataset.count for dataset in made.datasets)


@pytest.mark.parametrize("name", list(QUERIES))
def test_records_and_answers_are_the_same_every_time(name: str):
    one, other = workload(name, SCALE), workload(name, SCALE)
    assert one.answer == other.answer
    for left, right in zip(one.datasets, other.datasets, strict=True):
        assert list(left.records()) == list(right.records())
        assert list(left.records()) == list(left.records())


def values_of(made: Workload) -> list[dict[str, Any]]:
    (dataset,) = made.datasets
    return [json.loads(value) for _, value in dataset.records() if value is not None]


@pytest.mark.parametrize(("name", "share"), [("q2", 0.05), ("q3", 0.05)])
def test_orders_are_keyed_and_some_are_deleted(name: str, share: float):
    (dataset,) = workload(name, SCALE).datasets
    records = list(dataset.records())
    deleted = sum(value is None for _, value in records)
    assert share * 0.8 < deleted / len(records) < share * 1.2
    for key, value in records:
        assert value is None or json.loads(value)["order_id"] == json.loads(key or "")["order_id"]


def test_few_changes_move_an_order_to_another_customer():
    customer_of: dict[int, int] = {}
    moved = updates = 0
    for order in values_of(workload("q3", 0.01)):
        before = customer_of.get(order["order_id"])
        updates += before is not None
        moved += before is not None and before != order["customer_id"]
        customer_of[order["order_id"]] = order["customer_id"]
    assert 0.035 < moved / updates < 0.065


def test_records_of_many_blocks_are_whole(monkeypatch: pytest.MonkeyPatch):
    whole = list(workload("q3", SCALE).datasets[0].records())
    monkeypatch.setattr("benchmarks.workloads._BLOCK", 7)
    assert list(workload("q3", SCALE).datasets[0].records()) == whole


def test_every_region_that_was_viewed_is_in_the_answer_and_no_other():
    made = workload("q1", 0.00001)
    viewed = {view["user_region"] for view in values_of(made)}
    assert len(viewed) < 50
    assert set(made.answer) == viewed


def test_groups_grow_heavier_with_the_scale():
    """Customers stay, orders grow: the steady rate must not measure ever more groups."""
    small, large = workload("q3", 0.1).answer, workload("q3", 0.3).answer
    orders = [sum(int(row[0]) for row in answer.values()) for answer in (small, large)]
    assert orders[1] > 2.5 * orders[0]
    assert len(large) < 2 * len(small)
