"""Bad records: failed on, logged, counted, sent away; and what is tried again."""

from __future__ import annotations

import logging
import threading

import pytest

from headrace.connect.converters.batches import read_batch
from headrace.connect.converters.json_converter import JsonConverter
from headrace.connect.errors import ErrorPolicy, Failure, Reporter, ToleranceExceeded
from headrace.connect.transforms.chain import parse_chain
from headrace.errors import EnvironmentFault, TransientFault

DATA = "org.apache.kafka.connect.errors.DataException"
SINK = {
    "connector.class": "io.example.Sink",
    "value.converter": "org.apache.kafka.connect.json.JsonConverter",
    "transforms.mask.type": "org.apache.kafka.connect.transforms.MaskField$Value",
}
BAD = Failure("orders", "VALUE_CONVERTER", "x.Json", DATA, "no JSON", 2, 17, 1000, b"k", b"v")


class Box:
    def __init__(self) -> None:
        self.sent: list[Failure] = []
        self.flushes = 0

    def send(self, failure: Failure) -> None:
        self.sent.append(failure)

    def flush(self) -> None:
        self.flushes += 1


class Flaky(EnvironmentFault, TransientFault):
    pass


class TestPolicy:
    def test_defaults_are_those_of_connect(self):
        assert ErrorPolicy.of({}) == ErrorPolicy(
            tolerates=False,
            retry_timeout_ms=0,
            retry_pause_ms=60000,
            logs=False,
            logs_records=False,
            dead_letters=None,
            replication=3,
            context_headers=False,
        )

    def test_every_option_counts(self):
        config = {
            "errors.tolerance": " all ",
            "errors.retry.timeout": "5",
            "errors.retry.delay.max.ms": "6",
            "errors.log.enable": "TRUE",
            "errors.log.include.messages": "true",
            "errors.deadletterqueue.topic.name": "dead",
            "errors.deadletterqueue.topic.replication.factor": "1",
            "errors.deadletterqueue.context.headers.enable": "true",
        }
        assert ErrorPolicy.of(config) == ErrorPolicy(True, 5, 6, True, True, "dead", 1, True)


class TestRetries:
    def test_none_by_default(self):
        calls = []

        def fail() -> None:
            calls.append(1)
            raise Flaky("down")

        with pytest.raises(Flaky):
            ErrorPolicy().retrying(fail, threading.Event())
        assert len(calls) == 1

    def test_until_it_works(self):
        results = [Flaky("down"), Flaky("down"), "up"]

        def next_result() -> str:
            result = results.pop(0)
            if isinstance(result, Exception):
                raise result
            return result

        policy = ErrorPolicy(retry_timeout_ms=-1, retry_pause_ms=1)
        assert policy.retrying(next_result, threading.Event()) == "up"

    def test_what_cannot_pass_is_not_tried_again(self):
        calls = []

        def fail() -> None:
            calls.append(1)
            raise ValueError("wrong")

        with pytest.raises(ValueError, match="wrong"):
            ErrorPolicy(retry_timeout_ms=-1).retrying(fail, threading.Event())
        assert len(calls) == 1

    def test_a_task_that_is_told_to_stop_does_not_wait(self):
        stopping = threading.Event()
        stopping.set()

        def fail() -> None:
            raise Flaky("down")

        with pytest.raises(Flaky):
            ErrorPolicy(retry_timeout_ms=-1).retrying(fail, stopping)

    def test_pauses_double_up_to_the_longest(self):
        policy = ErrorPolicy(retry_timeout_ms=100_000, retry_pause_ms=1000)
        assert [policy.pause(n, 0) for n in (1, 2)] == [300, 600]
        third = policy.pause(3, 0)
        assert third is not None
        assert 0 <= third <= 1000

    def test_pauses_end_with_the_time(self):
        policy = ErrorPolicy(retry_timeout_ms=1000)
        assert policy.pause(2, 900) == pytest.approx(100)
        assert policy.pause(2, 1000) is None
        assert ErrorPolicy(retry_timeout_ms=-1).pause(9999, 1e12) is not None


class TestReports:
    def test_none_fails_with_place_stage_and_reason(self):
        box = Box()
        reporter = Reporter.of(SINK, "lake", 0, box)
        with pytest.raises(ToleranceExceeded) as raised:
            reporter.report(BAD)
        text = str(raised.value)
        assert "topic orders, partition 2, offset 17, stage VALUE_CONVERTER (x.Json)" in text
        assert f"{DATA}: no JSON" in text
        assert len(text.splitlines()) <= 5
        # As in Connect, the dead letter is sent although the task fails.
        assert (box.sent, box.flushes) == ([BAD], 1)

    def test_all_goes_on_and_counts(self):
        box = Box()
        reporter = Reporter.of({**SINK, "errors.tolerance": "all"}, "lake", 0, box)
        reporter.report(BAD)
        reporter.report(BAD)
        reporter.flush()
        assert (reporter.skipped, box.sent, box.flushes) == (2, [BAD, BAD], 1)

    @pytest.mark.parametrize(
        ("options", "shown", "hidden"),
        [
            ({}, [], ["task lake-3"]),
            ({"errors.log.enable": "true"}, ["task lake-3", "'VALUE_CONVERTER'"], ["offset=17"]),
            (
                {"errors.log.enable": "true", "errors.log.include.messages": "true"},
                [
                    "consumed record is {topic='orders', partition=2, offset=17, timestamp=1000, timestampType=CreateTime}."
                ],
                [],
            ),
        ],
    )
    def test_the_log_says_what_it_may(self, caplog, options, shown, hidden):
        reporter = Reporter.of({**SINK, "errors.tolerance": "all", **options}, "lake", 3)
        with caplog.at_level(logging.ERROR, "headrace.connect"):
            reporter.report(BAD)
        assert all(text in caplog.text for text in shown)
        assert not any(text in caplog.text for text in hidden)

    def test_a_source_has_no_offset_to_show(self):
        failure = Failure("orders", "TRANSFORMATION", "x.Mask", DATA, "no", timestamp_ms=5)
        assert failure.place == "a record for topic orders"
        assert "source record is = {topic='orders'" in failure.in_log("a", 0, with_record=True)

    def test_what_caused_it_stands_beneath(self):
        failure = Failure("t", "KEY_CONVERTER", "x.Int", DATA, "no int: \nCaused by: E: size", 0, 1)
        assert failure.message == "no int: "
        place = "\tat x.Int (KEY_CONVERTER, topic t, partition 0, offset 1)"
        assert failure.trace() == f"{DATA}: no int: \n{place}\nCaused by: E: size"
        assert failure.summary == f"{DATA}: no int, caused by E: size"
        assert failure.in_log("a", 0, with_record=False) == (
            "Error encountered in task a-0. Executing stage 'KEY_CONVERTER' with class 'x.Int'.\n"
            + failure.trace()
        )
        assert len(str(ToleranceExceeded(failure)).splitlines()) == 4

    def test_classes_at_work(self):
        reporter = Reporter.of(SINK, "lake", 0)
        assert reporter.executing("VALUE_CONVERTER").endswith("JsonConverter")
        assert reporter.executing("TRANSFORMATION", "mask").endswith("MaskField$Value")
        assert reporter.executing("TASK_PUT") == "org.apache.kafka.connect.sink.SinkTask"
        # The worker's converter, which the connector's configuration does not name.
        assert reporter.executing("KEY_CONVERTER") == "io.example.Sink"


@pytest.mark.spark
class TestBatches:
    @pytest.fixture
    def batch(self, spark):
        rows = [("t", 0, 5, None, b'{"a":1}'), ("t", 0, 6, None, b"{"), ("t", 0, 7, b"]", b"3")]
        frame = spark.createDataFrame(
            rows, "topic string, partition int, offset long, key binary, value binary"
        )
        (batch,) = read_batch(frame, JsonConverter(schemas=False), JsonConverter(schemas=False))
        return batch

    def test_all_leaves_the_bad_ones_out(self, batch):
        box = Box()
        reporter = Reporter.of({**SINK, "errors.tolerance": "all"}, "lake", 0, box)
        left = [row.offset for row in reporter.judged(batch).frame.collect()]
        assert left == [5]
        assert sorted((f.offset, f.stage, f.partition) for f in box.sent) == [
            (6, "VALUE_CONVERTER", 0),
            (7, "KEY_CONVERTER", 0),
        ]
        assert {failure.kind for failure in box.sent} == {DATA}

    def test_none_fails_within_the_job_that_writes(self, batch):
        reporter = Reporter.of(SINK, "lake", 0)
        strict = reporter.judged(batch)
        with pytest.raises(ToleranceExceeded) as raised, reporter.translating():
            strict.frame.collect()
        assert raised.value.failure.offset in (6, 7)
        with pytest.raises(KeyError), reporter.translating():
            raise KeyError("something else")

    def test_transforms_are_told_by_their_alias(self, spark):
        config = {
            "connector.class": "x",
            "transforms": "cast",
            "transforms.cast.type": "org.apache.kafka.connect.transforms.Cast$Value",
            "transforms.cast.spec": "a:int8",
        }
        frame = spark.createDataFrame(
            [("t", None, b'{"a":"x"}')], "topic string, key binary, value binary"
        )
        converter = JsonConverter(schemas=False)
        (batch,) = read_batch(frame, converter, converter)
        (cast,) = parse_chain(config).apply(batch)
        (failure,) = Reporter.of(config, "s", 0).failures(cast)
        assert (failure.stage, failure.offset) == ("TRANSFORMATION", None)
        assert failure.executing_class.endswith("Cast$Value")
