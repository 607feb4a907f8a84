from __future__ import annotations

import uuid
from types import SimpleNamespace

import pytest
from confluent_kafka import Consumer, KafkaError, KafkaException, Producer

from headrace.connect.group_client import GroupClient, patiently
from headrace.connect.outages import passes
from headrace.errors import EnvironmentFault
from headrace.services.ports import free_port
from headrace.testing.topics import create_topic, eventually, produce


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


@pytest.mark.services
def test_one_consumer_asks_until_it_is_closed(make, topic):
    client = make()
    client.topics()
    asking = client.consumer
    client.ends([(topic, 0)])
    client.commit({(topic, 0): 1})
    assert client.consumer is asking
    client.close()
    client.close()
    assert client.committed([(topic, 0)]) == {(topic, 0): 1}
    assert client.consumer is not asking


@pytest.mark.services
def test_members_of_the_group_are_not_interfered_with(make, topic, kafka_broker):
    client = make()
    servers = kafka_broker.bootstrap_servers
    member = Consumer({"bootstrap.servers": servers, "group.id": client.group})
    member.subscribe([topic])
    try:
        eventually(lambda: (member.poll(0.1), member.assignment())[1], bool)
        with pytest.raises(KafkaException) as caught:
            client.commit({(topic, 0): 1})
        assert caught.value.args[0].code() == KafkaError.UNKNOWN_MEMBER_ID
        assert len(member.assignment()) == 2
    finally:
        member.close()


class Answering:
    """A consumer whose answers about partitions have a fault in them."""

    def __init__(self, code: int) -> None:
        fault = KafkaError(code)
        self.answer = [SimpleNamespace(topic="t", partition=0, offset=1, error=fault)]
        self.closed = False

    def committed(self, wanted, timeout):
        return self.answer

    def offsets_for_times(self, wanted, timeout):
        return self.answer

    def commit(self, offsets, asynchronous):
        return self.answer

    def close(self):
        self.closed = True


@pytest.mark.parametrize(
    "ask",
    [
        lambda client: client.committed([("t", 0)]),
        lambda client: client.ends([("t", 0)]),
        lambda client: client.commit({("t", 0): 1}),
    ],
)
def test_a_fault_of_one_partition_is_one_of_the_answer(ask):
    client = GroupClient({"bootstrap.servers": "b:1"}, "g")
    client.consumer = Answering(KafkaError.TOPIC_AUTHORIZATION_FAILED)
    with pytest.raises(KafkaException) as caught:
        ask(client)
    assert caught.value.args[0].code() == KafkaError.TOPIC_AUTHORIZATION_FAILED


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
