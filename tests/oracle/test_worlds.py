from __future__ import annotations

from collections import Counter

from hypothesis import Phase, find, given, settings

from tests.oracle.worlds import BATCHES, TABLES, Record, State, batches


def some(condition):
    """Batches of which it holds; the search ends with the first."""
    tries = settings(max_examples=500, deadline=None, phases=[Phase.generate], derandomize=True)
    return find(batches(), condition, settings=tries)


def user(k: int, a: int | None, weight: int = 1) -> Record:
    return Record("users", {"w": 0, "k": k, "a": a, "s": None}, weight)


def test_the_last_record_of_a_key_is_its_row():
    state = State()
    for record in (user(1, 5), user(2, 5), user(1, 6)):
        state.apply(record)
    assert state.rows["users"] == Counter({(0, 1, 6, None): 1, (0, 2, 5, None): 1})


def test_a_tombstone_removes_the_row_of_its_key_or_nothing():
    state = State()
    for record in (user(1, 5), user(1, None, -1), user(2, None, -1)):
        state.apply(record)
    assert not state.rows["users"]


def test_rows_without_a_key_are_counted():
    state = State()
    row = {"w": 0, "a": 1, "s": "x"}
    for weight in (1, 1, -1):
        state.apply(Record("ledger", row, weight))
    assert state.rows["ledger"] == Counter({(0, 1, "x"): 1})
    assert state.held("ledger", 0) == [(0, 1, "x")]
    assert state.held("ledger", 1) == []


def test_arrays_can_be_counted():
    state = State()
    cells = {"w": 0, "k": 1, "a": None, "b": None, "s": None, "tags": ["x", None]}
    state.apply(Record("events", cells, 1))
    assert state.rows["events"] == Counter({(0, 1, None, None, None, ("x", None)): 1})


@settings(max_examples=30, deadline=None)
@given(batches())
def test_no_row_goes_that_was_not_there(drawn):
    assert len(drawn) == BATCHES
    state = State()
    for record in (record for batch in drawn for record in batch):
        assert record.weight == 1 or not TABLES[record.table].mode.is_append
        assert list(record.cells) == list(TABLES[record.table].columns)
        state.apply(record)
        assert min(state.rows["ledger"].values(), default=0) >= 0


def test_updates_deletes_and_tombstones_for_unknown_keys_are_drawn():
    def has_all(drawn) -> bool:
        seen = set()
        held: set[tuple[str, int, int]] = set()
        for record in (r for batch in drawn for r in batch if r.table == "users"):
            key = ("users", record.cells["w"], record.cells["k"])
            seen.add((record.weight, key in held))
            (held.add if record.weight > 0 else held.discard)(key)
        return len(seen) == 4

    assert has_all(some(has_all))


def test_worlds_are_numbered_from_zero():
    def two_worlds(drawn) -> bool:
        return {record.cells["w"] for batch in drawn for record in batch} >= {0, 1}

    assert two_worlds(some(two_worlds))
