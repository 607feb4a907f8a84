from __future__ import annotations

import uuid

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer

from headrace.connect.group_client import GroupClient, patiently
from headrace.connect.outages import passes
from headrace.errors import EnvironmentFault
from headrace.services.ports import free_port
from headrace.testing.topics import create_topic, produce


@pytest.fixture
def topic(kafka_broker):
    name = f"client-{uuid.uuid4().hex[:8]}"
    create_topic(kafka_broker.bootstrap_servers, name, partitions=2)
    produce(kafka_broker.bootstrap_servers, name, [(None, "x")] * 10)
    return name


@pytest.fixture
def make(kafka_broker, topic):
    made = []

    def make(**options):
        client = {"bootstrap.servers": kafka_broker.bootstrap_servers, **options}
        made.append(GroupClient(client, f"group-{topic}"))
        return made[-1]

    yield make
    for one in made:
        one.close()


@pytest.mark.services
def test_what_is_committed_is_there_beside_what_was(make, topic):
    client = make()
    assert client.committed([]) == {}
    assert client.committed([(topic, 0)]) == {}
    client.commit({(topic, 0): 3})
    client.commit({(topic, 1): 4})
    assert client.committed([(topic, 1)]) == {(topic, 1): 4}
    assert make().all() == {(topic, 0): 3, (topic, 1): 4}


@pytest.mark.services
def test_offsets_of_a_topic_that_is_nowhere_are_refused(make):
    with pytest.raises(KafkaException) as caught:
        make().commit({("nowhere", 0): 3})
    assert caught.value.args[0].code() == KafkaError.UNKNOWN_TOPIC_OR_PART
    assert not passes(caught.value)


@pytest.mark.services
def test_both_ends_of_partitions(make, topic):
    client, places = make(), [(topic, 0), (topic, 1)]
    assert sum(client.ends(places).values()) == 10
    assert client.begins(places) == dict.fromkeys(places, 0)
    assert client.ends([]) == {}
    assert len(client.topics()[topic].partitions) == 2


@pytest.mark.services
@pytest.mark.parametrize(("level", "seen"), [("read_committed", 0), ("read_uncommitted", 1)])
def test_the_end_is_what_a_consumer_may_see(make, topic, kafka_broker, level, seen):
    client = make(**{"isolation.level": level})
    before = client.ends([(topic, 0)])[topic, 0]
    servers = kafka_broker.bootstrap_servers
    producer = Producer({"bootstrap.servers": servers, "transactional.id": topic})
    producer.init_transactions(60)
    producer.begin_transaction()
    producer.produce(topic, b"open", partition=0)
    producer.flush()
    assert client.ends([(topic, 0)])[topic, 0] - before == seen
    producer.abort_transaction(60)


class TestAway:
    """No broker: every question fails in time, with a fault that passes, and its consumer is not kept."""

    @pytest.fixture
    def client(self):
        return GroupClient({"bootstrap.servers": f"127.0.0.1:{free_port()}"}, "g", patience=0.2)

    @pytest.mark.parametrize(
        "ask",
        [
            lambda client: client.topics(),
            lambda client: client.all(),
            lambda client: client.committed([("t", 0)]),
            lambda client: client.ends([("t", 0)]),
            lambda client: client.begins([("t", 0)]),
        ],
    )
    def test_questions(self, client, ask):
        with pytest.raises((KafkaException, EnvironmentFault)) as caught:
            ask(client)
        assert passes(caught.value)
        assert client.consumer is None

    def test_commits(self, client, monkeypatch):
        monkeypatch.setattr("headrace.connect.group_client._COMMIT_MS", 100)
        with pytest.raises(KafkaException) as caught:
            client.commit({("t", 0): 1})
        assert passes(caught.value)
        assert client.consumer is None

    def test_partitions_that_nobody_leads(self, client):
        class Leaderless:
            def offsets_for_times(self, wanted, timeout):
                raise KafkaException(KafkaError(KafkaError._UNKNOWN_PARTITION))

            def close(self):
                pass

        client.consumer = Leaderless()
        with pytest.raises(EnvironmentFault, match="partitions have no leader") as caught:
            client.ends([("t", 0)])
        assert passes(caught.value)


class TestCoordinators:
    def failing(self, code, times):
        left = [times]

        def ask():
            if left[0]:
                left[0] -= 1
                raise KafkaException(KafkaError(code))
            return "answer"

        return ask

    def test_one_that_loads_is_asked_again(self):
        assert patiently(self.failing(KafkaError.COORDINATOR_LOAD_IN_PROGRESS, 2)) == "answer"

    def test_other_faults_are_told(self):
        with pytest.raises(KafkaException):
            patiently(self.failing(KafkaError.GROUP_AUTHORIZATION_FAILED, 1))
