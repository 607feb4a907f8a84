"""The walk-through's fifteen configurations, sent to one worker as they are written but for hosts, names and passwords."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest

from headrace.services.s3 import ACCESS_KEY, BUCKET, SECRET_KEY
from headrace.testing.topics import eventually, read_topic

pytestmark = [pytest.mark.services, pytest.mark.slow]

CONFLUENT = "io.confluent.connect"
TRANSFORMS = "org.apache.kafka.connect.transforms"
PARQUET = {
    "flush.size": 300,
    "format.class": f"{CONFLUENT}.s3.format.parquet.ParquetFormat",
    "parquet.codec": "gzip",
    "behavior.on.null.values": "ignore",
}
JSON = {
    "flush.size": 100,
    "format.class": f"{CONFLUENT}.s3.format.json.JsonFormat",
    "partitioner.class": f"{CONFLUENT}.storage.partitioner.DefaultPartitioner",
}
UNWRAPPED = {
    "transforms": "unwrap",
    "transforms.unwrap.type": "io.debezium.transforms.ExtractNewRecordState",
    "transforms.unwrap.drop.tombstones": "false",
    "transforms.unwrap.delete.handling.mode": "rewrite",
    "transforms.unwrap.add.fields": "op,db,table,schema,lsn,source.ts_ms",
}
KEYED = {
    "transforms": "createKey,extractInt,InsertTopic",
    "transforms.createKey.type": f"{TRANSFORMS}.ValueToKey",
    "transforms.createKey.fields": "address_id",
    "transforms.extractInt.type": f"{TRANSFORMS}.ExtractField$Key",
    "transforms.extractInt.field": "address_id",
    "transforms.InsertTopic.type": f"{TRANSFORMS}.InsertField$Value",
    "transforms.InsertTopic.topic.field": "message_topic",
}
DETAILED = {
    **KEYED,
    "transforms": "createKey,extractInt,InsertTopic,InsertSourceDetails",
    "transforms.InsertSourceDetails.type": f"{TRANSFORMS}.InsertField$Value",
    "transforms.InsertSourceDetails.static.field": "message_source",
    "transforms.InsertSourceDetails.static.value": "pagila",
}
STATIC = {
    "message_source": "pagila",
    "message_source_engine": "postgresql",
    "environment": "development",
}
CAPTURED = "actor film film_actor category film_category language"
QUERY = (
    "SELECT * FROM (SELECT a.address_id, a.address, a.address2, city.city, a.district, a.postal_code, "
    "country.country, a.phone, a.last_update FROM address AS a "
    "INNER JOIN city ON a.city_id = city.city_id "
    "INNER JOIN country ON city.country_id = country.country_id "
    "ORDER BY a.address_id) AS addresses"
)


class Walk:
    """The configurations, for a database of a name of its own."""

    def __init__(self, server: str, endpoint: str, registry: str) -> None:
        self.name = f"pagila_{uuid.uuid4().hex[:6]}"
        self.server = psycopg.conninfo.conninfo_to_dict(server)
        self.endpoint = endpoint
        self.avro = {
            f"{part}.converter{option}": text
            for part in ("key", "value")
            for option, text in (
                ("", "io.apicurio.registry.utils.converter.AvroConverter"),
                (".apicurio.registry.url", registry),
                (".apicurio.registry.auto-register", "true"),
                (".apicurio.registry.find-latest", "true"),
            )
        }
        with psycopg.connect(server, autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {self.name}")
        with psycopg.connect(server, dbname=self.name, autocommit=True) as database:
            database.execute(
                "CREATE TABLE actor (actor_id int PRIMARY KEY, last_name text NOT NULL);"
                "INSERT INTO actor VALUES (1, 'GUINESS'), (2, 'WAHLBERG')"
            )

    def jdbc(self, prefix: str, **more: Any) -> dict[str, Any]:
        host, port = self.server["host"], self.server["port"]
        return {
            "connector.class": f"{CONFLUENT}.jdbc.JdbcSourceConnector",
            "connection.url": f"jdbc:postgresql://{host}:{port}/{self.name}",
            "connection.user": self.server["user"],
            "connection.password": "your-password",
            "poll.interval.ms": 5000,
            "mode": "timestamp",
            "timestamp.column.name": "last_update",
            "topic.prefix": prefix,
            **named(more),
        }

    def s3(self, **more: Any) -> dict[str, Any]:
        return {
            "connector.class": f"{CONFLUENT}.s3.S3SinkConnector",
            "tasks.max": 1,
            "s3.region": "us-east-1",
            "s3.bucket.name": BUCKET,
            "s3.part.size": 5242880,
            "rotate.schedule.interval.ms": 60000,
            "timezone": "UTC",
            "storage.class": f"{CONFLUENT}.s3.storage.S3Storage",
            "schema.compatibility": "NONE",
            "store.url": self.endpoint,
            "aws.access.key.id": ACCESS_KEY,
            "aws.secret.access.key": SECRET_KEY,
            **named(more),
        }

    def debezium(self, tables: str, **more: Any) -> dict[str, Any]:
        return {
            "connector.class": "io.debezium.connector.postgresql.PostgresConnector",
            "database.hostname": self.server["host"],
            "database.port": str(self.server["port"]),
            "database.user": self.server["user"],
            "database.password": "your-password",
            "database.dbname": self.name,
            "database.server.name": self.name,
            "plugin.name": "pgoutput",
            # The server has other tests' slots as well.
            "slot.name": self.name,
            "table.include.list": ",".join(f"public.{table}" for table in tables.split()),
            **named(more),
        }

    def configs(self) -> dict[str, dict[str, Any]]:
        tables = {"topics.regex": f"{self.name}.public.(.*)", "table.name.format": "${topic}"}
        museum = {
            **self.avro,
            **JSON,
            "topics.regex": "moma.public.(.*)",
            "format.class": f"{CONFLUENT}.s3.format.avro.AvroFormat",
            "schema.generator.class": f"{CONFLUENT}.storage.hive.schema.DefaultSchemaGenerator",
            "behavior.on.null.values": "ignore",
        }
        unwrapped = {**self.avro, **UNWRAPPED}
        by_country = {
            "partitioner.class": f"{CONFLUENT}.storage.partitioner.FieldPartitioner",
            "partition.field.name": "country",
            "transforms": "RenameField, insertStaticField1,insertStaticField2,insertStaticField3",
            "transforms.RenameField.type": f"{TRANSFORMS}.ReplaceField$Value",
            "transforms.RenameField.renames": "district:state_province",
        }
        for number, (field, text) in enumerate(STATIC.items(), start=1):
            alias = f"transforms.insertStaticField{number}"
            by_country[f"{alias}.type"] = f"{TRANSFORMS}.InsertField$Value"
            by_country[f"{alias}.static.field"] = field
            by_country[f"{alias}.static.value"] = text
        whole = {"catalog.pattern": "public", "validate.non.null": "false"}
        return {
            "jdbc_00": self.jdbc("pagila.public.", catalog__pattern="public", table__whitelist="address,city,country"),
            "jdbc_01": self.jdbc("pagila.public.alt.", **whole, **DETAILED, table__whitelist="address", numeric__mapping="best_fit"),
            "jdbc_02": self.jdbc("pagila.query", **KEYED, validate__non__null="false", incrementing__column__name="address_id", query=QUERY),
            "s3_00": self.s3(**tables, **JSON),
            "s3_01": self.s3(topics="pagila.public.alt.address", **JSON),
            "s3_02": self.s3(**{**PARQUET, **by_country, "topics": "pagila.query", "flush.size": 100}),
            "debezium_04": self.debezium("actor"),
            "debezium_avro_05": self.debezium(CAPTURED, **self.avro),
            "debezium_avro_06": self.debezium(CAPTURED, **unwrapped),
            "debezium_avro_moma": self.debezium("artists", **unwrapped),
            "debezium_avro_hudi": self.debezium("artists artworks", **unwrapped),
            "s3_04_debezium": self.s3(topics=f"{self.name}.public.actor", **PARQUET),
            "s3_05_debezium_avro": self.s3(**tables, **self.avro, **PARQUET),
            "s3_avro_moma": self.s3(**{**museum, "flush.size": 300}),
            "s3_avro_hudi": self.s3(**{**museum, "flush.size": 10000}),
        }  # fmt: skip


def named(options: dict[str, Any]) -> dict[str, Any]:
    return {name.replace("__", "."): value for name, value in options.items()}


@pytest.fixture
def walk(postgres_server, s3_endpoint, schema_registry):
    registry = f"http://{schema_registry.address}/apis/registry/v2"
    return Walk(postgres_server.url, s3_endpoint.endpoint, registry)


def test_all_fifteen_are_valid(worker, walk):
    configs = walk.configs()
    assert len(configs) == 15
    for name, config in configs.items():
        plugin = config["connector.class"].rpartition(".")[2]
        body = {"name": name, **config}
        found = worker.api.call("PUT", f"/connector-plugins/{plugin}/config/validate", body)
        faults = {
            one["value"]["name"]: one["value"]["errors"]
            for one in found["configs"]
            if one["value"]["errors"]
        }
        assert (name, found["error_count"], faults) == (name, 0, {})


def test_changes_go_from_postgresql_through_the_registry_to_the_lake(
    worker, walk, kafka_broker, s3_endpoint
):
    configs, topic = walk.configs(), f"{walk.name}.public.actor"
    source, sink = f"{walk.name}_source", f"{walk.name}_sink"
    try:
        worker.put(source, configs["debezium_avro_06"])
        servers = kafka_broker.bootstrap_servers
        eventually(lambda: read_topic(servers, topic), lambda found: len(found) == 2)
        worker.put(sink, configs["s3_05_debezium_avro"])
        keys = eventually(lambda: listed(s3_endpoint, f"topics/{topic}"), bool, 180)
    finally:
        for name in (source, sink):
            worker.api.call("DELETE", f"/connectors/{name}")
    assert keys == [f"topics/{topic}/partition=0/{topic}+0+0000000000.gz.parquet"]
    rows = parquet(s3_endpoint, keys[0])
    assert [(row["actor_id"], row["last_name"], row["__op"]) for row in rows] == [
        (1, "GUINESS", "r"),
        (2, "WAHLBERG", "r"),
    ]
    assert rows[0]["__db"] == walk.name


def listed(service, prefix: str) -> list[str]:
    found = client(service).list_objects_v2(Bucket=BUCKET, Prefix=prefix)
    return [one["Key"] for one in found.get("Contents", [])]


def parquet(service, key: str) -> list[dict[str, Any]]:
    import io

    import pyarrow.parquet as pq

    body = client(service).get_object(Bucket=BUCKET, Key=key)["Body"].read()
    return pq.read_table(io.BytesIO(body)).to_pylist()


def client(service):
    import boto3

    return boto3.client(
        "s3",
        endpoint_url=service.endpoint,
        aws_access_key_id=ACCESS_KEY,
        aws_secret_access_key=SECRET_KEY,
        region_name="us-east-1",
    )
