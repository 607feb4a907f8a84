from __future__ import annotations

import json
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from confluent_kafka import KafkaError, KafkaException

from headrace.connect import topics
from headrace.connect.topics import Entry, Fenced, KafkaLog, Store, TopicSettings, cluster_id
from headrace.errors import EnvironmentFault
from headrace.services.ports import free_port
from headrace.testing.topics import create_topic, produce, read_topic

services = pytest.mark.services


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


@services
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


@services
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


@services
def test_a_former_leader_cannot_write_configs(open_log, names, kafka_broker):
    first, second = open_log(), open_log()
    first.lead()
    second.lead()
    with pytest.raises(Fenced):
        first.write([Entry(Store.CONFIG, "connector-old", {"properties": {}})])
    second.write([Entry(Store.CONFIG, "connector-new", {"properties": {}})])
    records = read_topic(kafka_broker.bootstrap_servers, names[Store.CONFIG].name)
    assert [record.key for record in records] == [b"connector-new"]


@services
def test_who_never_led_cannot_write_configs(open_log):
    with pytest.raises(Fenced):
        open_log().write([Entry(Store.CONFIG, "connector-a", {"properties": {}})])


@services
def test_records_that_mean_nothing_are_passed_by(open_log, names, kafka_broker):
    topic = names[Store.CONFIG].name
    create_topic(kafka_broker.bootstrap_servers, topic, cleanup_policy="compact")
    produce(kafka_broker.bootstrap_servers, topic, [("connector-a", "no json")])
    seen = []
    log = open_log(seen.append)
    log.lead()
    log.write([Entry(Store.CONFIG, "connector-b", {"properties": {}})])
    assert [entry.key for entry in seen] == ["connector-b"]


@services
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


@services
def test_another_worker_follows(open_log):
    arrived = threading.Event()
    open_log(lambda entry: arrived.set())
    leader = open_log()
    leader.lead()
    leader.write([Entry(Store.CONFIG, "connector-a", {"properties": {}})])
    assert arrived.wait(30)


@services
def test_configs_need_one_partition(open_log, names, kafka_broker):
    create_topic(kafka_broker.bootstrap_servers, names[Store.CONFIG].name, partitions=2)
    with pytest.raises(EnvironmentFault, match="1 partition"):
        open_log()


@services
@pytest.mark.parametrize("store", list(Store))
def test_topics_that_forget_are_refused(open_log, names, kafka_broker, store):
    create_topic(kafka_broker.bootstrap_servers, names[store].name)
    with pytest.raises(EnvironmentFault, match="would forget") as caught:
        open_log()
    assert caught.value.found == "cleanup.policy = delete"


class Future:
    """What an admin client gives: a result, or an error."""

    def __init__(self, outcome=None) -> None:
        self.outcome = outcome

    def result(self):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return self.outcome


class Admin:
    def __init__(self, created=None, configs=None) -> None:
        self.created, self.configs = created, configs
        self.wanted = []

    def create_topics(self, wanted):
        self.wanted = wanted
        return {topic.topic: Future(self.created) for topic in wanted}

    def describe_configs(self, resources):
        return {resource: Future(self.configs) for resource in resources}


class Message:
    def __init__(self, key=b"k", value=None, offset=0, error=None) -> None:
        self.parts = key, value, offset, error

    def key(self):
        return self.parts[0]

    def value(self):
        return self.parts[1]

    def offset(self):
        return self.parts[2]

    def error(self):
        return self.parts[3]

    def topic(self):
        return "configs"

    def partition(self):
        return 0


class Producer:
    """Delivers at once. `fails` names the call that fails and how."""

    def __init__(self, **fails: Exception) -> None:
        self.fails = fails
        self.calls: list[str] = []
        self.sent: list[tuple[str, bytes | None, bytes]] = []

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if name in self.fails:
            raise self.fails[name]

    def begin_transaction(self):
        self._call("begin")

    def commit_transaction(self, seconds):
        self._call("commit")

    def abort_transaction(self, seconds):
        self._call("abort")

    def flush(self, seconds):
        self._call("flush")
        return 0

    def purge(self):
        self._call("purge")

    def produce(self, topic, value, key, on_delivery):
        self.sent.append((topic, value, key))
        on_delivery(self.fails.get("deliver"), Message(offset=len(self.sent) - 1))


def fault(code: int, **more: bool) -> KafkaException:
    return KafkaException(KafkaError(code, "told so", **more))


@pytest.fixture
def log():
    """A log that is not connected to anything."""
    stores = {store: TopicSettings(name, 1) for store, name in NAMES.items()}
    return KafkaLog({"bootstrap.servers": "nowhere:1"}, stores, "id")


NAMES = {Store.CONFIG: "configs", Store.OFFSET: "offsets", Store.STATUS: "status"}
ENTRY = Entry(Store.CONFIG, "connector-a", {"properties": {}})


class TestCreation:
    def test_topics_are_compacted_and_shaped_as_asked(self):
        admin = Admin()
        topics._create(admin, [TopicSettings("t", 3, 2, {"min.insync.replicas": "2"})])
        (wanted,) = admin.wanted
        assert (wanted.topic, wanted.num_partitions, wanted.replication_factor) == ("t", 3, 2)
        assert wanted.config == {"cleanup.policy": "compact", "min.insync.replicas": "2"}

    def test_another_worker_may_have_been_faster(self):
        topics._create(Admin(fault(KafkaError.TOPIC_ALREADY_EXISTS)), [TopicSettings("t", 1)])

    def test_other_faults_are_told(self):
        with pytest.raises(EnvironmentFault, match="told so") as raised:
            topics._create(
                Admin(fault(KafkaError.TOPIC_AUTHORIZATION_FAILED)), [TopicSettings("t", 1)]
            )
        assert "cleanup.policy = compact" in str(raised.value.cure)

    def test_more_copies_than_brokers(self):
        with pytest.raises(EnvironmentFault, match="topic 't'") as raised:
            topics._create(
                Admin(fault(KafkaError.INVALID_REPLICATION_FACTOR)), [TopicSettings("t", 1, 3)]
            )
        assert "storage.replication.factor" in str(raised.value.cure)

    def test_only_configs_need_one_partition(self):
        topics._require_shape(Store.OFFSET, "offsets", 25)
        topics._require_shape(Store.CONFIG, "configs", 1)
        with pytest.raises(EnvironmentFault, match="whose order counts") as caught:
            topics._require_shape(Store.CONFIG, "configs", 2)
        assert caught.value.found == "2 partitions"

    def test_settings_that_may_not_be_seen_are_taken_for_good(self, caplog):
        topics.require_compaction(
            Admin(configs=fault(KafkaError.TOPIC_AUTHORIZATION_FAILED)), ["configs"]
        )
        assert "the settings of topic 'configs' are not known" in caplog.text


class TestReading:
    def test_a_record_is_applied_and_passed(self, log):
        seen = []
        log._take(Message(b"connector-a", b'{"properties": {}}', 4), seen.append)
        assert seen == [ENTRY]
        assert log.positions == {("configs", 0): 5}

    def test_a_tombstone_has_no_value(self, log):
        seen = []
        log._take(Message(b"connector-a", None, 0), seen.append)
        assert seen == [Entry(Store.CONFIG, "connector-a", None)]

    @pytest.mark.parametrize(
        ("key", "value"), [(b"a", b"no json"), (None, b"{}"), (b"\xff", b"{}")]
    )
    def test_what_means_nothing_is_passed_by(self, log, key, value, caplog):
        log._take(Message(key, value, 7), lambda entry: None)
        assert log.positions == {("configs", 0): 8}
        assert "not understood: configs-0 at 7" in caplog.text

    def test_the_end_of_a_partition_counts_as_reached(self, log):
        log._take(
            Message(offset=9, error=KafkaError(KafkaError._PARTITION_EOF)), lambda entry: None
        )
        assert log.positions == {("configs", 0): 9}
        assert log._passed(("configs", 0, 8))
        assert not log._passed(("configs", 0, 9))

    def test_other_errors_reach_nothing(self, log):
        log._take(Message(offset=9, error=KafkaError(KafkaError._TRANSPORT)), lambda entry: None)
        assert log.positions == {}

    def test_who_waits_is_told_when_following_fails(self, log):
        class Broken:
            def consume(self, count, seconds):
                raise RuntimeError("the consumer is gone")

        log.consumer = Broken()
        log._follow(lambda entry: None)
        with pytest.raises(RuntimeError, match="the consumer is gone"):
            log._wait(lambda: False)

    def test_patience_ends(self, log, monkeypatch):
        monkeypatch.setattr(topics, "PATIENCE_SECONDS", 0.01)
        with pytest.raises(EnvironmentFault, match="could not be read to their ends") as caught:
            log._wait(lambda: False)
        assert caught.value.where == "nowhere:1"


class TestTransactions:
    def test_configs_are_written_in_one(self, log):
        log.leader = Producer()
        ends = log._in_transaction([ENTRY, Entry(Store.CONFIG, "connector-b", None)])
        assert log.leader.calls == ["begin", "flush", "commit"]
        assert [(topic, key) for topic, _, key in log.leader.sent] == [
            ("configs", b"connector-a"),
            ("configs", b"connector-b"),
        ]
        assert json.loads(log.leader.sent[0][1]) == ENTRY.value
        assert log.leader.sent[1][1] is None
        assert ends == [("configs", 0, 0), ("configs", 0, 1)]

    def test_who_does_not_lead_writes_none(self, log):
        with pytest.raises(Fenced, match="does not lead"):
            log.write([ENTRY])

    def test_what_fails_is_taken_back(self, log):
        log.leader = Producer(commit=fault(KafkaError._TIMED_OUT))
        with pytest.raises(KafkaException):
            log._in_transaction([ENTRY])
        assert log.leader.calls[-1] == "abort"

    def test_what_cannot_be_taken_back_is_a_former_leaders(self, log):
        log.leader = Producer(commit=fault(KafkaError._TIMED_OUT), abort=fault(KafkaError._FENCED))
        with pytest.raises(Fenced):
            log._in_transaction([ENTRY])
        assert log.leader is None

    def test_a_fatal_error_is_not_even_tried_to_be(self, log):
        leader = log.leader = Producer(commit=fault(KafkaError._FENCED, fatal=True))
        with pytest.raises(Fenced):
            log._in_transaction([ENTRY])
        assert "abort" not in leader.calls
        assert log.leader is None

    def test_a_record_that_is_not_delivered_fails_them_all(self, log):
        log.leader = Producer(deliver=KafkaError(KafkaError._MSG_TIMED_OUT))
        with pytest.raises(KafkaException):
            log._in_transaction([ENTRY])
        assert log.leader.calls == ["begin", "flush", "abort"]

    def test_a_late_step_is_called_again(self, log):
        late, calls = fault(KafkaError._TIMED_OUT, retriable=True), []

        def step(seconds):
            calls.append(seconds)
            if len(calls) < 3:
                raise late

        log._in_steps(step)
        assert len(calls) == 3

    @pytest.mark.parametrize("event", ["resigned", "stopping"])
    def test_until_it_is_given_up(self, log, event):
        getattr(log, event).set()
        log.leader = Producer(commit=fault(KafkaError._TIMED_OUT, retriable=True))
        with pytest.raises(KafkaException):
            log._in_steps(log.leader.commit_transaction)
        assert log.leader.calls == ["commit"]

    def test_patience_with_steps_ends(self, log, monkeypatch):
        monkeypatch.setattr(topics, "PATIENCE_SECONDS", 0.0)
        log.leader = Producer(commit=fault(KafkaError._TIMED_OUT, retriable=True))
        with pytest.raises(KafkaException):
            log._in_steps(log.leader.commit_transaction)

    def test_an_error_within_an_error_is_the_inner_one(self):
        inner = fault(KafkaError._FENCED)
        outer = SystemError("returned a result with an exception set")
        outer.__cause__ = inner
        with pytest.raises(KafkaException):
            topics._flushed(Producer(flush=outer))
        with pytest.raises(SystemError):
            topics._flushed(Producer(flush=SystemError("something else")))


STATUS = Entry(Store.STATUS, "status-connector-a", {"state": "RUNNING"})


class TestResigning:
    def test_nothing_is_written_any_more(self, log):
        leader = log.leader = Producer()
        log.producer = Producer()
        log.resign()
        assert leader.calls == log.producer.calls == ["purge"]
        for entry in (ENTRY, STATUS):
            with pytest.raises(Fenced):
                log.write([entry])
        assert log.producer.sent == []

    def test_who_waits_gives_up(self, log):
        log.producer = Producer()
        timer = threading.Timer(0.01, log.resign)
        timer.start()
        with pytest.raises(Fenced):
            log._wait(lambda: False)
        timer.join()

    def test_what_was_taken_back_was_not_written(self, log):
        class Purged(Producer):
            def flush(self, seconds):
                log.resign()
                return 0

        log.producer = Purged(deliver=KafkaError(KafkaError._PURGE_QUEUE))
        with pytest.raises(Fenced):
            log.write([STATUS])

    def test_a_transaction_is_left_to_the_next_leader(self, log):
        class Purged(Producer):
            def flush(self, seconds):
                log.resign()
                return 0

        leader = log.leader = Purged(deliver=KafkaError(KafkaError._PURGE_QUEUE))
        with pytest.raises(Fenced):
            log.write([ENTRY])
        assert "abort" not in leader.calls


@pytest.mark.parametrize(
    ("error", "kept"), [(KafkaError._FATAL, False), (KafkaError._MSG_TIMED_OUT, True)]
)
def test_a_producer_that_is_lost_is_replaced(log, error, kept):
    before = log.producer = Producer(deliver=KafkaError(error))
    with pytest.raises(KafkaException):
        log.write([STATUS])
    assert (log.producer is before) is kept


@services
def test_a_term_after_a_term(open_log):
    seen = []
    log = open_log(seen.append)
    log.lead()
    log.write([ENTRY])
    log.resign()
    with pytest.raises(Fenced):
        log.write([ENTRY, STATUS])
    log.lead()
    log.write([ENTRY, STATUS])
    assert seen == [ENTRY, ENTRY, STATUS]
