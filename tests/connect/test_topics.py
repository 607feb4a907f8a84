from __future__ import annotations

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from headrace.connect.topics import Entry, Fenced, KafkaLog, Store, TopicSettings, cluster_id
from headrace.errors import EnvironmentFault
from headrace.services.ports import free_port
from headrace.testing.topics import create_topic, produce, read_topic

pytestmark = pytest.mark.services


def test_silent_brokers_are_told_as_such():
    client = {"bootstrap.servers": f"127.0.0.1:{free_port()}"}
    with pytest.raises(EnvironmentFault, match="no broker answers") as caught:
        cluster_id(client, seconds=0.5)
    assert caught.value.condition == "BROKER_UNREACHABLE"


@pytest.fixture
def names():
    prefix = f"topics-{uuid.uuid4().hex[:8]}"
    return {
        Store.CONFIG: TopicSettings(f"{prefix}-configs", 1),
        Store.OFFSET: TopicSettings(f"{prefix}-offsets", 3),
        Store.STATUS: TopicSettings(f"{prefix}-status", 2),
    }


@pytest.fixture
def open_log(kafka_broker, names):
    opened = []

    def start(apply=lambda entry: None) -> KafkaLog:
        client = {"bootstrap.servers": kafka_broker.bootstrap_servers}
        log = KafkaLog(client, names, names[Store.CONFIG].name)
        opened.append(log)
        log.start(apply)
        return log

    yield start
    for log in opened:
        log.stop()


def test_what_is_written_is_applied_here_and_by_the_next_worker(open_log):
    seen = []
    log = open_log(seen.append)
    log.lead()
    entries = [
        Entry(Store.CONFIG, "connector-a", {"properties": {"x": "1"}}),
        Entry(Store.CONFIG, "target-state-a", {"state": "STARTED"}),
        Entry(Store.STATUS, "status-connector-a", {"state": "RUNNING"}),
        Entry(Store.OFFSET, '["a",{"t":1}]', {"p": 2}),
        Entry(Store.CONFIG, "connector-a", None),
    ]
    log.write(entries)
    assert sorted(map(repr, seen)) == sorted(map(repr, entries))
    later = []
    open_log(later.append)
    assert sorted(map(repr, later)) == sorted(map(repr, entries))
    configs = [entry for entry in later if entry.store is Store.CONFIG]
    assert configs == [entries[0], entries[1], entries[4]]


def test_missing_topics_are_created_compacted(open_log, names, kafka_broker):
    from confluent_kafka.admin import AdminClient, ConfigResource, ResourceType

    open_log()
    admin = AdminClient({"bootstrap.servers": kafka_broker.bootstrap_servers})
    known = admin.list_topics(timeout=30).topics
    assert [len(known[topic.name].partitions) for topic in names.values()] == [1, 3, 2]
    for topic in names.values():
        resource = ConfigResource(ResourceType.TOPIC, topic.name)
        config = admin.describe_configs([resource])[resource].result()
        assert config["cleanup.policy"].value == "compact"


def test_a_former_leader_cannot_write_configs(open_log, names, kafka_broker):
    first, second = open_log(), open_log()
    first.lead()
    second.lead()
    with pytest.raises(Fenced):
        first.write([Entry(Store.CONFIG, "connector-old", {"properties": {}})])
    second.write([Entry(Store.CONFIG, "connector-new", {"properties": {}})])
    records = read_topic(kafka_broker.bootstrap_servers, names[Store.CONFIG].name)
    assert [record.key for record in records] == [b"connector-new"]


def test_who_never_led_cannot_write_configs(open_log):
    with pytest.raises(Fenced):
        open_log().write([Entry(Store.CONFIG, "connector-a", {"properties": {}})])


def test_records_that_mean_nothing_are_passed_by(open_log, names, kafka_broker):
    topic = names[Store.CONFIG].name
    create_topic(kafka_broker.bootstrap_servers, topic, cleanup_policy="compact")
    produce(kafka_broker.bootstrap_servers, topic, [("connector-a", "no json")])
    seen = []
    log = open_log(seen.append)
    log.lead()
    log.write([Entry(Store.CONFIG, "connector-b", {"properties": {}})])
    assert [entry.key for entry in seen] == ["connector-b"]


def test_many_may_write_at_once(open_log):
    seen = []
    log = open_log(seen.append)
    log.lead()
    entries = [
        Entry(Store.CONFIG, f"connector-{number}", {"properties": {}}) for number in range(8)
    ]
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda entry: log.write([entry]), entries))
    assert sorted(entry.key for entry in seen) == sorted(entry.key for entry in entries)


def test_another_worker_follows(open_log):
    arrived = threading.Event()
    open_log(lambda entry: arrived.set())
    leader = open_log()
    leader.lead()
    leader.write([Entry(Store.CONFIG, "connector-a", {"properties": {}})])
    assert arrived.wait(30)


def test_configs_need_one_partition(open_log, names, kafka_broker):
    create_topic(kafka_broker.bootstrap_servers, names[Store.CONFIG].name, partitions=2)
    with pytest.raises(EnvironmentFault, match="1 partition"):
        open_log()


@pytest.mark.parametrize("store", list(Store))
def test_topics_that_forget_are_refused(open_log, names, kafka_broker, store):
    create_topic(kafka_broker.bootstrap_servers, names[store].name)
    with pytest.raises(EnvironmentFault, match="would forget") as caught:
        open_log()
    assert caught.value.found == "cleanup.policy = delete"
