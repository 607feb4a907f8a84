"""The sink to S3: the walk-through's configurations, and what requests ask of the bucket."""

from __future__ import annotations

import io
import json
import urllib.request
import uuid

import fastavro
import pytest

from headrace.connect.lake.connector import S3Sink
from headrace.connect.validation import validate
from headrace.errors import EnvironmentFault
from headrace.services.s3 import ACCESS_KEY, BUCKET, SECRET_KEY
from headrace.testing.lake import PLAIN_JSON, S3Lake
from headrace.testing.topics import create_topic, produce

pytestmark = [pytest.mark.spark, pytest.mark.services]

COMMON = {
    "connector.class": "io.confluent.connect.s3.S3SinkConnector",
    "tasks.max": "1",
    "s3.region": "us-east-1",
    "s3.part.size": "5242880",
    "rotate.schedule.interval.ms": "60000",
    "timezone": "UTC",
    "storage.class": "io.confluent.connect.s3.storage.S3Storage",
    "schema.compatibility": "NONE",
}
JSON = {
    "flush.size": "100",
    "format.class": "io.confluent.connect.s3.format.json.JsonFormat",
    "partitioner.class": "io.confluent.connect.storage.partitioner.DefaultPartitioner",
}
PARQUET = {
    "format.class": "io.confluent.connect.s3.format.parquet.ParquetFormat",
    "parquet.codec": "gzip",
}
INSERTED = "org.apache.kafka.connect.transforms.InsertField$Value"


@pytest.fixture
def lake(kafka_broker, spark, s3_endpoint, tmp_path):
    return S3Lake(kafka_broker.address, tmp_path, s3_endpoint)


@pytest.fixture
def prefix(kafka_broker):
    return f"p{uuid.uuid4().hex[:6]}"


def with_schema(payload: dict) -> dict:
    types = {int: "int32", str: "string"}
    fields = [{"type": types[type(v)], "optional": False, "field": n} for n, v in payload.items()]
    schema = {"type": "struct", "fields": fields, "optional": False, "name": "address"}
    return {"schema": schema, "payload": payload}


def run(lake: S3Lake, config: dict[str, str]) -> list[str]:
    """The keys of a configuration that is sent as it is written, after its scheduled moment."""
    endpoint = {
        "name": lake.name,
        "s3.bucket.name": BUCKET,
        "store.url": lake.service.endpoint,
        "aws.access.key.id": ACCESS_KEY,
        "aws.secret.access.key": SECRET_KEY,
    }
    from headrace.connect.installed import installed

    whole = {**COMMON, **config, **endpoint}
    assert validate(installed(), S3Sink, whole).errors == []
    task = lake.exact_task(whole)
    task.schedule_ms = 1
    task.round()
    return lake.keys(
        f"topics/{config.get('topics', '').partition('.')[0] or config['topics.regex'][:7]}"
    )


class TestWalkThrough:
    def test_all_tables_as_json(self, lake, prefix):
        for table, count in (("city", 3), ("country", 2)):
            topic = f"{prefix}.public.{table}"
            create_topic(lake.servers, topic)
            produce(lake.servers, topic, [(None, with_schema({"id": i})) for i in range(count)])
        config = {"topics.regex": f"{prefix}.public.(.*)", "table.name.format": "${topic}", **JSON}
        keys = run(lake, config)
        names = [f"{prefix}.public.{table}" for table in ("city", "country")]
        assert keys == [f"topics/{n}/partition=0/{n}+0+0000000000.json" for n in names]
        body = lake.object(keys[1])["Body"].read()
        assert body == b'{"id":0}\n{"id":1}\n'

    def test_one_table_as_json(self, lake, prefix):
        topic = f"{prefix}.public.alt.address"
        create_topic(lake.servers, topic)
        produce(lake.servers, topic, [("1", with_schema({"id": i})) for i in range(203)])
        keys = run(lake, {"topics": topic, **JSON, "key.converter": PLAIN_JSON["key.converter"]})
        folder = f"topics/{topic}/partition=0/{topic}+0+"
        assert keys == [f"{folder}{n:010}.json" for n in (0, 100, 200)]

    def test_a_query_as_parquet_by_country(self, lake, prefix, tmp_path):
        import pyarrow.parquet as pq

        topic = f"{prefix}.query"
        create_topic(lake.servers, topic)
        countries = ["India", "Congo, The Democratic Republic of the", "India"]
        rows = [
            {"address_id": i, "district": "d", "country": country}
            for i, country in enumerate(countries)
        ]
        produce(lake.servers, topic, [(None, with_schema(row)) for row in rows])
        config = {
            "topics": topic,
            "flush.size": "100",
            **PARQUET,
            "partitioner.class": "io.confluent.connect.storage.partitioner.FieldPartitioner",
            "partition.field.name": "country",
            "transforms": "RenameField, insertStaticField1,insertStaticField2,insertStaticField3",
            "transforms.RenameField.type": "org.apache.kafka.connect.transforms.ReplaceField$Value",
            "transforms.RenameField.renames": "district:state_province",
        }
        fields = {
            "message_source": "pagila",
            "message_source_engine": "postgresql",
            "environment": "development",
        }
        for number, (name, value) in enumerate(fields.items(), start=1):
            alias = f"transforms.insertStaticField{number}"
            config |= {
                f"{alias}.type": INSERTED,
                f"{alias}.static.field": name,
                f"{alias}.static.value": value,
            }
        keys = run(lake, config)
        assert keys == [
            f"topics/{topic}/country=Congo, The Democratic Republic of the/{topic}+0+0000000001.gz.parquet",
            f"topics/{topic}/country=India/{topic}+0+0000000000.gz.parquet",
        ]
        file = tmp_path / "india.parquet"
        file.write_bytes(lake.object(keys[1])["Body"].read())
        assert pq.read_table(file).to_pylist()[1] == {
            "address_id": 2,
            "state_province": "d",
            "country": "India",
            **fields,
        }

    @pytest.mark.parametrize(
        ("format", "extension"),
        [
            (PARQUET, "gz.parquet"),
            (
                {
                    "format.class": "io.confluent.connect.s3.format.avro.AvroFormat",
                    "schema.generator.class": "io.confluent.connect.storage.hive.schema.DefaultSchemaGenerator",
                    "partitioner.class": JSON["partitioner.class"],
                },
                "avro",
            ),
        ],
    )
    def test_changes_of_debezium(self, lake, prefix, format, extension):
        topic = f"{prefix}.public.actor"
        create_topic(lake.servers, topic)
        records = [
            (None, with_schema({"actor_id": 1})),
            (None, None),
            (None, with_schema({"actor_id": 2})),
        ]
        produce(lake.servers, topic, records)
        config = {
            "topics": topic,
            "flush.size": "300",
            "behavior.on.null.values": "ignore",
            **format,
        }
        assert run(lake, config) == [f"topics/{topic}/partition=0/{topic}+0+0000000000.{extension}"]

    def test_changes_in_avro_of_apicurio(self, lake, prefix, schema_registry, tmp_path):
        import pyarrow.parquet as pq

        registry = f"http://{schema_registry.address}/apis/registry/v2"
        topic = f"{prefix}.public.actor"
        create_topic(lake.servers, topic)
        values = [
            apicurio_record(registry, f"{topic}-value", {"actor_id": i, "__op": "r"})
            for i in (1, 2)
        ]
        key = apicurio_record(registry, f"{topic}-key", {"actor_id": 1})
        produce(lake.servers, topic, [(key, values[0]), (key, None), (key, values[1])])
        config = {
            "topics.regex": f"{prefix}.public.(.*)",
            "table.name.format": "${topic}",
            "flush.size": "300",
            "behavior.on.null.values": "ignore",
            **PARQUET,
        }
        for part in ("key", "value"):
            config |= {
                f"{part}.converter": "io.apicurio.registry.utils.converter.AvroConverter",
                f"{part}.converter.apicurio.registry.url": registry,
                f"{part}.converter.apicurio.registry.auto-register": "true",
                f"{part}.converter.apicurio.registry.find-latest": "true",
            }
        (name,) = run(lake, config)
        assert name == f"topics/{topic}/partition=0/{topic}+0+0000000000.gz.parquet"
        file = tmp_path / "actor.parquet"
        file.write_bytes(lake.object(name)["Body"].read())
        assert pq.read_table(file).to_pylist() == [
            {"actor_id": 1, "__op": "r"},
            {"actor_id": 2, "__op": "r"},
        ]


def apicurio_record(registry: str, artifact: str, row: dict) -> bytes:
    """A row as Apicurio's converter writes it."""
    types = {int: "int", str: "string"}
    fields = [{"name": name, "type": types[type(value)]} for name, value in row.items()]
    schema = {"type": "record", "name": "Value", "fields": fields}
    request = urllib.request.Request(
        f"{registry}/groups/default/artifacts?ifExists=RETURN_OR_UPDATE",
        json.dumps(schema).encode(),
        {
            "Content-Type": "application/json",
            "X-Registry-ArtifactId": artifact,
            "X-Registry-ArtifactType": "AVRO",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as answer:
        id = int(json.load(answer)["globalId"])
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), row)
    return b"\0" + id.to_bytes(8, "big") + out.getvalue()


def test_objects_as_they_are_asked_for(lake, prefix):
    topic = f"{prefix}.things"
    create_topic(lake.servers, topic)
    big = "x" * 3_000_000
    for i in range(3):
        produce(lake.servers, topic, [(None, {"n": i, "text": big[: 900_000 * (i + 1)][:900_000]})])
    produce(lake.servers, topic, [(None, {"n": i, "text": big[:900_000]}) for i in range(6)])
    task = lake.task(
        topics=topic,
        flush_size="9",
        s3_part_size="5242880",
        s3_ssea_name="AES256",
        s3_acl_canned="public-read",
        s3_object_tagging="true",
        s3_object_tagging_key_value_pairs="team:lake",
    )
    task.round()
    (key,) = lake.keys()
    found = lake.object(key)
    assert found["ServerSideEncryption"] == "AES256"
    assert found["ETag"].endswith('-2"')
    assert [json.loads(line)["n"] for line in found["Body"].read().splitlines()] == [
        0,
        1,
        2,
        *range(6),
    ]
    tags = lake.service.client().get_object_tagging(Bucket=BUCKET, Key=key)["TagSet"]
    assert {tag["Key"]: tag["Value"] for tag in tags} == {
        "startOffset": "0",
        "endOffset": "8",
        "recordCount": "9",
        "team": "lake",
    }


def test_a_bucket_that_is_not_there(lake, prefix):
    topic = f"{prefix}.things"
    create_topic(lake.servers, topic)
    produce(lake.servers, topic, [(None, {"n": 1})])
    task = lake.task(topics=topic, flush_size="1", s3_bucket_name="no-such-bucket")
    with pytest.raises(EnvironmentFault, match="NoSuchBucket") as raised:
        task.round()
    assert SECRET_KEY not in str(raised.value)
    assert lake.offsets(task) == {}
