"""Batches as they are read, beyond what the task's tests see."""

from __future__ import annotations

import uuid

import pytest

from headrace.testing.lake import Lake
from headrace.testing.topics import create_topic, produce

pytestmark = [pytest.mark.spark, pytest.mark.services]


@pytest.fixture
def lake(kafka_broker, spark, tmp_path):
    return Lake(kafka_broker.bootstrap_servers, tmp_path)


@pytest.fixture
def prefix():
    return f"b{uuid.uuid4().hex[:8]}"


def test_names_are_put_together_as_asked(lake, prefix):
    create_topic(lake.servers, prefix, partitions=1)
    produce(lake.servers, prefix, [(None, {"n": 1})])
    lake.task(
        topics=prefix,
        flush_size="1",
        topics_dir="raw",
        directory_delim="_",
        file_delim="-",
        filename_offset_zero_pad_width="3",
    ).round()
    assert list(lake.files()) == [f"raw_{prefix}_partition=0_{prefix}-0-000.json"]


def test_offsets_need_no_zeros(lake, prefix):
    create_topic(lake.servers, prefix, partitions=1)
    produce(lake.servers, prefix, [(None, {"n": n}) for n in range(11)])
    lake.task(topics=prefix, flush_size="10", filename_offset_zero_pad_width="0").round()
    assert list(lake.files()) == [f"topics/{prefix}/partition=0/{prefix}+0+0.json"]


def test_several_topics_and_partitions_and_those_that_come_later(lake, prefix):
    create_topic(lake.servers, f"{prefix}.a", partitions=2)
    produce(lake.servers, f"{prefix}.a", [(str(i), {"n": i}) for i in range(10)])
    task = lake.task(topics_regex=f"{prefix}\\..*", flush_size="1")
    task.round()
    assert len(lake.files()) == 10
    create_topic(lake.servers, f"{prefix}.b")
    produce(lake.servers, f"{prefix}.b", [(None, {"n": 10})])
    task.topics.looked = float("-inf")
    task.rounds.ended_ms = 0
    task.round()
    assert len(lake.files()) == 11
    assert lake.used == {f"{prefix}.a", f"{prefix}.b"}


def test_files_are_named_after_the_topic_that_a_transform_gives(lake, prefix):
    create_topic(lake.servers, prefix)
    produce(lake.servers, prefix, [(None, {"n": 1})])
    config = lake.config(topics=prefix, flush_size="1") | {
        "transforms": "route",
        "transforms.route.type": "org.apache.kafka.connect.transforms.RegexRouter",
        "transforms.route.regex": ".*",
        "transforms.route.replacement": "all",
    }
    task = lake.exact_task(config)
    task.round()
    assert list(lake.files()) == ["topics/all/partition=0/all+0+0000000000.json"]
    assert lake.offsets(task) == {0: 1}


def test_records_that_transforms_drop_are_done_with(lake, prefix):
    create_topic(lake.servers, prefix)
    produce(lake.servers, prefix, [(None, {"n": 1}), (None, {"n": 2})])
    config = lake.config(topics=prefix, flush_size="1") | {
        "transforms": "none",
        "transforms.none.type": "org.apache.kafka.connect.transforms.Filter",
    }
    task = lake.exact_task(config)
    task.round()
    assert lake.files() == {}
    assert lake.offsets(task) == {0: 2}


def test_consumers_as_the_connector_asks(lake, prefix):
    create_topic(lake.servers, prefix)
    produce(lake.servers, prefix, [(None, {"n": 1})])
    config = lake.config(topics=prefix, flush_size="1") | {
        "consumer.override.group.id": f"{prefix}-group",
        "consumer.override.auto.offset.reset": "latest",
        "consumer.override.isolation.level": "read_committed",
    }
    task = lake.exact_task(config)
    task.round()
    assert (lake.files(), task.topics.group) == ({}, f"{prefix}-group")
    produce(lake.servers, prefix, [(None, {"n": 2})])
    task.round()
    assert list(lake.files().values()) == [b'{"n":2}\n']
