from __future__ import annotations

import uuid

import pytest

from headrace.connect.answers import Refusal
from headrace.connect.groups import KafkaGroups
from headrace.testing.topics import create_topic, eventually, produce

pytestmark = pytest.mark.services


@pytest.fixture
def topic(kafka_broker):
    name = f"groups-{uuid.uuid4().hex[:8]}"
    create_topic(kafka_broker.bootstrap_servers, name, partitions=2)
    produce(kafka_broker.bootstrap_servers, name, [(None, "x")] * 10)
    return name


@pytest.fixture
def groups(kafka_broker):
    return KafkaGroups({"bootstrap.servers": kafka_broker.bootstrap_servers})


def test_offsets_are_set_changed_and_taken_away(groups, topic):
    group = f"connect-{topic}"
    assert groups.read(group) == {}
    groups.replace(group, {(topic, 0): 3, (topic, 1): 4})
    assert groups.read(group) == {(topic, 0): 3, (topic, 1): 4}
    groups.replace(group, {(topic, 0): 3, (topic, 1): 0})
    assert groups.read(group)[topic, 1] == 0
    groups.replace(group, {(topic, 1): 7})
    assert groups.read(group) == {(topic, 1): 7}
    groups.replace(group, {})
    assert groups.read(group) == {}


def test_a_group_with_members_is_left_alone(groups, topic, kafka_broker):
    from confluent_kafka import Consumer

    group = f"connect-{topic}"
    groups.replace(group, {(topic, 0): 1})
    servers = kafka_broker.bootstrap_servers
    member = Consumer({"bootstrap.servers": servers, "group.id": group})
    member.subscribe([topic])
    try:
        eventually(lambda: (member.poll(0.1), member.assignment())[1], bool)
        for positions in ({}, {(topic, 0): 5}):
            with pytest.raises(Refusal, match="still has members"):
                groups.replace(group, positions)
        assert groups.read(group) == {(topic, 0): 1}
    finally:
        member.close()


def test_offsets_of_places_that_are_nowhere(groups, topic):
    from headrace.connect.offsets import UnknownPlace

    with pytest.raises(UnknownPlace):
        groups.replace(f"connect-{topic}", {(topic, 0): 1, ("nowhere", 0): 1})


def test_no_broker_is_waited_for_without_end(monkeypatch):
    from confluent_kafka import KafkaException

    from headrace.connect.outages import passes
    from headrace.services.ports import free_port

    monkeypatch.setattr("headrace.connect.groups._PATIENCE_SECONDS", 0.2)
    with pytest.raises(KafkaException) as caught:
        KafkaGroups({"bootstrap.servers": f"127.0.0.1:{free_port()}"}).read("g")
    assert passes(caught.value)


def test_a_group_that_loses_nothing_is_not_deleted(groups, topic, monkeypatch):
    group = f"connect-{topic}"
    groups.replace(group, {(topic, 0): 1})
    deleted = []
    monkeypatch.setattr(groups, "_delete", deleted.append)
    groups.replace(group, {(topic, 0): 5, (topic, 1): 2})
    assert deleted == []
    assert groups.read(group) == {(topic, 0): 5, (topic, 1): 2}
    groups.replace(group, {(topic, 0): 5})
    assert deleted == [group]
