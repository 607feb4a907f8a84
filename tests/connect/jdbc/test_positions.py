from __future__ import annotations

import pytest

from headrace.connect.jdbc.positions import (
    Marks,
    Position,
    earlier,
    earlier_by_clock,
    millis_of,
    moment_of_millis,
)


class TestMoments:
    @pytest.mark.parametrize("millis", [0, 1, 999, 1000, 1487151930123, -1, -1500])
    def test_milliseconds_there_and_back(self, millis):
        assert millis_of(moment_of_millis(millis)) == millis

    def test_nanoseconds_are_of_the_second(self):
        assert moment_of_millis(1500, 500_123_456) == (1, 500_123_456)
        assert moment_of_millis(1500) == (1, 500_000_000)

    def test_earlier_keeps_what_is_below_a_millisecond(self):
        assert earlier((10, 5_000_123), 10) == (9, 995_000_123)
        assert earlier((10, 5_000_123), 0) == (10, 5_000_123)


class TestClock:
    # 03:00 in Berlin became 02:00 at this second.
    PUT_BACK = 1603587600

    @pytest.mark.parametrize(
        ("zone", "since", "end", "found"),
        [
            ("Europe/Berlin", -10, 5, -3610),
            ("Europe/Berlin", -20, -10, -20),
            ("Europe/Berlin", 5, 15, 5),
            ("UTC", -10, 5, -10),
        ],
    )
    def test_what_it_shows_before_both(self, zone, since, end, found):
        moments = ((self.PUT_BACK + seconds, 7) for seconds in (since, end))
        assert earlier_by_clock(*moments, zone) == (self.PUT_BACK + found, 7)

    def test_a_clock_that_is_put_forward_changes_nothing(self):
        put_forward = 1616893200
        since = (put_forward - 10, 0)
        assert earlier_by_clock(since, (put_forward + 5, 0), "Europe/Berlin") == since


class TestPosition:
    @pytest.mark.parametrize(
        ("position", "offset"),
        [
            (Position(), {}),
            (Position(incrementing=7), {"incrementing": 7}),
            (
                Position((1487151930, 123456000)),
                {"timestamp": 1487151930123, "timestamp_nanos": 123456000},
            ),
            (
                Position((0, 0), 3),
                {"timestamp": 0, "timestamp_nanos": 0, "incrementing": 3},
            ),
        ],
    )
    def test_offsets_have_connect_s_form(self, position, offset):
        assert position.offset() == offset
        assert Position.of_offset(offset) == position

    def test_an_offset_of_milliseconds_alone_is_read(self):
        assert Position.of_offset({"timestamp": 1500}) == Position((1, 500_000_000))

    def test_no_offset_is_no_position(self):
        assert Position.of_offset(None) == Position()

    def test_of_the_last_row_of_an_answer(self):
        row = {"timestamp": [5, 6], "incrementing": 7}
        assert Position.of_row(row) == Position((5, 6), 7)
        assert Position.of_row({}) == Position()

    def test_a_row_that_was_late_does_not_move_it_back(self):
        assert Position((5, 0), 1).advanced(Position((4, 0), 9)) == Position((5, 0), 1)
        assert Position((5, 0), 1).advanced(Position((5, 0), 2)) == Position((5, 0), 2)
        assert Position(incrementing=8).advanced(Position(incrementing=3)).incrementing == 8
        assert Position(incrementing=8).advanced(Position(incrementing=9)).incrementing == 9

    def test_before_the_first_row_there_is_nothing_to_keep(self):
        assert Position().advanced(Position((1, 0))) == Position((1, 0))


class TestMarks:
    def test_they_are_kept_as_json(self):
        marks = Marks(100, (90, 95), (1, 2), (3, 4), ((5, 6, 7),), (8, -9))
        assert Marks.of_json(marks.to_json()) == marks

    def test_what_is_not_known_stays_unknown(self):
        assert Marks.of_json(Marks(100).to_json()) == Marks(100)

    @pytest.mark.parametrize("nothing", [None, {}])
    def test_without_any(self, nothing):
        assert Marks.of_json(nothing) is None
