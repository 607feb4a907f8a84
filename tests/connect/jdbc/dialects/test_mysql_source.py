"""The JDBC source on MariaDB: every mode, and types on their way to a topic."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.spark, pytest.mark.services]

TABLE = """CREATE TABLE item (id bigint unsigned AUTO_INCREMENT PRIMARY KEY, name varchar(20), price decimal(6,2),
  big tinyint(1), kind enum('a','b'), day date, changed datetime(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6))"""


@pytest.fixture
def shop(maria_bench):
    maria_bench.execute(TABLE)
    maria_bench.execute(
        "INSERT INTO item (name, price, big, kind, day, changed) VALUES"
        " ('pen', 1.25, 1, 'b', '2020-02-29', '2020-01-01 00:00:01.5'), ('ink', 2, 0, NULL, NULL, '2020-01-01 00:00:02')"
    )
    return maria_bench


def insert(shop, name, changed="CURRENT_TIMESTAMP(6)"):
    shop.execute(f"INSERT INTO item (name, changed) VALUES ('{name}', {changed})")


def names(shop, *wanted):
    rows = shop.until("item", lambda rows: len(rows) >= len(wanted))
    assert [row["name"] for row in rows] == list(wanted)


def test_incrementing_finds_its_column_and_types_arrive(shop):
    with shop.running(shop.config(mode="incrementing", numeric_mapping="best_fit")):
        first, second = shop.until("item", lambda rows: len(rows) >= 2)
        insert(shop, "cap")
        names(shop, "pen", "ink", "cap")
    assert first == {
        "id": 1,
        "name": "pen",
        "price": 1.25,
        "big": 1,
        "kind": "b",
        "day": 18321,
        "changed": 1577836801500,
    }
    assert (second["kind"], second["day"]) == (None, None)
    partition = {"protocol": "1", "table": f"{shop.schema}.item"}
    assert shop.offset(partition) == {"incrementing": 3}


def test_timestamp_and_both_follow_updates_from_where_they_were(shop):
    both = {"timestamp_column_name": "changed", "incrementing_column_name": "id"}
    config = shop.config(mode="timestamp+incrementing", **both)
    with shop.running(config):
        names(shop, "pen", "ink")
        shop.execute("UPDATE item SET name = 'nib', changed = CURRENT_TIMESTAMP(6) WHERE id = 1")
        names(shop, "pen", "ink", "nib")
    insert(shop, "cap")
    with shop.running(config):
        names(shop, "pen", "ink", "nib", "cap")


def test_timestamp_alone(shop):
    with shop.running(shop.config(mode="timestamp", timestamp_column_name="changed")):
        names(shop, "pen", "ink")
        insert(shop, "late", "'2019-01-01'")
        insert(shop, "cap")
        # Without PostgreSQL's snapshots a row that is older than the last one is Connect's loss, and ours.
        names(shop, "pen", "ink", "cap")


def test_bulk_and_a_query(shop):
    with shop.running(shop.config(mode="bulk", poll_interval_ms="500")):
        rows = shop.until("item", lambda rows: len(rows) >= 4)
    assert [row["name"] for row in rows[:4]] == ["pen", "ink"] * 2
    query = "SELECT i.id, i.name, COUNT(*) OVER () AS c FROM item i WHERE i.id < 10"
    config = shop.config(mode="incrementing", incrementing_column_name="id", query=query)
    with shop.running(config | {"topic.prefix": f"{shop.prefix}query"}):
        rows = shop.until("query", lambda rows: len(rows) >= 2)
    assert rows == [{"id": 1, "name": "pen", "c": 2}, {"id": 2, "name": "ink", "c": 2}]
