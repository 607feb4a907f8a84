"""The bucket of the example: `lake.py keys` lists it, `lake.py FILE.sql` asks its Parquet objects with DuckDB."""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import boto3
import duckdb

BUCKET = os.environ["PAGILA_BUCKET"]


def main(wanted: str) -> None:
    s3 = boto3.client("s3", endpoint_url=os.environ["PAGILA_S3_URL"], region_name="us-east-1")
    pages = s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET)
    keys = [entry["Key"] for page in pages for entry in page.get("Contents", [])]
    if wanted == "keys":
        print("\n".join(keys))
        return
    duckdb.sql("SET TimeZone = 'UTC'")
    with TemporaryDirectory() as folder:
        for number, key in enumerate(key for key in keys if key.endswith(".parquet")):
            s3.download_file(BUCKET, key, f"{folder}/{number}.parquet")
        duckdb.sql(f"CREATE VIEW pagila_query AS FROM read_parquet('{folder}/*.parquet')")
        # As text, since times with a zone would need one more package.
        rows = duckdb.sql(Path(wanted).read_text()).project("COLUMNS(*)::VARCHAR")
        print("|".join(rows.columns))
        for row in rows.fetchall():
            print("|".join("NULL" if cell is None else cell for cell in row))


main(sys.argv[1])
