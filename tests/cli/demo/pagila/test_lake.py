import pytest

from headrace.cli.demo.pagila.lake import lake_rows


@pytest.mark.spark
def test_rows_of_all_folders_come_with_times_in_milliseconds(spark, tmp_path):
    for folder, key, time in (("a/b", 100, 1000), ("c", 101, 2005)):
        spark.sql(
            f"SELECT {key} AS address_id, CAST(NULL AS STRING) AS address2, 'x, y' AS country, "
            f"TIMESTAMP_MILLIS({time}) AS last_update"
        ).write.parquet(str(tmp_path / folder))
    rows = sorted(lake_rows(spark, tmp_path), key=lambda row: row["address_id"])
    assert rows == [
        {"address_id": 100, "address2": None, "country": "x, y", "last_update": 1000},
        {"address_id": 101, "address2": None, "country": "x, y", "last_update": 2005},
    ]
