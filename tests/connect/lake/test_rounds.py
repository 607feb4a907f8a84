"""When rounds are worth it, and what they read."""

from __future__ import annotations

import pytest

from headrace.connect.lake.rounds import Rounds

A, B = ("t", 0), ("t", 1)


@pytest.fixture
def rounds():
    made = Rounds(10, {A: 100, B: 0})
    made.ended_ms = 0
    return made


def test_nothing_new_is_no_round(rounds):
    assert rounds.ranges({A: 100, B: 0}, 10**6, scheduled=False) == {}
    assert rounds.ranges({A: 100, B: 0}, 10**6, scheduled=True) == {}


def test_a_full_file_is_written_at_once(rounds):
    assert rounds.ranges({A: 110, B: 0}, 1, scheduled=False) == {A: (100, 110)}


def test_fewer_records_are_looked_at_after_a_while(rounds):
    assert rounds.ranges({A: 109, B: 0}, 999, scheduled=False) == {}
    assert rounds.ranges({A: 109, B: 0}, 1000, scheduled=False) == {A: (100, 109)}


def test_the_longer_a_round_the_longer_the_rest(rounds):
    rounds.done({A: (100, 105)}, {A: 100}, 0, 1000)
    assert rounds.ranges({A: 109, B: 0}, 5999, scheduled=False) == {}
    assert rounds.ranges({A: 109, B: 0}, 6000, scheduled=False) != {}


def test_what_was_seen_is_not_looked_at_again(rounds):
    rounds.done({A: (100, 105)}, {A: 100}, 0, 0)
    assert rounds.ranges({A: 105, B: 0}, 10**6, scheduled=False) == {}
    # But at a scheduled moment it is written.
    assert rounds.ranges({A: 105, B: 0}, 10**6, scheduled=True) == {A: (100, 105)}


def test_a_round_takes_a_bounded_part(rounds):
    assert rounds.ranges({A: 10**9, B: 0}, 1, scheduled=False) == {A: (100, 500_100)}


def test_more_of_it_where_that_did_not_fill_a_file(rounds):
    taken = rounds.ranges({A: 10**9, B: 0}, 1, scheduled=False)
    rounds.done(taken, {A: 100}, 0, 0)
    assert rounds.ranges({A: 10**9, B: 0}, 10**6, scheduled=False) == {A: (100, 1_000_100)}
    rounds.done({A: (100, 1_000_100)}, {A: 900_000}, 0, 0)
    assert rounds.ranges({A: 10**9, B: 0}, 10**6, scheduled=False) == {A: (900_000, 1_400_000)}


def test_large_files_have_large_rounds():
    rounds = Rounds(2_000_000, {A: 0})
    assert rounds.ranges({A: 10**9}, 1, scheduled=False) == {A: (0, 2_000_000)}


def test_positions_move_on(rounds):
    rounds.done({A: (100, 120)}, {A: 120}, 0, 7)
    assert rounds.positions == {A: 120, B: 0}
    assert rounds.took_ms == 7
