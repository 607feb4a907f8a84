"""Apicurio's converter of Avro."""

from __future__ import annotations

import datetime
import io
import json
import urllib.request
import uuid
from dataclasses import replace

import fastavro
import pytest

from headrace.connect.configdef import InvalidConfig
from headrace.connect.converters.apicurio_converter import NAME, ApicurioConverter
from headrace.connect.converters.batches import read_batch, write_batch
from headrace.connect.converters.registry import parse_converter
from headrace.connect.data import schema as cs
from headrace.connect.data.records import HEADERS
from headrace.errors import InvalidOption

PREFIX = "value.converter"
URL = f"{PREFIX}.apicurio.registry.url"
# As the walk-through has them.
CONFIG = {
    PREFIX: NAME,
    URL: "http://localhost:8080/apis/registry/v2",
    f"{PREFIX}.apicurio.registry.auto-register": "true",
    f"{PREFIX}.apicurio.registry.find-latest": "true",
}
ORDER = {"type": "record", "name": "Order", "fields": [{"name": "id", "type": "int"}]}


def test_the_walk_throughs_options():
    converter = parse_converter(CONFIG, PREFIX)
    assert isinstance(converter, ApicurioConverter)
    assert json.loads(converter.registry)["urls"] == [CONFIG[URL]]
    assert converter.part == "value"
    assert converter.of_topic("t") is converter


def test_an_address_is_needed():
    with pytest.raises(InvalidConfig, match=r'"apicurio\.registry\.url"'):
        parse_converter({PREFIX: NAME}, PREFIX)
    with pytest.raises(InvalidOption, match="url"):
        parse_converter(CONFIG | {URL: "localhost"}, PREFIX)


def created(url: str) -> int:
    request = urllib.request.Request(
        f"{url}/groups/default/artifacts",
        json.dumps(ORDER).encode(),
        {
            "Content-Type": "application/json",
            "X-Registry-ArtifactId": f"a{uuid.uuid4().hex[:8]}-value",
            "X-Registry-ArtifactType": "AVRO",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return int(json.load(answer)["globalId"])


@pytest.mark.spark
@pytest.mark.services
def test_records_name_their_schema_by_its_global_id(connect, schema_registry):
    url = f"http://{schema_registry.address}/apis/registry/v2"
    converter = parse_converter(CONFIG | {URL: url}, PREFIX)
    id = created(url)
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(ORDER), {"id": 7})
    number = id.to_bytes(8, "big")
    values = [
        b"\0" + number + out.getvalue(),
        None,
        b"\0" + (2**40).to_bytes(8, "big"),
        b"\0\0\0\0\1",
    ]
    rows = [("t", None, value, None) for value in values]
    # As its own serializers write it unless told otherwise: the id is a header, the value nothing but Avro.
    headed = [("apicurio.value.encoding", b"BINARY"), ("apicurio.value.globalId", number)]
    rows += [("t", None, out.getvalue(), headed), ("t", None, None, headed)]
    frame = connect.spark.createDataFrame(
        rows, f"topic string, key binary, value binary, headers {HEADERS}"
    )
    batches = read_batch(frame, converter, converter)
    (known,) = [batch for batch in batches if batch.value is not None]
    assert known.value is not None
    assert (known.value.name, [f.name for f in known.value.fields]) == ("Order", ["id"])
    rows = [row for batch in batches for row in batch.frame.collect()]
    assert [row.value.id for row in rows if row.value is not None] == [7, 7]
    errors = {row.error.message for row in rows if row.error is not None}
    assert errors == {
        f"Error retrieving Avro value schema for global id {2**40}",
        "Failed to deserialize data to Avro: ",
    }


# What Apicurio's converter 2.6 registers for the same schema.
REGISTERED = {
    "type": "record",
    "name": "Row",
    "namespace": "p",
    "fields": [
        {"name": "id", "type": "int"},
        {"name": "n", "type": ["null", "string"], "default": None},
        {
            "name": "t",
            "type": {
                "type": "long",
                "connect.version": 1,
                "connect.name": "org.apache.kafka.connect.data.Timestamp",
                "logicalType": "timestamp-millis",
            },
        },
    ],
    "connect.version": 2,
    "connect.name": "p.Row",
}
FIELDS = {
    "id": cs.Schema(cs.Type.INT32),
    "n": cs.string(optional=True),
    "t": cs.Schema(cs.Type.INT64, name=cs.TIMESTAMP, version=1),
}
ROW = replace(cs.struct(FIELDS, "p.Row"), version=2)


def artifact(url: str, name: str) -> dict[str, object]:
    with urllib.request.urlopen(f"{url}/groups/default/artifacts/{name}", timeout=30) as answer:
        found: dict[str, object] = json.load(answer)
    return found


@pytest.mark.spark
@pytest.mark.services
class TestWriting:
    @pytest.fixture
    def url(self, schema_registry):
        return f"http://{schema_registry.address}/apis/registry/v2"

    def written(self, connect, url, topic, **options):
        own = {f"{PREFIX}.apicurio.registry.{name}": text for name, text in options.items()}
        config = {PREFIX: NAME, URL: url} | own
        at = datetime.datetime.fromtimestamp(0.005, datetime.UTC)
        records = connect.records([(7, "x", at), None], ROW, topic=[topic] * 2)
        plain = parse_converter({"c": "org.apache.kafka.connect.storage.StringConverter"}, "c")
        frame = write_batch(records, plain, parse_converter(config, PREFIX))
        row, tombstone = frame.orderBy("value_typed", ascending=False).collect()
        assert (tombstone.value, tombstone.headers) == (None, [])
        return row

    def test_ids_are_headers_of_the_record(self, connect, url):
        topic = f"t{uuid.uuid4().hex[:8]}"
        auto = {"auto-register": "true", "find-latest": "true"}
        row = self.written(connect, url, topic, **auto)
        assert bytes(row.value) == bytes.fromhex("0e0202780a")
        (id_name, id), encoding = ((h.key, bytes(h.value)) for h in row.headers)
        assert id_name == "apicurio.value.globalId"
        assert encoding == ("apicurio.value.encoding", b"BINARY")
        assert artifact(url, f"{topic}-value") == REGISTERED
        again = self.written(connect, url, topic)
        assert [bytes(h.value) for h in again.headers] == [id, b"BINARY"]

    def test_or_stand_before_the_value(self, connect, url):
        topic = f"t{uuid.uuid4().hex[:8]}"
        auto = {"auto-register": "true", "headers.enabled": "false"}
        row = self.written(connect, url, topic, **auto)
        assert row.headers == []
        assert (row.value[0], bytes(row.value[9:])) == (0, bytes.fromhex("0e0202780a"))

    def test_a_schema_that_is_not_there_fails_the_record(self, connect, url):
        row = self.written(connect, url, "nowhere")
        assert row.value is None
        assert row.error.message == "No artifact with ID 'nowhere-value' in group 'null' was found."
        latest = self.written(connect, url, "nowhere", **{"find-latest": "true"})
        assert "find-latest needs apicurio.registry.auto-register here" in latest.error.message


@pytest.mark.parametrize(
    ("option", "text"),
    [("use-id", "contentId"), ("as-confluent", "true"), ("artifact-resolver-strategy", "x.Own")],
)
def test_other_ids_and_names_are_refused(option, text):
    name = f"apicurio.registry.{option}"
    with pytest.raises(InvalidConfig, match=f"{name}: only .* is served here"):
        parse_converter(CONFIG | {f"{PREFIX}.{name}": text}, PREFIX)
