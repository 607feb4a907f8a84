from __future__ import annotations

import urllib.request

import pytest

from headrace.services.ports import free_port
from headrace.services.s3 import BUCKET, S3Service
from headrace.toolchain.progress import silent


@pytest.mark.services
def test_objects_come_back(s3_endpoint):
    client = s3_endpoint.client()
    client.put_object(Bucket=BUCKET, Key="s3-test/a", Body=b"content")
    assert client.get_object(Bucket=BUCKET, Key="s3-test/a")["Body"].read() == b"content"


@pytest.mark.services
def test_it_speaks_http_at_its_endpoint(s3_endpoint):
    assert s3_endpoint.endpoint == f"http://{s3_endpoint.address}"
    with urllib.request.urlopen(f"{s3_endpoint.endpoint}/{BUCKET}", timeout=30) as answer:
        assert b"ListBucketResult" in answer.read()


@pytest.mark.services
def test_a_restart_begins_with_an_empty_bucket(tmp_path):
    service = S3Service(tmp_path)
    with service:
        address = service.address
        service.client().put_object(Bucket=BUCKET, Key="gone", Body=b"x")
    with service:
        assert service.address == address
        assert service.client().list_objects_v2(Bucket=BUCKET)["KeyCount"] == 0


def test_the_wanted_port_is_used(tmp_path):
    port = free_port()
    service = S3Service(tmp_path, port=port)
    assert service.choose_ports({"main": 1}) == {"main": port}
    assert str(port) in service.prepare({"main": port}, silent).command


def test_it_listens_on_the_loopback_address_only(tmp_path):
    command = list(S3Service(tmp_path).prepare({"main": 1}, silent).command)
    assert command[command.index("-H") + 1] == "127.0.0.1"


def test_a_port_without_a_server_is_not_ready(tmp_path):
    assert not S3Service(tmp_path).is_ready(f"127.0.0.1:{free_port()}")
