"""What users of Connect's sink to S3 ask for, and how it is had here; docs/connect.md says the same."""

from __future__ import annotations

import uuid

import pytest

from headrace.connect.lake.options import PARTITIONERS
from headrace.testing.connect import KAFKA
from headrace.testing.lake import Lake
from headrace.testing.topics import create_topic

pytestmark = [pytest.mark.spark, pytest.mark.services]

ROW = (
    b'{"schema":{"type":"struct","optional":false,"name":"order","fields":['
    b'{"field":"Country","type":"string","optional":true},{"field":"n","type":"int32","optional":false}]},'
    b'"payload":{"Country":"India","n":1}}'
)
FIELD = {
    "partitioner_class": f"{PARTITIONERS}FieldPartitioner",
    "value_converter_schemas_enable": "true",
    "headrace_partition_field_keep": "false",
    "flush_size": "1",
}


@pytest.fixture
def lake(kafka_broker, spark, tmp_path):
    return Lake(kafka_broker.address, tmp_path)


@pytest.fixture
def topic(lake):
    from confluent_kafka import Producer

    name = f"t-{uuid.uuid4().hex[:8]}"
    create_topic(lake.servers, name)
    producer = Producer({"bootstrap.servers": lake.servers})
    producer.produce(name, ROW, b"k7", headers=[("tenant", b"acme")], timestamp=1487151930000)
    producer.flush()
    return name


def test_paths_by_field_and_time(lake, topic):
    lake.task(
        topics=topic,
        transforms="when,day",
        transforms_when_type=f"{KAFKA}InsertField$Value",
        transforms_when_timestamp_field="day",
        transforms_day_type=f"{KAFKA}TimestampConverter$Value",
        transforms_day_field="day",
        transforms_day_target_type="string",
        transforms_day_format="yyyy-MM-dd",
        partition_field_name="Country,day",
        **FIELD,
    ).round()
    name = f"topics/{topic}/Country=India/day=2017-02-15/{topic}+0+0000000000.json"
    assert lake.files() == {name: b'{"n":1}\n'}


def test_names_of_folders_in_small_letters(lake, topic):
    lake.task(
        topics=topic,
        transforms="small",
        transforms_small_type=f"{KAFKA}ReplaceField$Value",
        transforms_small_renames="Country:country",
        partition_field_name="country",
        **FIELD,
    ).round()
    assert lake.files() == {f"topics/{topic}/country=India/{topic}+0+0000000000.json": b'{"n":1}\n'}


def with_key_and_tenant(frame, options):
    """A transform: the key and a header as fields of the value."""
    from pyspark.sql import functions as sf

    tenant = sf.filter("headers", lambda header: header["key"] == "tenant")[0]["value"]
    value = sf.struct("value.*", sf.col("key").alias("key"), tenant.cast("string").alias("tenant"))
    return frame.withColumn("value", value)


def test_paths_by_key_and_header(lake, topic):
    lake.task(
        topics=topic,
        transforms="both",
        transforms_both_type=f"{__name__}:with_key_and_tenant",
        partition_field_name="tenant,key",
        **FIELD,
    ).round()
    assert lake.files() == {
        f"topics/{topic}/tenant=acme/key=k7/{topic}+0+0000000000.json": b'{"Country":"India","n":1}\n'
    }


def test_after_a_pause_a_schedule_does_not_write_the_first_record_alone(lake, topic):
    schedule = {"rotate_schedule_interval_ms": "60000", "timezone": "UTC", "flush_size": "100"}
    task = lake.task(topics=f"{topic}-none", **schedule)
    # Moments pass while there is nothing to write, and the next one lies ahead.
    task.schedule_ms = 1
    assert not task.round()
    ahead = task.schedule_ms
    assert ahead % 60000 == 0
    task.topics.chosen = lake.task(topics=topic, **schedule).topics.chosen
    task.topics.looked = float("-inf")
    assert task.round()
    assert (lake.files(), task.schedule_ms >= ahead) == ({}, True)
