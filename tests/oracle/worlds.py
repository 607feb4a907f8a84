"""Tables, the changes that reach them, and what they hold after each batch.

Many small worlds live side by side in the same tables, told apart by the column `w`. Queries keep them apart, so that one
streaming query is tried on all of them at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from hypothesis import strategies as st

from headrace.changelog import ChangelogMode
from headrace.types import BIGINT, INT, STRING, DataType, array

TAGS = array(STRING)


@dataclass(frozen=True)
class SourceTable:
    name: str
    mode: ChangelogMode
    columns: dict[str, DataType]
    key: tuple[str, ...] = ()

    def row(self, cells: dict[str, Any]) -> tuple[Any, ...]:
        return tuple(cells[name] for name in self.columns)


_PLACE = {"w": INT.not_null(), "k": INT.not_null()}
TABLES = {
    table.name: table
    for table in (
        SourceTable(
            "events",
            ChangelogMode.append(),
            {**_PLACE, "a": INT, "b": BIGINT, "s": STRING, "tags": TAGS},
        ),
        SourceTable("users", ChangelogMode.upsert(), {**_PLACE, "a": INT, "s": STRING}, ("w", "k")),
        SourceTable(
            "items",
            ChangelogMode.upsert(),
            {**_PLACE, "a": INT, "b": BIGINT, "s": STRING, "tags": TAGS},
            ("w", "k"),
        ),
        # Rows without a key that come and go one by one.
        SourceTable(
            "ledger", ChangelogMode.retract(), {"w": INT.not_null(), "a": INT, "s": STRING}
        ),
    )
}


class Record(NamedTuple):
    """`weight` -1 takes the row away; of an upsert table only its key counts then."""

    table: str
    cells: dict[str, Any]
    weight: int


class Intent(NamedTuple):
    """A change as drawn, before it is known what the table holds."""

    table: str
    delete: bool
    cells: dict[str, Any]


_CELLS = st.fixed_dictionaries(
    {
        "k": st.integers(0, 2),
        "a": st.sampled_from([None, 0, 1, 2, -1]),
        "b": st.sampled_from([None, 0, 1, 5]),
        "s": st.sampled_from([None, "x", "y", "xy"]),
        "tags": st.sampled_from([None, [], ["x"], ["y", "x"], ["x", "x"], ["x", None]]),
    }
)
_INTENTS = st.builds(
    Intent, st.sampled_from(sorted(TABLES)), st.sampled_from([False, False, True]), _CELLS
)


@dataclass
class State:
    """What the tables hold: rows by key, or how often each row is there."""

    rows: dict[str, Counter[tuple[Any, ...]]] = field(
        default_factory=lambda: {name: Counter() for name in TABLES}
    )
    _keyed: dict[tuple[Any, ...], tuple[Any, ...]] = field(default_factory=dict)

    def apply(self, record: Record) -> None:
        table = TABLES[record.table]
        row = _hashable(table.row(record.cells))
        if table.key:
            self._replace(table, record, row)
        else:
            self.rows[table.name][row] += record.weight

    def _replace(self, table: SourceTable, record: Record, row: tuple[Any, ...]) -> None:
        key = (table.name, *(record.cells[name] for name in table.key))
        old = self._keyed.pop(key, None)
        if old is not None:
            del self.rows[table.name][old]
        if record.weight > 0:
            self._keyed[key] = row
            self.rows[table.name][row] = 1

    def held(self, table: str, world: int) -> list[tuple[Any, ...]]:
        return sorted((row for row in self.rows[table].elements() if row[0] == world), key=repr)


def _hashable(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(tuple(cell) if isinstance(cell, list) else cell for cell in row)


Batch = list[Record]

# Changes of one world in each of three batches: enough to come, to change and to go.
BATCHES = 3
_HISTORIES = st.tuples(*[st.lists(_INTENTS, max_size=6)] * BATCHES)
# Two lists, since a single one seldom grows past six.
_WORLDS = st.tuples(st.lists(_HISTORIES, max_size=12), st.lists(_HISTORIES, max_size=12))


@st.composite
def batches(draw: st.DrawFn) -> list[Batch]:
    """The changes of all worlds, batch by batch."""
    state = State()
    histories = [history for some in draw(_WORLDS) for history in some]
    return [
        [
            _record(intent, world, state)
            for world, history in enumerate(histories)
            for intent in history[number]
        ]
        for number in range(BATCHES)
    ]


def _record(intent: Intent, world: int, state: State) -> Record:
    table = TABLES[intent.table]
    cells = {name: ({"w": world} | intent.cells)[name] for name in table.columns}
    record = Record(table.name, cells, 1)
    if intent.delete:
        record = _removal(table, cells, state)
    state.apply(record)
    return record


def _removal(table: SourceTable, cells: dict[str, Any], state: State) -> Record:
    """A tombstone, of a known key or not; of a table of plain rows one that is there; else the row is added."""
    if table.mode.is_upsert:
        kept = {name: cells[name] if name in table.key else None for name in table.columns}
        return Record(table.name, kept, -1)
    held = state.held(table.name, cells["w"])
    if table.mode.is_append or not held:
        return Record(table.name, cells, 1)
    chosen = held[len(held) // 2]
    return Record(table.name, dict(zip(table.columns, chosen, strict=True)), -1)
