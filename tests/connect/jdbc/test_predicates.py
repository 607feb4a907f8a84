"""Conditions are tried on SQLite's rows where they can be, so that their meaning is tested and not their text."""

from __future__ import annotations

import json
import re
import sqlite3

import pytest

from headrace.connect.jdbc.positions import Marks, Position
from headrace.connect.jdbc.predicates import (
    Columns,
    Condition,
    after,
    initial,
    merged,
    unseen,
    up_to,
    within,
)

TIME = Columns(('"at"',))
NUMBER = Columns((), '"id"')
BOTH = Columns(('"at"',), '"id"')
LAST = Position((15, 0))


def number(moment):
    return moment[0] if isinstance(moment, tuple) else moment


@pytest.fixture
def found():
    """The ids of rows (id, at, xmin) that a condition lets through; moments are whole seconds."""
    database = sqlite3.connect(":memory:")
    database.execute('CREATE TABLE t ("id" int, "at" int, "xmin" int)')

    def ask(rows, condition, columns=BOTH):
        database.execute("DELETE FROM t")
        database.executemany("INSERT INTO t VALUES (?, ?, ?)", rows)
        sql = f'SELECT "id" FROM t{condition.where()}{columns.order()}'
        parameters = [number(value) for value in condition.parameters]
        return [row[0] for row in database.execute(sql, parameters)]

    yield ask
    database.close()


class TestConditions:
    def test_and_or_keep_their_parameters_in_order(self):
        joined = (Condition("a = ?", (1,)) & Condition("b = ?", (2,))) | Condition("c = ?", (3,))
        assert joined.sql == "((a = ?) AND (b = ?)) OR (c = ?)"
        assert joined.parameters == (1, 2, 3)

    def test_nothing_joined_to_something_is_that(self):
        one = Condition("a = ?", (1,))
        assert (Condition() & one, one & Condition()) == (one, one)
        assert Condition().where() == ""

    def test_parameters_travel_as_json(self):
        assert json.loads(Condition("x", ((1, 5), 7)).json()) == [[1, 5], 7]


class TestColumns:
    def test_of_several_timestamps_the_first_that_is_not_null(self):
        assert Columns(("a", "b")).timestamp == "COALESCE(a, b)"
        assert TIME.timestamp == '"at"'
        assert NUMBER.timestamp is None

    def test_order(self):
        assert BOTH.order() == ' ORDER BY "at" ASC, "id" ASC'
        assert BOTH.last_first() == ' ORDER BY "at" DESC, "id" DESC'
        assert Columns().order() == ""

    def test_where_a_table_begins(self):
        assert initial(TIME, (9, 0), -1) == Position((9, 0))
        assert initial(NUMBER, (9, 0), -1) == Position(incrementing=-1)
        assert initial(BOTH, (9, 0), -1) == Position((9, 0), -1)


class TestConnect:
    ROWS = ((1, 10, 1), (2, 10, 1), (3, 11, 1), (4, 20, 1), (5, None, 1))

    def test_timestamp_is_strict_on_both_sides(self, found):
        assert found(self.ROWS, after(TIME, Position((10, 0)), (20, 0))) == [3]
        assert found(self.ROWS, after(TIME, Position((0, 0)), (21, 0))) == [1, 2, 3, 4]

    def test_incrementing(self, found):
        assert found(self.ROWS, after(NUMBER, Position(incrementing=3), None), NUMBER) == [4, 5]
        assert found(self.ROWS, after(NUMBER, Position(), None), NUMBER) == [1, 2, 3, 4, 5]

    def test_both_go_on_within_a_tie(self, found):
        assert found(self.ROWS, after(BOTH, Position((10, 0), 1), (20, 0))) == [2, 3]
        assert found(self.ROWS, after(BOTH, Position((10, 0)), (20, 0))) == [3]

    @pytest.mark.parametrize("columns", [TIME, NUMBER, BOTH])
    def test_up_to_the_last_row_is_everything_else(self, found, columns):
        rows = self.ROWS[:4]
        last = Position((10, 0), 2)
        before = found(rows, up_to(columns, last), columns)
        behind = found(rows, after(columns, last, (99, 0)), columns)
        assert sorted(before + behind) == [1, 2, 3, 4]
        assert not set(before) & set(behind)

    def test_without_positions_everything(self):
        assert up_to(Columns(), Position()) == Condition()


class TestUnseen:
    MARKS = Marks(next=100, open=(90,), since=(5, 0), end=(20, 0))

    def ask(self, found, rows, marks=MARKS, columns=TIME, position=LAST, **more):
        given = {"xmin": '"xmin"', "end": (30, 0), "next": 200} | more
        return found(rows, unseen(columns, position, marks, **given), columns)

    def test_rows_of_open_and_later_transactions_and_new_times(self, found):
        rows = [
            (1, 10, 80),  # seen
            (2, 10, 90),  # was open
            (3, 15, 100),  # began later, equal to the last timestamp
            (4, 25, 80),  # was beyond the end of the last poll
            (5, 30, 150),  # is beyond the end of this one
            (6, 4, 150),  # older than what was open
            (7, None, 150),
        ]
        assert self.ask(found, rows) == [2, 3, 4]

    def test_without_a_bound_old_times_are_found_too(self, found):
        rows = [(1, 1, 150), (2, 1, 80)]
        assert self.ask(found, rows, Marks(100, (), None, (20, 0))) == [1]

    def test_numbers_of_the_round_before(self, found):
        epoch = 1 << 32
        marks = Marks(next=epoch + 10, open=(epoch - 5,), since=(0, 0), end=(20, 0))
        rows = [(1, 10, epoch - 5), (2, 10, epoch - 6), (3, 10, 9), (4, 10, 10), (5, 10, 3)]
        assert self.ask(found, rows, marks, next=epoch + 50) == [1, 4]

    @pytest.mark.parametrize("next", [120, (1 << 32) + 120, (1 << 32) - 2])
    def test_numbers_that_began_after_the_look_are_not_of_the_round_before(self, found, next):
        marks = Marks(next=next - 5, open=(), since=(0, 0), end=(20, 0))
        rows = [(1, 10, (next + 3) % (1 << 32)), (2, 10, (next - 6) % (1 << 32))]
        assert self.ask(found, rows, marks, next=next) == [1]

    def test_incrementing_looks_into_gaps_only(self, found):
        marks = Marks(100, (90,), gaps=((3, 4, 0), (8, 8, 0)))
        rows = [(1, 0, 150), (3, 0, 90), (4, 0, 80), (8, 0, 150), (11, 0, 80)]
        position = Position(incrementing=10)
        assert self.ask(found, rows, marks, NUMBER, position) == [3, 8, 11]

    def test_incrementing_without_gaps(self, found):
        rows = [(1, 0, 150), (11, 0, 80)]
        assert self.ask(found, rows, Marks(100), NUMBER, Position(incrementing=10)) == [11]

    def test_values_are_parameters_and_numbers_alone_are_text(self):
        condition = unseen(TIME, Position((1, 0)), self.MARKS, xmin="x", end=(30, 0), next=200)
        assert condition.parameters == ((30, 0), (5, 0), (20, 0))
        assert condition.sql.count("?") == 3
        assert not re.search(r"[;']", condition.sql)


def test_a_span_of_time_has_its_begin_and_not_its_end(found):
    rows = [(1, 9, 0), (2, 10, 0), (3, 19, 0), (4, 20, 0)]
    assert found(rows, within(TIME, (10, 0), (20, 0)), TIME) == [2, 3]


class TestGaps:
    def test_few_stay(self):
        assert merged([(5, 6, 1), (1, 2, 1)], 2) == ((1, 2, 1), (5, 6, 1))

    def test_the_nearest_are_joined_and_wait_as_long_as_the_later(self):
        assert merged([(1, 2, 1), (9, 9, 2), (11, 12, 3)], 2) == ((1, 2, 1), (9, 12, 3))

    def test_none(self):
        assert merged([], 2) == ()
