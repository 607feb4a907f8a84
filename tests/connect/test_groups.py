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


def test_what_a_group_has_of_some_partitions(groups, topic):
    group = f"connect-{topic}"
    assert groups.committed(group, []) == {}
    assert groups.committed(group, [(topic, 0)]) == {}
    groups.replace(group, {(topic, 0): 3, (topic, 1): 4})
    assert groups.committed(group, [(topic, 1)]) == {(topic, 1): 4}


def test_a_client_that_failed_is_not_kept(groups):
    from confluent_kafka import KafkaError, KafkaException

    def failing(admin):
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "late"))

    before = groups.admin
    with pytest.raises(KafkaException):
        groups.ask(failing)
    assert groups.admin is not before


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


class TestCoordinators:
    def failing(self, code, times):
        from confluent_kafka import KafkaError, KafkaException

        left = [times]

        def ask():
            if left[0]:
                left[0] -= 1
                raise KafkaException(KafkaError(code))
            return "answer"

        return ask

    def test_one_that_loads_is_asked_again(self):
        from confluent_kafka import KafkaError

        from headrace.connect.groups import patiently

        assert patiently(self.failing(KafkaError.COORDINATOR_LOAD_IN_PROGRESS, 2)) == "answer"

    def test_other_faults_are_told(self):
        from confluent_kafka import KafkaError, KafkaException

        from headrace.connect.groups import patiently

        with pytest.raises(KafkaException):
            patiently(self.failing(KafkaError.GROUP_AUTHORIZATION_FAILED, 1))
