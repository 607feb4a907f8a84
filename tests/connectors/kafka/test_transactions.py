from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest

from headrace.catalog.connector import Changes
from headrace.connectors.kafka import transactions
from headrace.connectors.kafka.settings import settings_of
from headrace.connectors.kafka.write import writer
from headrace.runtime.faults import translate
from headrace.testing.spark import write_batch
from headrace.testing.topics import eventually, read_topic

EXACTLY = {"sink.delivery-guarantee": "exactly-once", "sink.transactional-id-prefix": "p"}
# No attempt of a task has this number by itself.
RIVAL = 99
SCHEMA = "id BIGINT, name STRING, __weight BIGINT"


class Told:
    """Stands for the writer of the JVM."""

    def __init__(self):
        self.calls = []

    def withinTransactions(self, *arguments):
        self.calls.append(arguments)


def test_ids_tell_prefix_job_and_sink_apart(kafka_table):
    settings = settings_of(kafka_table(EXACTLY))
    ids = {transactions.prefix_of(settings, job, n) for job in ("a-1", "b-2") for n in (0, 1)}
    assert ids == {"p-a-1-0", "p-a-1-1", "p-b-2-0", "p-b-2-1"}


def test_decisions_go_with_the_checkpoint_and_numbers_of_tasks_stay(kafka_table, tmp_path):
    told = Told()
    transactions.begin(settings_of(kafka_table(EXACTLY)), told, tmp_path / "job-1", 2)
    ((prefix, decision, used, asks_broker),) = told.calls
    assert prefix == "p-job-1-2"
    assert decision == str(tmp_path / "job-1/checkpoint/transactions/2.json")
    assert used == str(tmp_path / "job-1/transactions/2.json")
    assert asks_broker is False


def test_pooling_asks_the_broker(upsert_table, tmp_path):
    told = Told()
    options = EXACTLY | {"sink.transaction-naming-strategy": "pooling"}
    transactions.begin(settings_of(upsert_table(options)), told, tmp_path, 0)
    assert told.calls[0][-1] is True


@pytest.mark.parametrize("guarantee", ["none", "at-least-once"])
def test_other_guarantees_have_no_transactions(kafka_table, tmp_path, guarantee):
    told = Told()
    table = kafka_table({"sink.delivery-guarantee": guarantee})
    transactions.begin(settings_of(table), told, tmp_path, 0)
    assert told.calls == []


@pytest.mark.spark
@pytest.mark.services
class TestWriting:
    """A new writer stands for the process that starts after one has died."""

    @pytest.fixture
    def start(self, spark, kafka_table, served, tmp_path, topic):
        def make(options=None, make_table=kafka_table, folder=None):
            table = make_table(served | EXACTLY | dict(options or {}))
            made = writer(spark, table, ["id", "name"], changes=Changes.SCATTERED)
            job = folder or tmp_path / f"job-{topic}"
            transactions.begin(settings_of(table), made, job, 0)

            def write(numbers, batch, tasks=2, name="n", weight=1):
                rows = [(number, name, weight) for number in numbers]
                frame = spark.createDataFrame(spark.sparkContext.parallelize(rows, tasks), SCHEMA)
                write_batch(made, frame, batch)

            write.decision = job / "checkpoint/transactions/0.json"
            return write

        return make

    @pytest.fixture
    def found(self, kafka_broker, topic):
        """How often each id is in the topic; those that are committed, unless told."""

        def read(isolation="read_committed"):
            records = read_topic(kafka_broker.address, topic, isolation_level=isolation)
            return Counter(json.loads(record.value)["id"] for record in records)

        return read

    @pytest.fixture
    def fence(self, kafka_broker, topic):
        """What the broker does with a transaction whose time is over."""
        from confluent_kafka import Producer

        def end(task):
            name = f"p-job-{topic}-0-{task}"
            made = Producer({"bootstrap.servers": kafka_broker.address, "transactional.id": name})
            made.init_transactions(30)

        return end

    def test_batches_are_written_once(self, start, found):
        write = start()
        for batch in range(3):
            write(range(batch * 10, batch * 10 + 10), batch)
        assert found() == Counter(range(30))
        decision = json.loads(write.decision.read_text())
        assert (decision["batch"], decision["tasks"], decision["committed"]) == (2, 2, [])
        assert {item["task"] for item in decision["prepared"]} == {0, 1}

    def test_messages_of_changes_are_written_once_too(self, start, kafka_broker, topic):
        write = start({"format": "ogg-json"})
        write([1], 0)
        write([1], 1, weight=-1)
        records = read_topic(kafka_broker.address, topic, isolation_level="read_committed")
        assert [record.json_value()["op_type"] for record in records] == ["I", "D"]

    def test_a_batch_that_was_committed_is_not_written_again(self, start, found):
        start()(range(10), 0)
        again = start()
        again(range(10), 0)
        again(range(10, 20), 1)
        assert found("read_uncommitted") == Counter(range(20))

    @pytest.fixture
    def rival(self, spark):
        """Another attempt of the next stage's first task, which was there earlier; gives what makes it fail."""
        context, jvm = spark._jsc.sc(), spark._jvm
        chooser = context.env().outputCommitCoordinator()
        stage = context.dagScheduler().nextStageId()
        chooser.stageStart(stage, 1)
        assert chooser.handleAskPermissionToCommit(stage, 0, 0, RIVAL)
        failure = getattr(getattr(jvm.org.apache.spark, "TaskResultLost$"), "MODULE$")
        yield lambda: chooser.taskCompleted(stage, 0, 0, RIVAL, failure)
        chooser.stageEnd(stage)

    @pytest.fixture
    def written(self, kafka_broker, topic):
        """Records of all attempts. More come all the time: without short waits no look would reach the end."""
        settings = {"isolation_level": "read_uncommitted", "fetch_wait_max_ms": "10"}
        return lambda: len(read_topic(kafka_broker.address, topic, **settings))

    def test_an_attempt_beside_another_leaves_nothing_open(self, start, found, written, rival):
        """The driver would not hear of it, and those who read committed records would wait for its end."""
        write = start()
        with ThreadPoolExecutor() as threads:
            done = threads.submit(write, range(10), 0)
            try:
                eventually(written, lambda count: count > 10)
                assert not done.done()
            finally:
                rival()
            done.result()
        assert found() == Counter(range(10))

    def die_undecided(self, write, *args, **kwargs):
        """Ends with prepared transactions that nobody has decided about: the decision cannot be written."""
        draft = write.decision.with_name("0.json.tmp")
        draft.mkdir(parents=True)
        with pytest.raises(Exception, match=r"0\.json\.tmp"):
            write(*args, **kwargs)
        draft.rmdir()

    def test_a_batch_that_was_not_decided_is_never_seen(self, start, found):
        start()(range(10), 0)
        self.die_undecided(start(), range(10, 20), 1)
        assert found() == Counter(range(10))
        start()(range(10, 20), 1, tasks=1)
        assert found() == Counter(range(20))
        assert found("read_uncommitted") == Counter(range(10)) + Counter([*range(10, 20)] * 2)

    def test_a_decided_batch_is_committed_by_the_next_process(
        self, spark, start, found, served, topic
    ):
        write = start()
        self.die_undecided(write, range(10), 0)
        ids = [f"p-job-{topic}-0-{task}" for task in range(2)]
        prepared = [
            # Another attempt than the producers of this JVM know of, so that they cannot be used.
            {"task": task, "attempt": 9, "id": id, "producerId": number, "epoch": epoch}
            for task, (id, number, epoch) in enumerate(self.producers(spark, served, ids))
        ]
        decision = {"batch": 0, "tasks": 2, "committed": [], "prepared": prepared}
        write.decision.write_text(json.dumps(decision))
        assert found() == Counter()
        again = start()
        again(range(10), 0)
        again(range(10, 14), 1)
        assert found("read_uncommitted") == found() == Counter(range(14))

    def producers(self, spark, served, ids):
        jvm = spark._jvm
        properties = jvm.java.util.HashMap()
        properties.put("bootstrap.servers", served["properties.bootstrap.servers"])
        admin = jvm.org.apache.kafka.clients.admin.Admin.create(properties)
        try:
            described = admin.describeTransactions(jvm.java.util.List.of(*ids)).all().get()
            found = [(id, described.get(id)) for id in ids]
            return [(id, entry.producerId(), entry.producerEpoch()) for id, entry in found]
        finally:
            admin.close()

    @pytest.mark.parametrize("strategy", ["INCREMENTING", "POOLING"])
    def test_fewer_tasks_leave_no_transaction_open(self, start, found, strategy):
        options = {"sink.transaction-naming-strategy": strategy}
        self.die_undecided(start(options), range(10), 0, tasks=5)
        start(options)(range(10), 0, tasks=1)
        assert found() == Counter(range(10))

    def test_parts_whose_transactions_were_lost_are_written_again(self, start, found, fence):
        write = start()
        write(range(10), 0)
        # As if the process had died before it committed the second task's, and the broker had then aborted that.
        decision = json.loads(write.decision.read_text())
        lost = next(item for item in decision["prepared"] if item["task"] == 1)
        lost["epoch"] += 100
        write.decision.write_text(json.dumps(decision))
        fence(1)
        start()(range(10), 0)
        assert found() == Counter([*range(5), *(list(range(5, 10)) * 2)])

    def test_lost_parts_need_the_tasks_that_wrote_them(self, start, fence):
        write = start()
        write(range(10), 0)
        decision = json.loads(write.decision.read_text())
        decision["prepared"][0]["epoch"] += 100
        write.decision.write_text(json.dumps(decision))
        with pytest.raises(Exception, match="with 2 tasks instead of 3"):
            start()(range(10), 0, tasks=3)

    def test_a_failed_batch_can_be_written_again_at_once(self, start, found):
        write = start({"properties.max.request.size": "1000"})
        with pytest.raises(Exception, match=r"max\.request\.size"):
            write([1, 2], 0, name="x" * 5000)
        write(range(4), 0)
        assert found() == Counter(range(4))

    def test_empty_batches_have_no_transactions(self, start, found):
        write = start()
        write([], 0)
        assert not write.decision.exists()
        write([1], 1)
        assert found() == Counter([1])

    def test_upserts_too(self, start, found, upsert_table):
        write = start(make_table=upsert_table)
        write([1, 2, 3], 0)
        start(make_table=upsert_table)([1, 2, 3], 0)
        assert found("read_uncommitted") == Counter([1, 2, 3])

    def test_a_timeout_beyond_the_brokers_is_told(self, start, topic):
        write = start({"properties.transaction.timeout.ms": "3600000"})
        with pytest.raises(Exception, match=r"transaction\.max\.timeout\.ms") as caught:
            write([1], 0)
        told = translate(str(caught.value))
        assert told.condition == "TRANSACTION_TIMEOUT"
        assert topic in told.summary
        assert "'properties.transaction.timeout.ms' = '900000'" in told.cure
