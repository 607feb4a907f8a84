import pytest

from headrace.cli.demo.pagila.example_files import sql
from headrace.cli.demo.pagila.lake import open_lake

VERSIONS = """
SELECT * FROM VALUES
  (100, '1 Elm', TIMESTAMP_MILLIS(1000)), (100, '2 Elm', TIMESTAMP_MILLIS(2005)),
  (101, NULL, TIMESTAMP_MILLIS(1000)), (9, 'far', TIMESTAMP_MILLIS(1000))
AS t(address_id, address, last_update)
"""
OTHERS = "'' AS address2, 'c' AS city, 's' AS state_province, '1' AS postal_code, 'x' AS country"


@pytest.mark.spark
def test_versions_and_the_last_of_each(spark, tmp_path):
    spark.sql(f"SELECT *, {OTHERS} FROM ({VERSIONS})").write.parquet(str(tmp_path / "a" / "b"))
    table = open_lake(tmp_path)
    history = [(row["address_id"], row["address"]) for row in table.query(sql("history"))]
    assert history == [(100, "1 Elm"), (100, "2 Elm"), (101, None)]
    latest = table.query(sql("latest"))
    assert [row["address"] for row in latest] == ["2 Elm", None]
    assert latest[0]["last_update"] == "1970-01-01 00:00:02.005"
    assert list(latest[0])[-1] == "last_update"
    times = {(row["address_id"], row["last_update"]) for row in table.rows()}
    assert times == {(100, 1000), (100, 2005), (101, 1000), (9, 1000)}
