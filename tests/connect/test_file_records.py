"""Lines through transforms and converters, and back."""

from __future__ import annotations

import pytest

from headrace.connect.data.faults import RegistryAway
from headrace.connect.errors import ToleranceExceeded
from headrace.connect.file_records import FileRecords, Outgoing
from headrace.connect.plugins import TaskContext
from headrace.testing.connect import KAFKA

TEXT = "org.apache.kafka.connect.storage.StringConverter"


def records(**options: str) -> FileRecords:
    config = {
        "connector.class": "FileStreamSource",
        "key.converter": TEXT,
        "value.converter": TEXT,
        **{name.replace("_", "."): text for name, text in options.items()},
    }
    context = TaskContext("c", 0, {}, lambda _: None, lambda _: None, lambda _: None)
    return FileRecords(config, context, sink=False)


class Message:
    """What a consumer gives."""

    def __init__(self, offset: int, value: bytes | None, headers: list | None = None) -> None:
        self.values = ("t", 3, offset, (1, 1_600_000_000_123), b"k", value, headers)

    def __getattr__(self, name: str):
        names = ("topic", "partition", "offset", "timestamp", "key", "value", "headers")
        return lambda: self.values[names.index(name)]


def test_a_producer_is_told_what_is_known():
    assert Outgoing("t", b"v").options() == {"topic": "t", "value": b"v", "key": None}
    whole = Outgoing("t", None, b"k", 2, [("h", None)], 5).options()
    assert (whole["partition"], whole["timestamp"], whole["headers"]) == (2, 5, [("h", None)])


class TestRetries:
    """A registry that is away is asked again for as long as `errors.retry.timeout` says."""

    @pytest.fixture
    def away(self, monkeypatch):
        tries = []

        def fails_twice(self, *given):
            tries.append(given)
            if len(tries) < 3:
                raise RegistryAway("the schema registry does not answer")
            return ([], [])

        monkeypatch.setattr(FileRecords, "_written", fails_twice)
        monkeypatch.setattr(FileRecords, "_shown", fails_twice)
        monkeypatch.setattr("headrace.connect.errors._FIRST_PAUSE_MS", 1)
        monkeypatch.setattr("headrace.connect.application.session", lambda *_: None)
        return tries

    def test_lines(self, away):
        assert records(errors_retry_timeout="60000").written("t", ["a"]) == ([], [])
        assert len(away) == 3

    def test_messages(self, away):
        assert records(errors_retry_timeout="-1").lines([]) == []
        assert len(away) == 3

    def test_not_unless_asked_for(self, away):
        with pytest.raises(RegistryAway):
            records().written("t", ["a"])
        assert len(away) == 1


@pytest.mark.spark
class TestLines:
    def test_they_keep_their_order_and_may_have_a_header(self, spark):
        made = records(
            transforms="tag",
            transforms_tag_type=f"{KAFKA}InsertHeader",
            transforms_tag_header="from",
            transforms_tag_value_literal="file",
        )
        found = made.written("t", ["b", "é", ""])
        assert [record.value for record in found] == [b"b", "é".encode(), b""]
        assert {(r.topic, r.key, r.partition, tuple(r.headers)) for r in found} == {
            ("t", None, None, (("from", b"file"),))
        }
        assert found[0].timestamp_ms > 1_600_000_000_000

    def test_a_bad_one_fails_or_is_passed_over(self, spark):
        steps = {
            "transforms": "cast",
            "transforms_cast_type": f"{KAFKA}Cast$Value",
            "transforms_cast_spec": "int8",
        }
        with pytest.raises(ToleranceExceeded, match="TRANSFORMATION"):
            records(**steps).written("t", ["1", "x"])
        tolerant = records(**steps, errors_tolerance="all")
        assert [r.value for r in tolerant.written("t", ["1", "x", "2"])] == [b"1", b"2"]
        assert tolerant.reporter.skipped == 1


JSON_HEADERS = {"header_converter": "org.apache.kafka.connect.json.JsonConverter"}


@pytest.mark.spark
class TestMessages:
    def test_headers_are_read_by_their_converter(self, spark):
        good = Message(1, b"x", [("h", b'{"schema":{"type":"string"},"payload":"1"}')])
        made = records(**JSON_HEADERS, errors_tolerance="all")
        assert made.lines([good, Message(2, b"y", [("h", b"plain")])]) == ["x"]
        assert made.reporter.skipped == 1
        with pytest.raises(ToleranceExceeded) as raised:
            records(**JSON_HEADERS).lines([Message(2, b"y", [("h", b"plain")])])
        assert raised.value.failure.stage == "HEADER_CONVERTER"
        assert raised.value.failure.executing_class.endswith("JsonConverter")
        assert raised.value.failure.headers == (("h", b"plain"),)

    def test_values_are_shown_as_java_does(self, spark):
        json = {
            "value_converter": "org.apache.kafka.connect.json.JsonConverter",
            "value_converter_schemas_enable": "false",
        }
        messages = [Message(4, b'{"b":"x","a":[1]}', [("h", b"1")]), Message(5, None)]
        assert records(**json).lines(messages) == ["{a=[1], b=x}", "null"]

    def test_what_cannot_be_read_names_its_place_and_keeps_its_bytes(self, spark):
        json = {"value_converter": "org.apache.kafka.connect.json.JsonConverter"}
        with pytest.raises(ToleranceExceeded) as raised:
            records(**json).lines([Message(7, b"{", [("h", b"1")])])
        failure = raised.value.failure
        assert (failure.topic, failure.partition, failure.offset) == ("t", 3, 7)
        assert (failure.key, failure.value, failure.headers) == (b"k", b"{", (("h", b"1"),))
        assert failure.timestamp_ms == 1_600_000_000_123
        assert failure.stage == "VALUE_CONVERTER"
        assert failure.executing_class.endswith("JsonConverter")
