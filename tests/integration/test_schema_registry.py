"""A pipeline whose schemas lie in a registry, key and value."""

import io
import json
import urllib.request

import fastavro
import pytest

from headrace.errors import EnvironmentFault
from headrace.services.ports import free_port
from headrace.testing.topics import produce, read_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]


def test_changes_flow_through_topics_with_registered_schemas(env, servers, topic, schema_registry):
    orders, totals = topic("orders"), topic("totals")
    registry = "".join(
        f", '{part}.format' = 'avro-confluent', '{part}.avro-confluent.url' = '{schema_registry.url}'"
        for part in ("key", "value")
    )
    common = f"'properties.bootstrap.servers' = '{servers}', 'scan.bounded.mode' = 'latest-offset'"
    env.execute_sql(f"""
        CREATE TABLE orders (id INT, customer STRING, amount BIGINT, PRIMARY KEY (id) NOT ENFORCED)
        WITH ('connector' = 'upsert-kafka', 'topic' = '{orders}', {common},
          'key.format' = 'json', 'value.format' = 'json')""")
    env.execute_sql(f"""
        CREATE TABLE totals (customer STRING, total BIGINT, PRIMARY KEY (customer) NOT ENFORCED)
        WITH ('connector' = 'upsert-kafka', 'topic' = '{totals}', {common}{registry})""")

    def order(id, customer, amount):
        return ({"id": id}, {"id": id, "customer": customer, "amount": amount})

    copy = "INSERT INTO totals SELECT customer, SUM(amount) FROM orders GROUP BY customer"
    produce(servers, orders, [order(1, "ann", 5), order(2, "bob", 7), order(3, "ann", 1)])
    env.execute_sql(copy).wait()
    # The second run deletes a row that the first one wrote: its key must be spelled with the same schema's id.
    produce(servers, orders, [({"id": 2}, None), order(3, "ann", 2)])
    env.execute_sql(copy).wait()

    rows = sorted(env.execute_sql("SELECT customer, total FROM totals").collect())
    assert [tuple(row) for row in rows] == [("ann", 7)]
    with urllib.request.urlopen(f"{schema_registry.url}/subjects", timeout=30) as answer:
        assert {f"{totals}-key", f"{totals}-value"} <= set(json.load(answer))
    assert all(record.key[:1] == b"\0" for record in read_topic(servers, totals))


def test_changes_are_written_as_messages_of_debezium(env, servers, topic, schema_registry):
    source, target, copy = topic("source"), topic("target"), topic("copy")
    common = f"""'connector' = 'kafka', 'properties.bootstrap.servers' = '{servers}',
        'scan.startup.mode' = 'earliest-offset', 'scan.bounded.mode' = 'latest-offset'"""
    avro = f"""'format' = 'debezium-avro-confluent',
        'debezium-avro-confluent.url' = '{schema_registry.url}'"""
    columns = "id INT NOT NULL, name STRING"
    for name, wanted, format in (
        ("source", source, "'format' = 'debezium-json'"),
        ("target", target, avro),
        ("copied", copy, "'format' = 'debezium-json'"),
    ):
        env.execute_sql(
            f"CREATE TABLE {name} ({columns}) WITH ({common}, 'topic' = '{wanted}', {format})"
        )
    came = {"before": None, "after": {"id": 1, "name": "a"}, "op": "c"}
    went = {"before": {"id": 2, "name": None}, "after": None, "op": "d"}
    produce(servers, source, [(None, came), (None, went)])
    env.execute_sql("INSERT INTO target SELECT * FROM source").wait()

    records = [record.value for record in read_topic(servers, target)]
    id = int.from_bytes(records[0][1:5], "big")
    with urllib.request.urlopen(f"{schema_registry.url}/schemas/ids/{id}", timeout=30) as answer:
        schema = fastavro.parse_schema(json.loads(json.load(answer)["schema"]))
    found = [fastavro.schemaless_reader(io.BytesIO(record[5:]), schema) for record in records]
    assert sorted(found, key=lambda message: message["op"]) == [came, went]

    env.execute_sql("INSERT INTO copied SELECT * FROM target").wait()
    back = [record.json_value() for record in read_topic(servers, copy)]
    assert sorted(back, key=lambda message: message["op"]) == [came, went]


def test_a_silent_registry_fails_the_job_even_where_bad_records_are_skipped(env, servers, topic):
    name = topic("orders")
    produce(servers, name, [(None, b"\0\0\0\0\1\0")])
    env.execute_sql(f"""
        CREATE TABLE orders (name STRING) WITH ('connector' = 'kafka', 'topic' = '{name}',
          'properties.bootstrap.servers' = '{servers}', 'scan.startup.mode' = 'earliest-offset',
          'scan.bounded.mode' = 'latest-offset', 'headrace.errors.mode' = 'skip',
          'format' = 'avro-confluent', 'avro-confluent.url' = 'http://127.0.0.1:{free_port()}')""")
    with pytest.raises(EnvironmentFault) as caught:
        list(env.execute_sql("SELECT * FROM orders").collect())
    assert caught.value.condition == "REGISTRY_UNREACHABLE"
    assert len(caught.value.render().splitlines()) <= 5
