from headrace.cli.demo.pagila.places import LOG, PLAIN
from headrace.cli.demo.pagila.sightings import TOMBSTONE, by_log, by_query
from headrace.cli.demo.pagila.topics import Message


def test_a_query_sees_the_last_change_only(world):
    messages = world.messages()[PLAIN["address"]]
    assert by_query(messages, "address_id") == {100: ["address2 = 'Flat 2'"]}


def test_the_log_sees_every_change_and_the_end(world):
    assert by_log(world.messages()[LOG], "address_id") == {
        100: ["address2 = 'Flat 1'", "address2 = 'Flat 2'"],
        104: ["deleted", TOMBSTONE],
    }


def test_rows_that_were_only_loaded_were_not_changed(world):
    loaded = world.loaded()
    assert by_query(loaded[PLAIN["address"]], "address_id") == {}
    assert by_log(loaded[LOG], "address_id") == {}


def test_all_columns_that_changed_are_told():
    old = {"id": 1, "a": 1, "b": 2, "last_update": 1}
    new = {"id": 1, "a": 3, "b": None, "last_update": 2}
    assert by_query([Message(None, old), Message(None, new)], "id") == {1: ["a = 3, b = None"]}


def test_a_tombstone_is_no_row_for_a_query():
    assert by_query([Message({"id": 1}, None)], "id") == {}


def test_a_row_that_is_inserted_later_is_no_change_of_it():
    rows = [Message(None, {"id": n, "last_update": n}) for n in (1, 2)]
    assert by_query(rows, "id") == {}


def test_a_row_that_comes_back_is_told_by_what_it_changed():
    events = [
        Message({"id": 1}, {"op": "r", "before": None, "after": {"id": 1, "a": "x"}}),
        Message({"id": 1}, {"op": "d", "before": {"id": 1}, "after": None}),
        Message({"id": 1}, None),
        Message({"id": 1}, {"op": "c", "before": None, "after": {"id": 1, "a": "y"}}),
    ]
    assert by_log(events, "id") == {1: ["deleted", TOMBSTONE, "a = 'y'"]}
