"""Every option with its type, its default and what it refuses."""

from __future__ import annotations

import pytest

from headrace.connect.configdef import REQUIRED, Type
from headrace.connect.lake.connector import FolderSink, S3Sink
from headrace.connect.lake.options import FORMATS, PARTITIONER_KINDS

VALID = {
    "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
    "flush.size": "1",
    "s3.bucket.name": "lake",
}


def test_defaults_of_connect():
    keys = S3Sink.config().keys
    required = {name for name, key in keys.items() if key.default is REQUIRED}
    assert required == {"format.class", "flush.size", "s3.bucket.name"}
    assert {name: keys[name].default for name in ("s3.region", "s3.part.size", "topics.dir")} == {
        "s3.region": "us-west-2",
        "s3.part.size": 26214400,
        "topics.dir": "topics",
    }
    assert keys["partitioner.class"].default.endswith("DefaultPartitioner")
    assert keys["keys.format.class"].default.endswith("AvroFormat")


def test_secrets_are_passwords():
    keys = S3Sink.config().keys
    secret = {name for name, key in keys.items() if key.type is Type.PASSWORD}
    assert secret == {"aws.secret.access.key", "s3.sse.customer.key", "s3.proxy.password"}


def test_every_option_is_explained_and_grouped():
    for connector in (S3Sink, FolderSink):
        assert all(key.documentation and key.group for key in connector.config())


def test_a_folder_needs_no_bucket():
    assert "s3.bucket.name" not in FolderSink.config().keys
    assert FolderSink.config().keys["store.url"].default is REQUIRED


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("flush.size", "0", "at least 1"),
        ("flush.size", "many", "Not a number"),
        ("s3.part.size", "5242879", "at least 5242880"),
        ("format.class", "x.Format", "must be one of"),
        ("format.class", "io.confluent.connect.s3.format.string.StringFormat", "must be one of"),
        ("headers.format.class", "io.confluent.connect.s3.format.parquet.ParquetFormat", "one of"),
        ("partitioner.class", "x.Partitioner", "must be one of"),
        (
            "s3.credentials.provider.class",
            "io.confluent.connect.s3.auth.AwsAssumeRoleCredentialsProvider",
            "must be one of",
        ),
        ("s3.compression.type", "zip", "none, gzip"),
        ("s3.compression.level", "10", "no more than 9"),
        ("parquet.codec", "zip", "must be one of"),
        ("avro.codec", "zip", "must be one of"),
        ("timezone", "Mars/Olympus", "not recognised"),
        ("timestamp.extractor", "Moon", "Wallclock, Record, RecordField"),
        ("behavior.on.null.values", "drop", "fail, ignore, write"),
        ("s3.ssea.name", "ROT13", "AES256, aws:kms"),
        ("s3.acl.canned", "everybody", "public-read"),
        ("json.decimal.format", "ROMAN", "BASE64, NUMERIC"),
        ("s3.object.behavior.on.tagging.error", "cry", "ignore, fail"),
        ("schema.compatibility", "SOME", "NONE, BACKWARD, FORWARD, FULL"),
        ("s3.schema.partition.affix.type", "INFIX", "NONE, PREFIX, SUFFIX"),
        ("filename.offset.zero.pad.width", "-1", "at least 0"),
        ("store.url", "minio:9000", "must be spelled http://host:port"),
        ("store.url", "http://", "must be spelled http://host:port"),
    ],
)
def test_values_that_do_not_do(name, value, fault):
    errors = S3Sink.config().validate({**VALID, name: value})[name].errors
    assert errors
    assert fault in errors[0]


def test_empty_texts_stand_for_nothing():
    given = {**VALID, "s3.ssea.name": "", "timezone": "", "s3.acl.canned": ""}
    values = S3Sink.config().validate(given)
    assert [value.errors for value in values.values() if value.errors] == []


def test_values_are_recommended():
    values = S3Sink.config().validate(VALID)
    assert values["format.class"].recommended == list(FORMATS)[:4]
    assert values["partitioner.class"].recommended == list(PARTITIONER_KINDS)
    assert "brotli" not in values["parquet.codec"].recommended


def test_a_folder_is_spelled_as_a_url():
    config = FolderSink.config()
    assert config.validate({**VALID, "store.url": "file:///data/lake"})["store.url"].errors == []
    assert "file:///path" in config.validate({**VALID, "store.url": "/data"})["store.url"].errors[0]
