"""Records as bytes of files."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.connect.lake.connector import S3Sink
from headrace.connect.lake.formats import HEADERS, Format, header_texts
from headrace.connect.lake.options import PACKAGE
from headrace.connect.lake.settings import Settings

KINDS = {
    "json": "json.JsonFormat",
    "avro": "avro.AvroFormat",
    "parquet": "parquet.ParquetFormat",
    "bytes": "bytearray.ByteArrayFormat",
}


def format(kind: str, part: str = "value", **options: str) -> Format:
    given = {name.replace("_", "."): text for name, text in options.items()}
    base = {
        "format.class": f"{PACKAGE}format.{KINDS[kind]}",
        "keys.format.class": f"{PACKAGE}format.string.StringFormat",
        "flush.size": "1",
        "s3.bucket.name": "lake",
    }
    return Format(part, Settings.of(S3Sink.config(), {**base, **given}))


@pytest.mark.parametrize(
    ("kind", "options", "extension"),
    [
        ("json", {}, ".json"),
        ("json", {"s3_compression_type": "gzip"}, ".json.gz"),
        ("avro", {"avro_codec": "snappy"}, ".avro"),
        ("parquet", {}, ".snappy.parquet"),
        ("parquet", {"parquet_codec": "gzip"}, ".gz.parquet"),
        ("parquet", {"parquet_codec": "none"}, ".parquet"),
        ("bytes", {}, ".bin"),
        ("bytes", {"format_bytearray_extension": ".raw", "s3_compression_type": "gzip"}, ".raw.gz"),
    ],
)
def test_extensions(kind, options, extension):
    assert format(kind, **options).extension == extension


def test_files_beside_the_values():
    assert format("json", "key").extension == ".keys.txt"
    assert format("json", "header").extension == ".headers.avro"


def test_what_the_jvm_is_told():
    spec = format("bytes", s3_compression_type="gzip", s3_compression_level="3").spec()
    assert (spec["format"], spec["gzip"], spec["level"], spec["separator"]) == (
        "lines",
        True,
        3,
        "Cg==",
    )
    assert format("bytes", format_bytearray_separator="").spec()["separator"] == ""
    assert format("parquet", parquet_codec="zstd").spec()["codec"] == "zstd"


def encoded(connect, made: Format, values, schema):
    records = made.encoded(connect.records(values, schema), "value", schema, "out")
    rows = records.frame.collect()
    return [(row.out and bytes(row.out), row.error and row.error.message) for row in rows]


@pytest.mark.spark
def test_json_with_and_without_schemas(connect):
    assert encoded(connect, format("json"), ['{"a":1}', None], None) == [
        (b'{"a":1}', None),
        (None, None),
    ]
    assert encoded(connect, format("json"), ["x"], cs.string()) == [(b'"x"', None)]


@pytest.mark.spark
def test_decimals_of_json(connect):
    schema = cs.struct({"d": cs.decimal(2)})
    values = [(Decimal("5.00"),)]
    assert encoded(connect, format("json"), values, schema) == [(b'{"d":"AfQ="}', None)]
    numeric = format("json", json_decimal_format="numeric")
    assert encoded(connect, numeric, values, schema) == [(b'{"d":5.00}', None)]


@pytest.mark.spark
def test_a_field_that_must_be_there(connect):
    schema = cs.struct({"d": cs.string()})
    ((content, error),) = encoded(connect, format("json"), [(None,)], schema)
    assert content is None
    assert "null value for field that is required" in error


@pytest.mark.spark
@pytest.mark.parametrize(
    ("kind", "schema", "fault"),
    [
        ("avro", None, "with a schema"),
        ("parquet", None, "structs with a schema"),
        ("parquet", cs.string(), "structs with a schema"),
        ("bytes", cs.string(), "Invalid schema type for ByteArrayConverter: STRING"),
        ("bytes", None, "Invalid schema type for ByteArrayConverter: null"),
    ],
)
def test_records_that_a_format_cannot_write(connect, kind, schema, fault):
    made = format(kind)
    (found, tombstone) = encoded(connect, made, ["x", None], schema)
    assert found[0] is None
    assert fault in found[1]
    assert tombstone == (None, None)
    assert made.schemas == [""]


@pytest.mark.spark
def test_schemas_of_avro(connect):
    schema = Schema(Type.STRUCT, name="shop.Order", fields=cs.struct({"at": cs.timestamp()}).fields)
    made = format("avro")
    made.encoded(connect.records([], schema), "value", schema, "out")
    (described,) = map(json.loads, made.schemas)
    assert (described["name"], described["namespace"]) == ("Order", "shop")
    assert described["fields"][0]["type"]["logicalType"] == "timestamp-millis"
    assert described["connect.name"] == "shop.Order"
    plain = format("avro", connect_meta_data="false")
    plain.encoded(connect.records([], schema), "value", schema, "out")
    assert "connect.name" not in json.loads(plain.schemas[0])


@pytest.mark.spark
def test_headers(connect):
    headers = [[("a", b"1"), ("b", None)], [], None]
    records = header_texts(connect.records(["1"] * 3, headers=headers), "texts")
    made = format("json", headers_format_class=f"{PACKAGE}format.json.JsonFormat")
    made.part = "header"
    rows = made.encoded(records, "texts", HEADERS, "out").frame.collect()
    assert [row.out and bytes(row.out) for row in rows] == [
        b'[{"key":"a","value":"1"},{"key":"b","value":null}]',
        None,
        None,
    ]
