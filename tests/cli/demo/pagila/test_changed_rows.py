from headrace.cli.demo.pagila.changed_rows import (
    DELETED,
    Places,
    changed_values,
    versions,
)
from headrace.cli.demo.pagila.topics import Message

OLD = {"id": 1, "name": "a", "district": "South", "last_update": 1}


def changes(new, *, by_query=None, by_log=(), lake=None):
    places = Places(
        {1: OLD},
        {} if new is None else {1: new},
        by_query or {},
        {1: list(by_log)},
        lake or {},
        {"district": "province"},
    )
    return changed_values(places, "name")


def test_a_value_is_shown_as_every_place_holds_it():
    (value,) = changes(
        {**OLD, "district": "North"},
        by_query={1: {"district": "North"}},
        by_log=[OLD, {**OLD, "district": "East"}, {**OLD, "district": "North"}],
        lake={1: {"province": "North"}},
    )
    assert (value.before, value.postgresql, value.by_query, value.lake) == (
        *("South", "North"),
        *("North", "North"),
    )
    assert value.by_log == ("East", "North"), "the log has what no query saw"


def test_a_deleted_row_stays_where_queries_capture():
    (value,) = changes(
        None, by_query={1: OLD}, by_log=[OLD, None], lake={1: {**OLD, "province": "South"}}
    )
    assert (value.column, value.before, value.postgresql) == ("name", "a", DELETED)
    assert (value.by_query, value.by_log, value.lake) == ("a", (DELETED,), "a")


def test_versions_follow_the_log_and_skip_tombstones(world):
    events = [
        {"op": "r", "before": None, "after": {"id": 1, "n": 1}},
        {"op": "u", "before": None, "after": {"id": 1, "n": 2}},
        {"op": "d", "before": {"id": 1, "n": 0}, "after": None},
    ]
    messages = [*(Message(1, event) for event in events), Message(1, None)]
    assert versions(messages, "id") == {1: [{"id": 1, "n": 1}, {"id": 1, "n": 2}, None]}
