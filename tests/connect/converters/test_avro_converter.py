"""AvroConverter, with a real registry."""

import datetime as dt
import io
import json
import urllib.request
from decimal import Decimal

import fastavro
import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.avro_converter import AvroConverter
from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data import schema as cs
from headrace.connect.data.schema import Schema, Type
from headrace.errors import InvalidOption

NAME = {"value.converter": "io.confluent.connect.avro.AvroConverter"}
URL = "value.converter.schema.registry.url"
ROW = cs.struct(
    {
        "id": Schema(Type.INT32),
        "small": Schema(Type.INT8, optional=True),
        "name": cs.string(optional=True),
        "price": cs.decimal(2, optional=True),
        "at": cs.timestamp(optional=True),
        "clock": cs.time(optional=True),
        "in": cs.struct({"x": Schema(Type.FLOAT64)}, "headrace.test.In").made_optional(),
    },
    "headrace.test.Row",
)
FULL = {
    "id": 1,
    "small": 2,
    "name": "a",
    "price": Decimal("12.50"),
    "at": dt.datetime(2024, 1, 2, 3, 4, 5),
    "clock": 5000,
    "in": {"x": 1.5},
}
BARE = dict.fromkeys(FULL) | {"id": 2}


def test_options_of_the_registrys_client():
    config = NAME | {
        URL: "http://h:1",
        "value.converter.basic.auth.credentials.source": "USER_INFO",
        "value.converter.basic.auth.user.info": "me:secret",
    }
    converter = parse_converter(config, "value.converter")
    assert isinstance(converter, AvroConverter)
    settings = json.loads(converter.registry)
    assert settings["urls"] == ["http://h:1"]
    assert settings["headers"]["Authorization"].startswith("Basic ")
    assert (converter.part, converter.strategy, converter.facts) == (
        "value",
        "TopicNameStrategy",
        True,
    )


def test_what_the_options_must_be():
    with pytest.raises(
        InvalidConfig, match=r'Missing required configuration "schema\.registry\.url"'
    ):
        parse_converter(NAME, "value.converter")
    with pytest.raises(InvalidOption, match="url"):
        parse_converter(NAME | {URL: "h:1"}, "value.converter")
    with pytest.raises(InvalidConfig, match="String must be one of"):
        parse_converter(
            NAME | {URL: "http://h:1", "value.converter.value.subject.name.strategy": "Mine"},
            "value.converter",
        )


@pytest.mark.spark
@pytest.mark.services
class TestRunning:
    @pytest.fixture
    def converter(self, schema_registry):
        return parse_converter(NAME | {URL: schema_registry.url}, "value.converter")

    def read(self, connect, values, converter):
        frame = connect.spark.createDataFrame(
            [("t", None, v) for v in values], "topic string, key binary, value binary"
        )
        return read_batch(frame, converter, converter)

    def test_rows_both_ways(self, connect, converter, schema_registry):
        records = connect.records([FULL, BARE, None], ROW, topic=["one", "two", "one"])
        data = [
            row.value and bytes(row.value)
            for row in write_batch(records, converter, converter).collect()
        ]
        assert data[2] is None
        with urllib.request.urlopen(f"{schema_registry.url}/subjects", timeout=30) as answer:
            assert {"one-value", "two-value"} <= set(json.load(answer))
        (read,) = self.read(connect, data, converter)
        assert read.value == ROW
        assert [row.value and row.value.asDict(recursive=True) for row in read.frame.collect()] == [
            FULL,
            BARE,
            None,
        ]

    def test_another_writers_schema_and_bytes_that_are_none(
        self, connect, converter, schema_registry
    ):
        written = {
            "type": "record",
            "name": "Other",
            "fields": [
                {"name": "kind", "type": {"type": "enum", "name": "K", "symbols": ["A", "B"]}},
                {"name": "note", "type": ["string", "null"]},
            ],
        }
        body = json.dumps({"schema": json.dumps(written)}).encode()
        request = urllib.request.Request(
            f"{schema_registry.url}/subjects/other-value/versions",
            body,
            {"Content-Type": "application/vnd.schemaregistry.v1+json"},
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            id = json.load(answer)["id"]
        out = io.BytesIO()
        fastavro.schemaless_writer(out, fastavro.parse_schema(written), {"kind": "B", "note": "x"})
        header = b"\0" + id.to_bytes(4, "big")
        unknown = b"\0\x7f\0\0\1"
        batches = self.read(
            connect, [header + out.getvalue(), header + b"\xff", b"plain", unknown], converter
        )
        rows = [row for batch in batches for row in batch.frame.collect()]
        values = [row.value.asDict() for row in rows if row.error is None]
        assert values == [{"kind": "B", "note": "x"}]
        errors = sorted(row.error["message"] for row in rows if row.error)
        assert errors == [
            f"Error retrieving Avro value schema for id {0x7F000001}",
            *["Failed to deserialize data to Avro: "] * 2,
        ]
