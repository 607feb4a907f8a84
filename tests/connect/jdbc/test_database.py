from __future__ import annotations

import pytest

from headrace.connect.jdbc.database import load_drivers, open_database

pytestmark = [pytest.mark.spark, pytest.mark.services]


def test_answers_are_lists_of_rows(postgres_database):
    database, _ = postgres_database
    sql = "SELECT CAST(? AS text), 1, 2.5, true, NULL, 1.5::float8, date '2020-01-01' WHERE 1 = ?"
    assert database.rows(sql, "a", 1) == [["a", 1, 2.5, True, None, 1.5, "2020-01-01"]]
    assert database.rows(sql, "a", 2) == []
    assert database.catalog == "jdbc_types"
    assert database.quotes == '"'


def test_metadata_by_the_driver(postgres_database):
    database, python = postgres_database
    python.execute("CREATE SCHEMA by_driver")
    python.execute("CREATE TABLE by_driver.a_b (id int PRIMARY KEY)")
    python.execute("CREATE TABLE by_driver.axb (other int)")
    found = database.tables(None, "by_driver", ["TABLE"])
    assert [name for _, _, name in found] == ["a_b", "axb"]
    answer = database.columns(None, "by_driver", "a_b")
    assert [column["name"] for column in answer["columns"]] == ["id"]
    assert answer["key"] == [[1, "id"]]


def test_a_query_is_described_and_not_run(postgres_database):
    database, _ = postgres_database
    (column,) = database.described("SELECT 1/0 AS never")
    assert (column["name"], column["type"]) == ("never", "int4")


def test_a_moment_keeps_its_microseconds(postgres_database):
    database, _ = postgres_database
    sql = "SELECT timestamp '1969-12-31 23:59:59.123456'"
    assert database.instant(sql, "UTC") == -876544
    assert database.instant(sql, "Asia/Tokyo") == -876544 - 9 * 3_600_000_000


def test_an_unknown_database_is_told_without_the_rest_of_its_address(spark):
    load_drivers(spark)
    with pytest.raises(Exception, match="No suitable driver found for jdbc:nothing") as failure:
        open_database(spark, "jdbc:nothing://host/db?password=secret", {})
    assert "secret" not in str(failure.value.java_exception)
