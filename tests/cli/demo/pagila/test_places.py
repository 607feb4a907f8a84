import pytest

from headrace.cli.demo.pagila.database import KEYS, milliseconds
from headrace.cli.demo.pagila.example_files import config
from headrace.cli.demo.pagila.places import (
    KEYED,
    LOG,
    PLAIN,
    QUERY,
    SINKS,
    WRITERS,
    newest,
    object_checks,
    prefix,
    topic_checks,
)


def test_topics_are_those_of_the_configurations():
    for topic, source in WRITERS.items():
        assert topic.startswith(config(source)["topic.prefix"])
    for sink, topics in SINKS.items():
        assert config(sink).get("topics", KEYED) == topics[-1]


def test_only_the_log_tells_of_the_end_of_a_row(world):
    checks = {check.place: check for check in topic_checks(world.after, world.messages())}
    assert all(check.equal for check in checks.values())
    assert checks[f"topic {PLAIN['address']}"].left == (104,)
    assert checks[f"topic {PLAIN['city']}"].left == ()
    assert checks[f"topic {LOG}"].left == ()
    assert len(checks) == len(WRITERS)


def test_a_delete_that_the_log_did_not_tell_is_a_difference_everywhere(world):
    messages = world.messages()
    messages[LOG] = messages[LOG][:-2]
    checks = {check.place: check for check in topic_checks(world.after, messages)}
    unequal = {place for place, check in checks.items() if not check.equal}
    assert unequal == {f"topic {t}" for t in (PLAIN["address"], KEYED, QUERY, LOG)}
    assert checks[f"topic {LOG}"].left == (104,)


def test_the_log_has_times_to_the_microsecond(world):
    messages = world.messages()
    messages[LOG][-3].value["after"] = {
        **messages[LOG][-3].value["after"],
        "last_update": "2026-01-02T03:04:05.123000Z",
    }
    (wrong,) = [check for check in topic_checks(world.after, messages) if not check.equal]
    assert (wrong.place, wrong.different) == (f"topic {LOG}", 1)


def test_a_row_that_nobody_deleted_may_not_be_left_in_objects(world):
    objects = world.objects()
    objects[PLAIN["city"]].append({"city_id": 9, "last_update": 1})
    (wrong,) = [check for check in object_checks(world.after, objects, {104}) if not check.equal]
    assert (wrong.place, wrong.left) == (f"objects {prefix(PLAIN['city'])}", (9,))


def test_topics_without_the_changes_are_not_equal_yet(world):
    unequal = {
        check.place for check in topic_checks(world.after, world.loaded()) if not check.equal
    }
    assert unequal == {f"topic {t}" for t in (PLAIN["address"], KEYED, QUERY, LOG)}


def test_what_transforms_add_is_compared_too(world):
    messages = world.messages()
    messages[KEYED][0].value["message_source"] = "elsewhere"
    messages[KEYED][1].value["message_source"] = "elsewhere"
    wrong = [check for check in topic_checks(world.after, messages) if not check.equal]
    assert [(check.place, check.different) for check in wrong] == [(f"topic {KEYED}", 1)]


def test_objects_hold_what_the_sinks_make_of_records(world):
    checks = object_checks(world.after, world.objects(), {104})
    assert all(check.equal for check in checks)
    assert [check.place for check in checks][-1] == "objects topics/pagila.query/"
    row = world.after.refined()[100]
    assert row["state_province"] == "East"
    assert "district" not in row
    assert (row["environment"], row["message_topic"]) == ("development", QUERY)


@pytest.mark.parametrize("topic", [*PLAIN.values(), KEYED, QUERY])
def test_a_lost_row_shows(world, topic):
    objects = world.objects()
    del objects[topic][1 if len(objects[topic]) > 1 else 0]
    (wrong,) = [check for check in object_checks(world.after, objects, {104}) if not check.equal]
    assert (wrong.place, wrong.missing) == (f"objects {prefix(topic)}", 1)


def test_the_newest_row_counts_wherever_it_lies():
    old, new = {"id": 1, "last_update": 1}, {"id": 1, "last_update": 2}
    assert newest([old, new, old], "id") == {1: new}
    assert newest([], "id") == {}


def test_times_are_those_of_connect(world):
    sent = world.before.sent()
    assert {row["last_update"] for rows in sent.values() for row in rows.values()} == {
        milliseconds("2017-02-15T09:45:30Z")
    }
    assert set(sent) == {*PLAIN.values(), KEYED, QUERY}
    assert len(PLAIN) == len(KEYS)
