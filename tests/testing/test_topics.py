from __future__ import annotations

from headrace.testing import topics
from headrace.testing.topics import Record, json_table, materialize


def record(key: bytes | None, value: bytes | None, offset: int = 0) -> Record:
    return Record(0, offset, key, value, 0)


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
