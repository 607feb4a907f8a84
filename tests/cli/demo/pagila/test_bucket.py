import pytest

from headrace.cli.demo.pagila.bucket import Bucket, Object
from headrace.services.s3 import BUCKET

pytestmark = pytest.mark.services
FOLDER = "demo-bucket"


@pytest.fixture(scope="module")
def bucket(s3_endpoint):
    client = s3_endpoint.client()
    objects = {"a/+0.json": b'{"n": 1}\n{"n": 2}\n', "a/+1.json": b'{"n": 3}\n', "b/=x, y/1": b"P"}
    for key, body in objects.items():
        client.put_object(Bucket=BUCKET, Key=f"{FOLDER}/{key}", Body=body)
    return Bucket(client, BUCKET)


def test_objects_below_a_prefix_are_listed(bucket):
    assert bucket.objects(f"{FOLDER}/b/") == [Object(f"{FOLDER}/b/=x, y/1", 1)]
    assert len(bucket.objects(f"{FOLDER}/")) == 3


def test_lines_come_in_the_order_of_keys(bucket):
    assert bucket.json_rows(f"{FOLDER}/a/") == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert bucket.json_rows(f"{FOLDER}/c/") == []


def test_downloads_are_numbered(bucket, tmp_path):
    assert bucket.download(f"{FOLDER}/b/", tmp_path / "new") == 1
    assert (tmp_path / "new" / "0.parquet").read_bytes() == b"P"
    assert bucket.download(f"{FOLDER}/c/", tmp_path / "none") == 0
