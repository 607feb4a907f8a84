"""Stores in the words of the JVM."""

from __future__ import annotations

from typing import ClassVar

import pytest

from headrace.connect.lake.connector import FolderSink, S3Sink
from headrace.connect.lake.options import PACKAGE
from headrace.connect.lake.settings import Settings
from headrace.connect.lake.store import (
    bucket_spec,
    created_headers,
    credentials,
    folder_spec,
    sent_headers,
    tags,
)
from headrace.errors import EnvironmentFault

VALID = {
    "format.class": f"{PACKAGE}format.json.JsonFormat",
    "flush.size": "1",
    "s3.bucket.name": "lake",
}


def settings(**options: str) -> Settings:
    given = {name.replace("_", "."): text for name, text in options.items()}
    return Settings.of(S3Sink.config(), {**VALID, **given})


class TestCredentials:
    ENVIRONMENT: ClassVar = {
        "AWS_ACCESS_KEY_ID": "e",
        "AWS_SECRET_ACCESS_KEY": "f",
        "AWS_SESSION_TOKEN": "g",
    }

    def test_those_of_the_configuration_come_first(self):
        given = settings(aws_access_key_id="a", aws_secret_access_key=" b ")
        assert credentials(given, self.ENVIRONMENT) == ("a", " b ", None)

    def test_then_those_of_the_environment(self):
        assert credentials(settings(), self.ENVIRONMENT) == ("e", "f", "g")

    def test_then_those_of_the_chain(self, monkeypatch, tmp_path):
        for name in self.ENVIRONMENT:
            monkeypatch.delenv(name, raising=False)
        file = tmp_path / "credentials"
        file.write_text("[default]\naws_access_key_id = p\naws_secret_access_key = q\n")
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(file))
        assert credentials(settings(), {}) == ("p", "q", None)

    def test_none(self, monkeypatch, tmp_path):
        for name in self.ENVIRONMENT:
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", str(tmp_path / "none"))
        monkeypatch.setenv("AWS_CONFIG_FILE", str(tmp_path / "none"))
        monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        with pytest.raises(EnvironmentFault, match="no credentials for S3"):
            credentials(settings(), {})


class TestHeaders:
    def test_none_by_default(self):
        assert created_headers(settings()) == {}
        assert sent_headers(settings()) == {}
        assert tags(settings()) is None

    def test_encryption_by_a_key_of_kms(self):
        given = settings(s3_ssea_name="aws:kms", s3_sse_kms_key_id="k")
        assert created_headers(given) == {
            "x-amz-server-side-encryption": "aws:kms",
            "x-amz-server-side-encryption-aws-kms-key-id": "k",
        }

    def test_encryption_by_a_key_of_ones_own(self):
        given = settings(s3_ssea_name="AES256", s3_sse_customer_key="MDEyMzQ1Njc4OWFiY2RlZg==")
        assert created_headers(given) == {}
        assert sent_headers(given) == {
            "x-amz-server-side-encryption-customer-algorithm": "AES256",
            "x-amz-server-side-encryption-customer-key": "MDEyMzQ1Njc4OWFiY2RlZg==",
            "x-amz-server-side-encryption-customer-key-md5": "QDKvjWEDUSOQbljgZxQMxQ==",
        }

    def test_access_and_tags(self):
        given = settings(
            s3_acl_canned="private",
            s3_object_tagging="true",
            s3_object_tagging_key_value_pairs="a:1,b:2:3",
        )
        assert created_headers(given) == {"x-amz-acl": "private"}
        assert tags(given) == {"a": "1", "b": "2:3"}


def test_a_bucket():
    spec = bucket_spec(
        settings(aws_access_key_id="a", aws_secret_access_key="b", s3_proxy_url="http://p:1")
    )
    found = spec["s3"]
    assert spec["folder"] is None
    assert (found["bucket"], found["region"], found["endpoint"]) == ("lake", "us-west-2", None)
    assert (found["pathStyle"], found["partSize"], found["retries"]) == (True, 26214400, 3)
    assert (found["proxy"], found["tagErrorsFail"]) == ("http://p:1", False)


def test_transfer_acceleration_has_a_host_of_its_own():
    login = {"aws_access_key_id": "a", "aws_secret_access_key": "b"}
    spec = bucket_spec(settings(**login, s3_wan_mode="true", s3_path_style_access_enabled="false"))
    assert spec["s3"]["endpoint"] == "https://s3-accelerate.amazonaws.com"
    assert (spec["s3"]["pathStyle"], spec["s3"]["region"]) == (False, "us-west-2")


def test_a_folder():
    config = {**VALID, "store.url": "file:///data/the%20lake"}
    given = Settings.of(FolderSink.config(), config)
    assert folder_spec(given) == {"folder": "/data/the lake", "s3": None}
