from __future__ import annotations

import uuid
from concurrent.futures import Future
from types import SimpleNamespace

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect.jdbc.topics import Topics, faults, groups
from headrace.connect.outages import passes
from headrace.errors import EnvironmentFault

CONFIG = {
    "topic.creation.groups": "logs, big",
    "topic.creation.default.partitions": "2",
    "topic.creation.default.replication.factor": "1",
    "topic.creation.default.cleanup.policy": "compact",
    "topic.creation.logs.include": "log.*, audit",
    "topic.creation.logs.exclude": "logical",
    "topic.creation.logs.retention.ms": "1000",
    "topic.creation.big.include": ".*big",
    "topic.creation.big.partitions": "3",
}


def test_the_first_group_that_takes_a_topic_has_it():
    made = groups(CONFIG)
    assert [group.name for group in made] == ["logs", "big", "default"]
    chosen = {
        topic: next(group.name for group in made if group.takes(topic))
        for topic in ("log1", "audit", "logical", "so-big", "other")
    }
    assert chosen == {
        "log1": "logs",
        "audit": "logs",
        "logical": "default",
        "so-big": "big",
        "other": "default",
    }


def test_groups_have_the_default_s_sizes_but_not_its_settings():
    logs, big, default = groups(CONFIG)
    assert (logs.partitions, logs.replicas, dict(logs.config)) == (2, 1, {"retention.ms": "1000"})
    assert (big.partitions, big.replicas) == (3, 1)
    assert dict(default.config) == {"cleanup.policy": "compact"}


def test_without_options_the_broker_decides():
    (default,) = groups({})
    assert (default.partitions, default.replicas, dict(default.config)) == (-1, -1, {})


def test_what_connect_refuses():
    assert list(faults(CONFIG)) == []
    assert list(faults({})) == []
    wrong = dict(faults({"topic.creation.groups": "a", "topic.creation.default.partitions": "0"}))
    assert set(wrong) == {
        "topic.creation.default.replication.factor",
        "topic.creation.default.partitions",
        "topic.creation.a.include",
    }
    assert "positive" in wrong["topic.creation.default.partitions"]


def test_patterns_of_groups_are_javas():
    bad = CONFIG | {"topic.creation.big.exclude": "(, x"}
    assert dict(faults(bad)) == {
        "topic.creation.big.exclude": "Invalid value ( for configuration topic.creation.big.exclude: "
        "Invalid regex: Unclosed group near index 1"
    }
    (first, *_) = groups(CONFIG | {"topic.creation.logs.include": r"(?i)LOG\p{Punct}\w++"})
    assert first.takes("log-a")
    assert not first.takes("loga")


@pytest.mark.services
def test_topics_are_created_once_and_as_told(kafka_broker):
    from confluent_kafka.admin import AdminClient

    servers = kafka_broker.bootstrap_servers
    name = f"log-{uuid.uuid4().hex}"
    topics = Topics(CONFIG, {"bootstrap.servers": servers})
    assert topics.ensure([name]) == [name]
    assert topics.ensure([name]) == []
    found = AdminClient({"bootstrap.servers": servers}).list_topics(name).topics[name]
    assert len(found.partitions) == 2
    # Another task that has not heard of it.
    assert Topics({}, {"bootstrap.servers": servers}).ensure([name]) == [name]


class Admin:
    """Knows no topic, and fails to create any in the way it is told."""

    def __init__(self, code: int) -> None:
        self.code = code

    def list_topics(self, timeout):
        return SimpleNamespace(topics={})

    def create_topics(self, wanted, request_timeout):
        failed: Future[None] = Future()
        failed.set_exception(KafkaException(KafkaError(self.code, "told so")))
        return {topic.topic: failed for topic in wanted}


def creating(code: int) -> Topics:
    topics = Topics({}, {"bootstrap.servers": "b:1"})
    topics._admin = Admin(code)
    return topics


@pytest.mark.parametrize("code", [KafkaError._TIMED_OUT, KafkaError._TRANSPORT])
def test_brokers_that_are_away_are_no_refusal(code):
    topics = creating(code)
    with pytest.raises(KafkaException) as caught:
        topics.ensure(["t"])
    assert passes(caught.value)
    assert topics.known == set()


def test_what_brokers_refuse_is_told():
    with pytest.raises(EnvironmentFault, match="told so") as caught:
        creating(KafkaError.TOPIC_AUTHORIZATION_FAILED).ensure(["t"])
    assert not passes(caught.value)
    assert creating(KafkaError.TOPIC_ALREADY_EXISTS).ensure(["t"]) == ["t"]
