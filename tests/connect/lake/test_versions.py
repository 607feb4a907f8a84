"""Records of several versions in files, and topics that share a name, through a broker, Spark and a store."""

from __future__ import annotations

import io
import json
import urllib.request
import uuid

import fastavro
import pytest

from headrace.connect.errors import ToleranceExceeded
from headrace.connect.lake.options import PACKAGE
from headrace.connect.lake.routes import FilesCollide
from headrace.connect.lake.task import SchemasMixed
from headrace.testing.lake import Lake
from headrace.testing.topics import create_topic, produce

pytestmark = [pytest.mark.spark, pytest.mark.services]

PARQUET = {"format_class": f"{PACKAGE}format.parquet.ParquetFormat"}
AVRO = {"format_class": f"{PACKAGE}format.avro.AvroFormat"}
WITH_SCHEMA = {"value_converter_schemas_enable": "true"}


@pytest.fixture
def lake(kafka_broker, spark, tmp_path):
    return Lake(kafka_broker.address, tmp_path)


@pytest.fixture
def topic(kafka_broker):
    name = f"v-{uuid.uuid4().hex[:8]}"
    create_topic(kafka_broker.address, name)
    return name


def record(version: int | None, id: int) -> tuple[None, dict]:
    """Version 2 widens `id` and adds two fields, of which one has a default."""
    fields = [{"type": "int64" if version == 2 else "int32", "optional": False, "field": "id"}]
    payload = {"id": id}
    if version != 1:
        fields.append({"type": "string", "optional": True, "field": "note"})
        fields.append({"type": "int32", "optional": False, "default": 9, "field": "set"})
        payload |= {"note": "new", "set": 1}
    schema = {"type": "struct", "name": "order", "optional": False, "fields": fields}
    if version is not None:
        schema["version"] = version
    return None, {"schema": schema, "payload": payload}


def lines(lake: Lake) -> list[list[dict]]:
    return [[json.loads(line) for line in text.splitlines()] for text in lake.files().values()]


OLD, NEW = {"note": None, "set": 9}, {"note": "new", "set": 1}


@pytest.mark.parametrize("mode", ["BACKWARD", "FULL"])
def test_backward_writes_older_records_as_the_newer_version(lake, topic, mode):
    versions = [1, 2, 1, 2, 1]
    produce(lake.servers, topic, [record(v, i) for i, v in enumerate(versions)])
    task = lake.task(topics=topic, flush_size="4", schema_compatibility=mode, **WITH_SCHEMA)
    task.round()
    assert lines(lake) == [
        [{"id": 0}],
        [{"id": 1, **NEW}, {"id": 2, **OLD}, {"id": 3, **NEW}, {"id": 4, **OLD}],
    ]
    assert lake.offsets(task) == {0: 5}


def test_columns_of_parquet_are_those_of_the_file(lake, topic, tmp_path):
    import pyarrow.parquet as pq

    produce(lake.servers, topic, [record(v, i) for i, v in enumerate([2, 1, 1])])
    lake.task(topics=topic, schema_compatibility="FULL", **WITH_SCHEMA, **PARQUET).round()
    (name,) = lake.files()
    table = pq.ParquetFile(tmp_path / "lake" / name).read()
    assert table.to_pylist() == [{"id": 0, **NEW}, {"id": 1, **OLD}, {"id": 2, **OLD}]


def test_forward_writes_newer_records_as_the_older_version(lake, topic):
    # Version 3 has the `id` of version 1, so that it can be written as that; version 2 has a wider one.
    versions = [1, 3, 2, 3, 1]
    produce(lake.servers, topic, [record(v, i) for i, v in enumerate(versions)])
    task = lake.task(topics=topic, flush_size="2", schema_compatibility="FORWARD", **WITH_SCHEMA)
    task.round()
    assert lines(lake) == [[{"id": 0}, {"id": 1}], [{"id": 2, **NEW}, {"id": 3, **NEW}]]
    assert lake.offsets(task) == {0: 4}
    produce(lake.servers, topic, [record(3, 5)])
    task.rounds.ended_ms = 0
    task.round()
    assert lines(lake)[2:] == [[{"id": 4}, {"id": 5}]]


def test_schemas_without_a_version(lake, topic):
    produce(lake.servers, topic, [record(1, 0), record(None, 1)])
    task = lake.task(topics=topic, flush_size="1", schema_compatibility="BACKWARD", **WITH_SCHEMA)
    with pytest.raises(ToleranceExceeded, match="Tolerance") as raised:
        task.round()
    assert "BACKWARD needs schemas with a version" in str(raised.value.found)
    assert "offset 1, stage TASK_PUT" in str(raised.value.where)
    assert lines(lake) == [[{"id": 0}]]


@pytest.mark.parametrize("tolerance", ["none", "all"])
def test_records_without_a_schema_among_others(lake, topic, tolerance):
    bare = (None, {"schema": None, "payload": {"id": 3}})
    produce(lake.servers, topic, [*(record(1, i) for i in range(3)), bare])
    options = {"topics": topic, "errors_tolerance": tolerance, **WITH_SCHEMA}
    task = lake.task(flush_size="2", schema_compatibility="FULL", **options)
    with pytest.raises(SchemasMixed) as raised:
        task.round()
    assert raised.value.where == f"topic {topic}, partition 0, offset 3"
    assert lines(lake) == [[{"id": 0}, {"id": 1}]]
    assert lake.offsets(task) == {0: 2}
    lake.task(flush_size="1", **options).round()
    assert lines(lake)[1:] == [[{"id": 2}], [{"id": 3}]]


def register(url: str, subject: str, schema: dict) -> int:
    request = urllib.request.Request(
        f"{url}/subjects/{subject}/versions",
        json.dumps({"schema": json.dumps(schema)}).encode(),
        {"Content-Type": "application/vnd.schemaregistry.v1+json"},
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        return int(json.load(answer)["id"])


def test_versions_of_avro_are_those_of_the_registry(lake, topic, schema_registry, tmp_path):
    fields = [
        {"name": "id", "type": "int"},
        {"name": "note", "type": ["null", "string"], "default": None},
    ]
    old, new = ({"type": "record", "name": "Order", "fields": fields[:n]} for n in (1, 2))
    ids = [register(schema_registry.url, f"{topic}-value", schema) for schema in (old, new)]

    def framed(number: int, value: dict) -> tuple[None, bytes]:
        out = io.BytesIO()
        fastavro.schemaless_writer(out, fastavro.parse_schema((old, new)[number]), value)
        return None, b"\0" + ids[number].to_bytes(4, "big") + out.getvalue()

    produce(
        lake.servers,
        topic,
        [framed(0, {"id": 0}), framed(1, {"id": 1, "note": "a"}), framed(0, {"id": 2})],
    )
    config = lake.config(topics=topic, flush_size="2", schema_compatibility="BACKWARD", **AVRO) | {
        "value.converter": "io.confluent.connect.avro.AvroConverter",
        "value.converter.schema.registry.url": schema_registry.url,
    }
    lake.exact_task(config).round()
    found = []
    for name in lake.files():
        with (tmp_path / "lake" / name).open("rb") as file:
            reader = fastavro.reader(file)
            found.append((reader.writer_schema["connect.version"], list(reader)))
    assert found == [
        (1, [{"id": 0}]),
        (2, [{"id": 1, "note": "a"}, {"id": 2, "note": None}]),
    ]


def test_two_topics_under_one_name(lake, kafka_broker, topic):
    other = f"{topic}-other"
    create_topic(kafka_broker.address, other)
    produce(lake.servers, topic, [(None, {"n": 1})])
    config = lake.config(topics=f"{topic},{other}", flush_size="1") | {
        "transforms": "route",
        "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.route.regex": ".*",
        "transforms.route.replacement": "all",
    }
    lake.exact_task(config).round()
    written = lake.files()
    assert written == {"topics/all/partition=0/all+0+0000000000.json": b'{"n":1}\n'}
    produce(lake.servers, other, [(None, {"n": 2})])
    with pytest.raises(FilesCollide, match="under topics/all"):
        lake.exact_task(config).round()
    assert lake.files() == written
    assert not list((lake.folder / "lake" / ".headrace").iterdir())
