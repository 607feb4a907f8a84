from __future__ import annotations

import json

import pytest

from headrace.testing import topics
from headrace.testing.topics import Record, eventually, json_table, materialize


def record(key: bytes | None, value: bytes | None, offset: int = 0) -> Record:
    return Record(0, offset, key, value, 0)


class Clock:
    """Time that passes only while somebody sleeps, a second at a time."""

    now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, _: float) -> None:
        self.now += 1


class TestEventually:
    def test_it_returns_what_it_sees_once_the_condition_holds(self):
        looks = iter(range(5))
        assert eventually(lambda: next(looks), lambda seen: seen == 2) == 2
        assert next(looks) == 3

    def test_it_fails_with_the_last_look(self, monkeypatch):
        clock = Clock()
        monkeypatch.setattr(topics, "time", clock)
        with pytest.raises(AssertionError, match=r"still not so after 5 s: 6$"):
            eventually(lambda: int(clock.now), lambda seen: seen > 9, seconds=5)

    def test_what_a_look_raises_comes_through(self):
        with pytest.raises(ZeroDivisionError):
            eventually(lambda: 1 // 0, bool)


class TestRecord:
    def test_keys_and_values_are_read_as_json(self):
        found = record(b'{"id": 1}', b'{"name": "a"}')
        assert (found.json_key(), found.json_value()) == ({"id": 1}, {"name": "a"})

    def test_none_stays_none(self):
        found = record(None, None)
        assert (found.json_key(), found.json_value()) == (None, None)

    def test_what_is_no_json_is_an_error(self):
        with pytest.raises(json.JSONDecodeError):
            record(b"a,b", None).json_key()


class TestTables:
    CHANGES = (
        record(b"1", b'{"n": 1}', 0),
        record(b"2", b'{"n": 2}', 1),
        record(b"1", b'{"n": 3}', 2),
        record(b"2", None, 3),
        record(b"9", None, 4),
    )

    def test_the_last_value_of_each_key_counts_and_tombstones_delete(self):
        assert materialize(self.CHANGES) == {b"1": b'{"n": 3}'}

    def test_a_topic_of_json_is_a_table_by_key(self, monkeypatch):
        asked = []
        changes = [*self.CHANGES, record(None, b'{"n": 0}', 5)]
        monkeypatch.setattr(topics, "read_topic", lambda *names: asked.append(names) or changes)
        assert json_table("broker:1", "orders") == {"1": {"n": 3}, "": {"n": 0}}
        assert asked == [("broker:1", "orders")]
