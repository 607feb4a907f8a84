"""Apicurio's converter of Avro: what sinks read."""

from __future__ import annotations

import io
import json
import urllib.request
import uuid

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
    (written,) = write_batch(
        connect.records([{"id": 1}], cs.struct({"id": cs.Schema(cs.Type.INT32)})),
        converter,
        converter,
    ).collect()
    assert written.value is None
    assert "is for sinks here" in written.error.message
