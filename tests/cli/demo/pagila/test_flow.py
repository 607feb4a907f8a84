import io

import pytest
from rich.console import Console

from headrace.cli.demo.pagila.example_files import PAIRS
from headrace.cli.demo.pagila.flow import Flow, line, seconds_to_rotation, table
from headrace.cli.demo.pagila.places import KEYED, PLAIN, QUERY, WRITERS

FIRST, SECOND, THIRD = PAIRS[1::2]
MOVING = Flow(
    {PLAIN["country"]: 109, PLAIN["city"]: 600, KEYED: 603, QUERY: 1603},
    {FIRST: 709, SECOND: 603, THIRD: 100},
    {FIRST: 9, THIRD: 12},
)


def drawn(flow):
    stream = io.StringIO()
    Console(file=stream, width=140).print(table(flow, 3.6))
    return stream.getvalue().splitlines()


def test_records_of_topics_that_two_sinks_read_count_for_both():
    assert (MOVING.records(FIRST), MOVING.records(SECOND)) == (109 + 600 + 603, 603)
    assert MOVING.unwritten() == {FIRST: 603, THIRD: 1503}


def test_nothing_is_unwritten_before_anything_is_sent():
    assert Flow().unwritten() == {}


def test_every_topic_and_sink_has_its_row():
    _, *rows = drawn(MOVING)
    assert len(rows) == len(WRITERS) + 3
    assert rows[0].split() == ["jdbc_source_00", PLAIN["country"], "109"]
    assert rows[1].split() == [PLAIN["city"], "600"], "a connector is named once"
    assert rows[-1].split() == ["s3_sink_02", QUERY, "100", "1,603", "12", "4", "s"]


def test_the_table_fits_into_80_columns():
    assert max(len(line.rstrip()) for line in drawn(MOVING)) <= 80


def test_the_line_sums_up():
    assert line(MOVING, 0.4) == (
        "2,915 records sent, 1,412 of 3,518 written, 21 objects, next rotation in 0 s"
    )


@pytest.mark.parametrize(("now", "left"), [(100.0, 5.0), (101.5, 3.5), (104.9, 0.1)])
def test_rotations_come_at_multiples_of_the_interval(now, left):
    assert seconds_to_rotation(now, 5.0) == pytest.approx(left)
