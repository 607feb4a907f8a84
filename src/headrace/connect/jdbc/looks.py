"""One look at a table: what it has to tell since the last one, and where it stands then."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from headrace.connect.jdbc import ranges
from headrace.connect.jdbc.database import Database
from headrace.connect.jdbc.links import Link
from headrace.connect.jdbc.pipeline import Pipeline, Pipelines
from headrace.connect.jdbc.positions import (
    Marks,
    Moment,
    Position,
    earlier,
    earlier_by_clock,
    moment_of_millis,
)
from headrace.connect.jdbc.predicates import (
    Condition,
    after,
    initial,
    merged,
    unseen,
    up_to,
    within,
)
from headrace.connect.jdbc.tables import Source
from headrace.connect.jdbc.transactions import Transactions, moment_of_micros

# Ranges of missing numbers that are looked at again; more of them make a statement that takes longer than reading some
# rows twice.
_MOST_GAPS = 200

# How long a missing number is waited for where it is not shown how old the open transactions are.
_GAP_SECONDS = 600

# Rows of a query that are remembered: their digests have to fit into a record of the offsets' topic.
_MOST_SENT = 20_000

# Of a long first answer, how many of the last numbers are searched for gaps.
_GAPS_WITHIN = 100_000


@dataclass(slots=True)
class State:
    """Where a table stands. `position` is None until there is an offset, `marks` until it was read without loss."""

    source: Source
    cells: Any
    position: Position | None
    marks: Marks | None = None
    pipeline: Pipeline | None = None


@dataclass(frozen=True, slots=True)
class Moments:
    """What holds for all tables of a poll."""

    end: Moment
    transactions: Transactions | None


@dataclass(frozen=True, slots=True)
class Change:
    """What a look found: a pipeline that was given rows (None: none were found), and what holds once these are sent."""

    state: State
    pipeline: Pipeline | None
    position: Position | None
    marks: Marks | None


class Looks:
    def __init__(self, link: Link, pipelines: Pipelines) -> None:
        self.link = link
        self.pipelines = pipelines
        self.settings = link.settings

    def moments(self, database: Database, transactions: Transactions | None) -> Moments:
        now = moment_of_micros(self.link.dialect.now(database, self.settings.zone))
        millis = now[0] * 1000 + now[1] // 1_000_000
        delay = self.settings.values["timestamp.delay.interval.ms"]
        return Moments(moment_of_millis(millis - delay), transactions)

    def look(self, database: Database, state: State, moments: Moments) -> Change:
        before = self._before(state, moments)
        since = self._remembered_since(state, moments)
        if since is not None:
            return self._look_again(database, state, before, moments, since)
        condition = self._condition(state, before, moments)
        first = state.position is None or self.settings.is_bulk
        parts = ranges.split(self.link, database, state.source) if first else []
        if parts:
            return self._long(database, state, moments, condition, parts)
        fetched = self._fetched(database, state, condition)
        if fetched.tooMany():
            return self._long(database, state, moments, condition, [Condition()])
        if not fetched.count():
            return Change(
                state, None, state.position, self._marks(database, state, before, before, moments)
            )
        pipeline = self._pipeline(state)
        pipeline.give(fetched.portion())
        last = Position.of_row(json.loads(fetched.last()))
        return self._change(database, state, pipeline, before, last, moments)

    def _remembered_since(self, state: State, moments: Moments) -> Moment | None:
        """From when on the rows of a query or view are remembered, since no transaction is told of them; None for tables, and
        where it is not known how old the open transactions are."""
        found = moments.transactions
        if found is None or state.source.stored or not state.source.position.timestamps:
            return None
        return self._since(found, moments.end)

    def _look_again(
        self, database: Database, state: State, before: Position, moments: Moments, since: Moment
    ) -> Change:
        """Reads the rows of the last poll's end once more, and passes over those that were sent."""
        columns, marks = state.source.position, state.marks
        known = () if marks is None else marks.sent
        if marks is None or marks.since is None:
            condition = after(columns, before, moments.end)
        else:
            condition = within(columns, self._by_clock(marks.since, moments), moments.end)
        fetched = self.pipelines.session._jvm.headrace.connect.jdbc.Fetched.unknown(
            database.connection,
            self.link.query(state.source.select(condition), condition.json()),
            state.cells,
            columns.incrementing is not None,
            self.settings.held_rows,
            list(known),
            *since,
        )
        sent = tuple(json.loads(fetched.digests()))
        if fetched.tooMany() or len(sent) > _MOST_SENT:
            plain = after(columns, before, moments.end)
            return self._long(database, state, moments, plain, [Condition()])
        assert moments.transactions is not None
        reached = Marks(moments.transactions.next, (), since, moments.end, sent=sent)
        if not fetched.count():
            return Change(state, None, state.position, reached)
        pipeline = self._pipeline(state)
        pipeline.give(fetched.portion())
        last = before.advanced(Position.of_row(json.loads(fetched.last())))
        return Change(state, pipeline, last, reached)

    def _pipeline(self, state: State) -> Pipeline:
        """Made when a table first has something to tell: planning those of many tables takes its time."""
        if state.pipeline is None:
            state.pipeline = self.pipelines.of(state.source)
        return state.pipeline

    def _change(
        self,
        database: Database,
        state: State,
        pipeline: Pipeline,
        before: Position,
        last: Position,
        moments: Moments,
    ) -> Change:
        if self.settings.is_bulk:
            return Change(state, pipeline, None, None)
        reached = before.advanced(last)
        return Change(
            state, pipeline, reached, self._marks(database, state, before, reached, moments)
        )

    def _before(self, state: State, moments: Moments) -> Position:
        """What an offset lacks, which another mode has left, begins where a table without one does; what this mode has no use
        for is left out."""
        start, stored = self._initial(state.source, moments), state.position or Position()
        number = start.incrementing if stored.incrementing is None else stored.incrementing
        return Position(
            None if start.timestamp is None else stored.timestamp or start.timestamp,
            None if start.incrementing is None else number,
        )

    def _initial(self, source: Source, moments: Moments) -> Position:
        chosen = self.settings.initial_timestamp
        start = moments.end if chosen is None else moment_of_millis(chosen)
        return initial(source.position, start, self.settings.values["incrementing.initial"])

    def _condition(self, state: State, before: Position, moments: Moments) -> Condition:
        if self.settings.is_bulk:
            return Condition()
        if state.marks is None or moments.transactions is None or not state.source.stored:
            return after(state.source.position, before, moments.end)
        marks = state.marks
        if marks.since is not None:
            marks = replace(marks, since=self._by_clock(marks.since, moments))
        return unseen(
            state.source.position,
            before,
            marks,
            xmin=f"{state.source.origin}.xmin",
            end=moments.end,
            next=moments.transactions.next,
        )

    def _by_clock(self, since: Moment, moments: Moments) -> Moment:
        """Timestamps without a zone are those of a clock that may have been put back since."""
        return earlier_by_clock(since, moments.end, self.settings.zone)

    def _fetched(self, database: Database, state: State, condition: Condition) -> Any:
        source = state.source
        query = self.link.query(source.select(condition), condition.json())
        return self.link.fetch(
            database.connection,
            query,
            state.cells,
            source.position.timestamp is not None,
            source.position.incrementing is not None,
            self.settings.held_rows,
        )

    def _long(
        self,
        database: Database,
        state: State,
        moments: Moments,
        condition: Condition,
        parts: Sequence[Condition],
    ) -> Change:
        """An answer that tasks of Spark read, each a part; in the same snapshot where the database can share one, and
        else up to the last row that there is now."""
        before = self._before(state, moments)
        last = Position() if self.settings.is_bulk else self._last(database, state, condition)
        shared = self._shared_snapshot(database)
        bound = (
            condition
            if shared or self.settings.is_bulk
            else condition & up_to(state.source.position, last)
        )
        ordered = len(parts) == 1
        queries = [
            self.link.query(
                state.source.select(bound & part, ordered=ordered, positions=False),
                (bound & part).json(),
            )
            for part in parts
        ]
        pipeline = self.pipelines.asking(state.source, len(parts))
        pipeline.plan.records.ask(self.link.login, shared, queries, pipeline.cells)
        return self._change(database, state, pipeline, before, last, moments)

    def _last(self, database: Database, state: State, condition: Condition) -> Position:
        columns = state.source.position
        # Told that one row is wanted, the database looks for the last instead of sorting all.
        limit = " LIMIT 1" if self.link.dialect.schemes else ""
        query = self.link.query(state.source.select_last(condition) + limit, condition.json())
        text = self.pipelines.session._jvm.headrace.connect.jdbc.Fetched.lastOf(
            database.connection,
            query,
            columns.timestamp is not None,
            columns.incrementing is not None,
        )
        return Position.of_row(json.loads(text))

    def _shared_snapshot(self, database: Database) -> str | None:
        if not self.link.lossless:
            return None
        return str(database.rows("SELECT pg_export_snapshot()")[0][0])

    def _marks(
        self,
        database: Database,
        state: State,
        before: Position,
        reached: Position,
        moments: Moments,
    ) -> Marks | None:
        """What the next look compares with."""
        found = moments.transactions
        if found is None or not state.source.stored or self.settings.is_bulk:
            return None
        marks = Marks(found.next, found.open, self._since(found, moments.end), moments.end)
        if state.source.position.timestamp is not None:
            return marks
        return replace(marks, gaps=self._gaps(database, state, before, reached, found))

    def _since(self, found: Transactions, end: Moment) -> Moment | None:
        """No row that is yet to be found has a timestamp before this; None where that cannot be known."""
        window = self.settings.values["headrace.lossless.window.ms"]
        if found.oldest is None or window < 0:
            return None
        return earlier(min(found.oldest, end), window)

    def _gaps(
        self,
        database: Database,
        state: State,
        before: Position,
        reached: Position,
        found: Transactions,
    ) -> tuple[tuple[int, int, int], ...]:
        """Numbers that are missing, each since when; one that was missing before every open transaction began stays so."""
        patience = found.oldest[0] if found.oldest else found.now[0] - _GAP_SECONDS
        old = [gap for gap in (state.marks.gaps if state.marks else ()) if gap[2] >= patience]
        new: list[tuple[int, int, int]] = []
        if reached != before and reached.incrementing is not None:
            low = max(before.incrementing or 0, reached.incrementing - _GAPS_WITHIN)
            new = [(a, b, found.now[0]) for a, b in self._missing(database, state.source, low)]
        return merged([*old, *new], _MOST_GAPS)

    def _missing(self, database: Database, source: Source, low: int) -> list[tuple[int, int]]:
        number = source.position.incrementing
        rows = database.rows(
            f"SELECT CAST(b AS bigint), CAST(a AS bigint) FROM (SELECT {number} AS a, lag({number}, 1) OVER (ORDER BY"
            f" {number}) AS b FROM {source.origin} WHERE {number} >= {low}) g WHERE a > b + 1"
        )
        return [(int(b) + 1, int(a) - 1) for b, a in rows]
