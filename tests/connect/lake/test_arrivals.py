"""When records were first seen."""

from __future__ import annotations

import pytest

from headrace.connect.lake.arrivals import Arrivals

A, B = ("t", 0), ("t", 1)


@pytest.fixture
def arrivals():
    made = Arrivals(1000)
    made.note({A: (10, 12)}, 5000)
    return made


def test_records_keep_the_time_of_the_round_that_saw_them_first(arrivals):
    arrivals.note({A: (10, 12)}, 5300)
    arrivals.note({A: (10, 15), B: (0, 1)}, 5600)
    assert arrivals.times == {A: [(10, 5000), (12, 5600)], B: [(0, 5600)]}


def test_what_is_in_files_is_forgotten(arrivals):
    arrivals.note({A: (10, 15)}, 5600)
    arrivals.moved({A: 11})
    assert arrivals.times == {A: [(11, 5000), (12, 5600)]}
    arrivals.moved({A: 13})
    assert arrivals.times == {A: [(13, 5600)]}
    arrivals.moved({A: 15})
    assert arrivals.times == {A: []}


def test_records_of_an_interval_ago_are_overdue(arrivals):
    assert not arrivals.overdue(5999)
    assert arrivals.overdue(6000)
    arrivals.moved({A: 12})
    assert not arrivals.overdue(9000)


def test_without_an_interval_nothing_is():
    made = Arrivals(-1)
    made.note({A: (0, 1)}, 0)
    assert not made.overdue(10**12)


def test_many_times_become_few_and_none_later_than_it_was(arrivals):
    for i in range(12, 60):
        arrivals.note({A: (10, i + 1)}, 5000 + i * 10)
    times = arrivals.times[A]
    assert len(times) == 8
    assert times[0] == (10, 5000)
    assert all(time <= 5000 + offset * 10 for offset, time in times)
    assert [offset for offset, _ in times] == sorted(offset for offset, _ in times)


@pytest.mark.spark
def test_the_time_of_each_record(spark, arrivals):
    arrivals.note({A: (10, 15), B: (0, 1)}, 5600)
    rows = [("t", 0, 9), ("t", 0, 11), ("t", 0, 12), ("t", 1, 0), ("u", 0, 11)]
    frame = spark.createDataFrame(rows, "origin_topic string, origin_partition int, offset long")
    found = [row[0] for row in frame.select(arrivals.column(9000)).collect()]
    assert found == [9000, 5000, 5600, 5600, 9000]
