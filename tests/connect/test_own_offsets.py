from __future__ import annotations

import uuid

import pytest
from confluent_kafka.admin import AdminClient, ConfigResource, ResourceType

from headrace.connect import own_offsets as module
from headrace.connect.own_offsets import OwnTopics
from headrace.connect.state import canonical
from headrace.connect.topics import TopicSettings
from headrace.errors import EnvironmentFault
from headrace.testing.topics import create_topic, produce, read_topic

services = pytest.mark.services
USUAL = TopicSettings("connect-offsets", 3, -1, {"segment.bytes": "1048576"})


@pytest.fixture
def servers(kafka_broker):
    return kafka_broker.bootstrap_servers


@pytest.fixture
def opening(servers):
    return OwnTopics(USUAL, {"bootstrap.servers": servers, "producer.buffer.memory": "1000000"})


@pytest.fixture
def topic():
    return f"own-{uuid.uuid4().hex[:8]}"


def wanting(topic: str, **options: str) -> dict[str, str]:
    return {"offsets.storage.topic": topic, **options}


@services
def test_a_missing_topic_is_made_like_the_worker_s(opening, servers, topic):
    # Options of Java's producers that Python's do not know are no matter.
    opening("a", wanting(topic, **{"producer.override.buffer.memory": "2000000"}))
    admin = AdminClient({"bootstrap.servers": servers})
    resource = ConfigResource(ResourceType.TOPIC, topic)
    config = admin.describe_configs([resource])[resource].result()
    assert len(admin.list_topics(timeout=30).topics[topic].partitions) == 3
    assert config["cleanup.policy"].value == "compact"
    assert config["segment.bytes"].value == "1048576"


@services
def test_what_is_written_is_read_by_the_next_and_is_connect_s_record(opening, servers, topic):
    first = opening("a", wanting(topic))
    assert first.found == {}
    first.write([({"t": "1"}, {"at": 1}), ({"t": "2"}, {"at": 2})])
    first.write([({"t": "1"}, {"at": 3}), ({"t": "2"}, None)])
    expected = {canonical({"t": "1"}): ({"t": "1"}, {"at": 3})}
    assert first.found == expected
    assert opening("a", wanting(topic)).found == expected
    written = {(record.key, record.value) for record in read_topic(servers, topic)}
    assert (b'["a",{"t":"1"}]', b'{"at": 3}') in written
    assert (b'["a",{"t":"2"}]', None) in written


@services
def test_others_may_share_it(opening, servers, topic, caplog):
    opening("a", wanting(topic)).write([({"t": "1"}, {"at": 1})])
    opening("b", wanting(topic)).write([({"t": "1"}, {"at": 2})])
    produce(servers, topic, [("no json", "{}"), ('["b",{"t":"2"}]', "no json")])
    assert list(opening("a", wanting(topic)).found.values()) == [({"t": "1"}, {"at": 1})]
    assert list(opening("b", wanting(topic)).found.values()) == [({"t": "1"}, {"at": 2})]
    assert "among a connector's offsets is not understood" in caplog.text


@services
def test_a_topic_that_forgets_is_refused(opening, servers, topic):
    create_topic(servers, topic)
    with pytest.raises(EnvironmentFault, match="would forget what a worker keeps") as caught:
        opening("a", wanting(topic))
    assert caught.value.found == "cleanup.policy = delete"


@services
def test_a_topic_that_is_not_read_in_time(opening, topic, monkeypatch):
    opening("a", wanting(topic))
    monkeypatch.setattr(module, "PATIENCE_SECONDS", -1)
    with pytest.raises(EnvironmentFault, match="could not be read to its end"):
        opening("a", wanting(topic))


class TestChoice:
    WORKER = {"bootstrap.servers": "b1:1, b2:2"}  # noqa: RUF012

    def test_none_where_none_is_named(self):
        assert OwnTopics(USUAL, self.WORKER)("a", {}) is None

    def test_the_worker_s_own_is_no_other(self):
        assert OwnTopics(USUAL, self.WORKER)("a", wanting("connect-offsets")) is None

    def test_a_topic_of_that_name_elsewhere_is_another(self, monkeypatch):
        made = []
        monkeypatch.setattr(module, "OwnOffsets", lambda *given: made.append(given))
        config = wanting("connect-offsets", **{"producer.override.bootstrap.servers": "c:1"})
        OwnTopics(USUAL, self.WORKER)("a", config)
        ((name, topic, clients),) = made
        assert (name, topic) == ("a", USUAL)
        assert clients["producer"] == {"bootstrap.servers": "c:1"}
        assert clients["admin"] == {"bootstrap.servers": "b1:1,b2:2"}
