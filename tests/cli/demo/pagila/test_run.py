import threading

import pytest

from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.example_files import LOG_SOURCE, PAIRS, config
from headrace.cli.demo.pagila.places import LOG, QUERY, SINKS, WRITERS
from headrace.cli.demo.pagila.run import Found, demo_config, in_background
from headrace.cli.demo.pagila.steps import Steps
from headrace.cli.output import JsonOutput


@pytest.fixture
def report(world):
    """The report on a world whose lake holds the given rows."""

    def make(lake):
        rows = world.objects()
        json_rows = {topic: rows[topic] for topic in rows if topic != QUERY}
        found = Found(
            world.before.joined,
            world.after,
            world.messages(),
            json_rows,
            "lake",
            [Object("topics/a", 1)],
        )
        return found.report(lake, Steps(JsonOutput(), 5.0))

    return make


def test_every_topic_and_folder_is_compared(world, report):
    made = report(world.objects()[QUERY])
    assert made.equal
    assert len(made.checks) == len(WRITERS) + 5
    assert made.topics[LOG] == 9


def test_a_row_that_the_lake_lacks_is_a_difference(world, report):
    lake = world.objects()[QUERY]
    made = report([row for row in lake if row["address_id"] != 102])
    assert [check.place for check in made.checks if not check.equal] == [f"objects topics/{QUERY}/"]


def test_the_deleted_row_is_gone_only_where_the_log_was_read(world, report):
    changed = {value.address_id: value for value in report(world.objects()[QUERY]).changed}
    assert set(changed) == {100, 104}
    deleted = changed[104]
    assert (deleted.postgresql, deleted.by_log) == ("deleted", ("deleted",))
    assert deleted.by_query == deleted.lake == "104 Elm Way"


@pytest.mark.parametrize("name", [*PAIRS, LOG_SOURCE])
def test_only_rotations_differ_from_the_example(name):
    differing = {
        option for option, value in demo_config(name).items() if config(name).get(option) != value
    }
    assert differing == ({"rotate.schedule.interval.ms"} if name in SINKS else set())


def test_an_error_in_the_background_is_raised_by_who_asks_for_the_result():
    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        in_background(fail).result()


def test_the_background_does_not_hold_up_the_end_of_the_program():
    threads = []
    in_background(lambda: threads.append(threading.current_thread())).result()
    assert threads[0].daemon
