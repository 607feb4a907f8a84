"""What a look asks for and remembers, with databases that answer by hand; `test_task` looks at real ones."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from headrace.connect.jdbc.columns import TableId
from headrace.connect.jdbc.looks import Looks, Moments, State
from headrace.connect.jdbc.positions import Marks, Position
from headrace.connect.jdbc.predicates import Columns
from headrace.connect.jdbc.settings import SourceSettings
from headrace.connect.jdbc.tables import Source
from headrace.connect.jdbc.transactions import Transactions
from headrace.connect.jdbc.types import TypeSettings

TIME = Columns(('"at"',))
NUMBER = Columns((), '"id"')
END = (1000, 0)
OPEN = Transactions(next=50, open=(41,), oldest=(900, 0), now=(1001, 0))


class Answers:
    """A link whose fetches give these rows, and notes what was asked."""

    def __init__(self, *rows: dict, **options: str) -> None:
        self.settings = SourceSettings({"mode": "timestamp", **options})
        self.rows = rows
        self.asked: list[str] = []
        self.is_postgres, self.lossless = True, True
        self.connection = None
        self.login = None
        self.dialect = SimpleNamespace(now=lambda *_: 1_000_500_000_000, schemes=("x",))

    def query(self, sql: str, parameters: str) -> tuple[str, str]:
        self.asked.append(sql)
        return sql, parameters

    def fetch(self, *_) -> SimpleNamespace:
        return SimpleNamespace(
            tooMany=lambda: False,
            count=lambda: len(self.rows),
            portion=lambda: self.rows,
            last=lambda: json.dumps(self.rows[-1]),
        )


class Database:
    def __init__(self, *rows: tuple) -> None:
        self.connection = None
        self.answer = list(rows)
        self.asked: list[str] = []

    def rows(self, sql: str, *_) -> list[tuple]:
        self.asked.append(sql)
        return self.answer


class Pipelines:
    """Gives pipelines that keep what they were given."""

    def of(self, source: Source) -> SimpleNamespace:
        given: list = []
        return SimpleNamespace(source=source, give=given.append, given=given)


def source(columns: Columns = TIME) -> Source:
    return Source(
        TableId(None, "public", "t"), '"t"', "t", (), columns, (), "", TypeSettings.of({})
    )


def state(columns: Columns = TIME, **facts) -> State:
    return State(source(columns), None, Position((500, 0)), **facts)


@pytest.mark.parametrize("delay", ["0", "1500"])
def test_the_end_of_a_poll_is_the_database_s_clock_less_the_delay(delay):
    looks = Looks(Answers(**{"timestamp.delay.interval.ms": delay}), Pipelines())
    moments = looks.moments(Database(), None)
    seconds, nanos = moments.end
    assert seconds * 1000 + nanos // 1_000_000 == 1_000_500_000 - int(delay)


def test_nothing_found_leaves_the_position_and_renews_the_marks():
    looks = Looks(Answers(), Pipelines())
    change = looks.look(Database(), state(marks=Marks(40)), Moments(END, OPEN))
    assert change.pipeline is None
    assert change.position == Position((500, 0))
    assert change.marks is not None
    assert (change.marks.next, change.marks.open, change.marks.end) == (50, (41,), END)


def test_rows_go_to_the_table_s_pipeline_and_move_the_position():
    looks = Looks(Answers({"timestamp": [700, 5]}), Pipelines())
    where = state(marks=Marks(40))
    change = looks.look(Database(), where, Moments(END, OPEN))
    assert change.pipeline is where.pipeline
    assert change.pipeline.given == [({"timestamp": [700, 5]},)]
    assert change.position == Position((700, 5))
    assert where.position == Position((500, 0)), "it stays until the rows are sent"


def test_a_row_that_was_found_late_does_not_move_the_position_back():
    looks = Looks(Answers({"timestamp": [300, 0]}), Pipelines())
    change = looks.look(Database(), state(marks=Marks(40)), Moments(END, OPEN))
    assert change.position == Position((500, 0))


def test_what_was_open_is_asked_for_only_with_marks():
    plain, marked = Answers(), Answers()
    Looks(plain, Pipelines()).look(Database(), state(), Moments(END, OPEN))
    Looks(marked, Pipelines()).look(Database(), state(marks=Marks(40)), Moments(END, OPEN))
    assert "xmin" not in plain.asked[0]
    assert "xmin" in marked.asked[0]


@pytest.mark.parametrize(
    ("columns", "stored", "found"),
    [
        (TIME, Position(None, 5), Position((3, 0))),
        (TIME, Position((9, 0), 5), Position((9, 0))),
        (NUMBER, Position((9, 0)), Position(None, 7)),
        (NUMBER, Position((9, 0), 5), Position(None, 5)),
        (Columns(('"at"',), '"id"'), Position((9, 0)), Position((9, 0), 7)),
        (Columns(('"at"',), '"id"'), Position(None, 5), Position((3, 0), 5)),
        (Columns(), Position((9, 0), 5), Position()),
    ],
)
def test_offsets_that_another_mode_has_left(columns, stored, found):
    link = Answers(**{"timestamp.initial": "3000", "incrementing.initial": "7"})
    where = State(source(columns), None, stored)
    assert Looks(link, Pipelines())._before(where, Moments(END, OPEN)) == found


def test_a_clock_that_was_put_back_is_looked_behind():
    """Of rows without a zone, those of the hour that comes twice may lie before all that were seen."""
    back = 1603587600
    link = Answers(**{"db.timezone": "Europe/Berlin"})
    marks = Marks(40, (), (back - 10, 0), (back - 1, 0))
    looks, moments = Looks(link, Pipelines()), Moments((back + 5, 0), OPEN)
    condition = looks._condition(state(marks=marks), Position((500, 0)), moments)
    assert (back - 3610, 0) in condition.parameters
    assert (back - 10, 0) not in condition.parameters


def test_rows_that_tell_no_transactions_are_not_asked_for_them():
    looks = Looks(Answers(), Pipelines())
    view = state(marks=Marks(40))
    view.source = replace(view.source, stored=False)
    assert "xmin" not in looks._condition(view, Position((500, 0)), Moments(END, OPEN)).sql
    assert looks._remembered_since(view, Moments(END, OPEN)) is not None
    assert looks._remembered_since(state(), Moments(END, OPEN)) is None


def test_without_a_word_on_transactions_there_are_no_marks():
    change = Looks(Answers(), Pipelines()).look(Database(), state(), Moments(END, None))
    assert change.marks is None


@pytest.mark.parametrize(
    ("window", "oldest", "since"),
    [
        ("0", (900, 0), (900, 0)),
        ("2000", (900, 0), (898, 0)),
        ("-1", (900, 0), None),
        ("0", None, None),
    ],
)
def test_how_far_back_a_late_row_is_looked_for(window, oldest, since):
    looks = Looks(Answers(**{"headrace.lossless.window.ms": window}), Pipelines())
    found = Transactions(50, (), oldest, (1001, 0))
    change = looks.look(Database(), state(marks=Marks(40)), Moments(END, found))
    assert change.marks is not None
    assert change.marks.since == since


def test_numbers_that_are_missing_are_remembered():
    looks = Looks(Answers({"incrementing": 9}, mode="incrementing"), Pipelines())
    where = State(source(NUMBER), None, Position(None, 4), Marks(40))
    change = looks.look(Database((5, 8)), where, Moments(END, OPEN))
    assert change.marks is not None
    assert change.marks.gaps == ((6, 7, 1001),)


@pytest.mark.parametrize(("seen", "kept"), [(950, True), (850, False)])
def test_a_number_missing_since_before_all_open_transactions_stays_missing(seen, kept):
    looks = Looks(Answers(mode="incrementing"), Pipelines())
    marks = Marks(40, gaps=((6, 7, seen),))
    where = State(source(NUMBER), None, Position(None, 9), marks)
    change = looks.look(Database(), where, Moments(END, OPEN))
    assert change.marks is not None
    assert bool(change.marks.gaps) == kept


@pytest.mark.parametrize(("initial", "second"), [(None, 0), ("5000", 5)])
def test_a_table_without_an_offset_begins_where_the_options_say(initial, second):
    options = {"timestamp.initial": initial} if initial else {}
    looks = Looks(Answers(**options), Pipelines())
    position = looks._initial(source(), Moments(END, None))
    assert position.timestamp == (second, 0)


def test_it_can_begin_now():
    looks = Looks(Answers(**{"timestamp.initial": "-1"}), Pipelines())
    assert looks._initial(source(), Moments(END, None)).timestamp == END
