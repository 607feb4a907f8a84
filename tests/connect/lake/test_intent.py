"""What a task is about to do, kept and found again."""

from __future__ import annotations

import json

from headrace.connect.lake.intent import Intent

A, B = ("t", 0), ("t", 1)
INTENT = Intent({A: 0, B: 5}, {A: 10, B: 9}, [{"key": "k", "id": "1", "parts": ["e"]}])


def test_kept_until_it_is_done(tmp_path):
    assert Intent.kept(tmp_path) is None
    INTENT.keep(tmp_path)
    assert Intent.kept(tmp_path) == INTENT
    Intent.done(tmp_path)
    assert Intent.kept(tmp_path) is None
    Intent.done(tmp_path)


def test_half_written_ones_do_not_count(tmp_path):
    (tmp_path / "intent.json.draft").write_text(json.dumps([[]])[:2])
    assert Intent.kept(tmp_path) is None


def test_the_next_takes_its_place(tmp_path):
    INTENT.keep(tmp_path)
    later = Intent({A: 10}, {A: 20}, [])
    later.keep(tmp_path)
    assert Intent.kept(tmp_path) == later


def test_offsets_that_are_left_to_commit():
    assert INTENT.left({}) == {A: 10, B: 9}
    assert INTENT.left({A: 0, B: 5}) == {A: 10, B: 9}
    assert INTENT.left({A: 10, B: 9}) == {}
    # Somebody has moved the group while the connector was stopped.
    assert INTENT.left({A: 3, B: 5}) == {B: 9}
