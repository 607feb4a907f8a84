from __future__ import annotations

import json

import pytest

from headrace.connect.jdbc.pipeline import _keeps_topic, _types, writer_spec

KAFKA = "org.apache.kafka.connect.transforms."


def test_the_writer_takes_topics_from_records_and_waits_for_all_brokers():
    spec = json.loads(writer_spec({"bootstrap.servers": "b:1", "linger.ms": "9"}))
    assert spec["topics"] == []
    assert spec["pattern"] == ".*"
    assert spec["properties"]["acks"] == "all"
    assert spec["properties"]["enable.idempotence"] == "true"
    assert (spec["properties"]["bootstrap.servers"], spec["properties"]["linger.ms"]) == (
        "b:1",
        "9",
    )


@pytest.mark.parametrize("name", ["ValueToKey", "ExtractField$Key", "InsertField$Value", "Filter"])
def test_transforms_that_leave_the_topic(name):
    assert _keeps_topic(KAFKA + name)


@pytest.mark.parametrize(
    "name", [f"{KAFKA}RegexRouter", f"{KAFKA}TimestampRouter", "mine:transform", "x.InsertField"]
)
def test_transforms_that_may_choose_another(name):
    assert not _keeps_topic(name)


def test_types_of_the_transforms_in_their_order():
    config = {"transforms": "b, a", "transforms.a.type": "A", "transforms.b.type": "B"}
    assert _types(config) == ["B", "A"]
    assert _types({}) == []
