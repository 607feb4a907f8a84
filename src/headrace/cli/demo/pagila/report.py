"""The results of the demo, as tables for people and as one document for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from headrace.cli.demo.pagila.bucket import Object, tree
from headrace.cli.demo.pagila.database import Row
from headrace.cli.demo.pagila.sightings import Sightings
from headrace.cli.demo.pagila.verdict import Check

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

# It never changes here, and the others then fit side by side on most terminals.
NOT_SHOWN = ("postal_code",)
NUMBERS = ("records", "rows", "missing", "different")

NEXT = "Next: examples/pagila/README.md does the same step by step, with curl and SQL."


@dataclass(frozen=True, slots=True)
class Topic:
    name: str
    connector: str
    records: int


@dataclass(frozen=True, slots=True)
class Report:
    """`seconds` from the first connector to the last row compared."""

    topics: Sequence[Topic]
    bucket: str
    objects: Sequence[Object]
    history: Sequence[Row]
    latest: Sequence[Row]
    by_query: Sightings
    by_log: Sightings
    checks: Sequence[Check]
    seconds: float

    @property
    def equal(self) -> bool:
        return all(check.equal for check in self.checks)

    def facts(self) -> dict[str, Any]:
        return {
            "topics": {topic.name: topic.records for topic in self.topics},
            "objects": {entry.key: entry.size for entry in self.objects},
            "history": list(self.history),
            "latest": list(self.latest),
            "seen_by_query": self.by_query,
            "seen_by_log": self.by_log,
            "checks": [check.to_dict() for check in self.checks],
            "seconds": round(self.seconds, 1),
            "equal": self.equal,
        }

    def text(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        parts = [part for section in self._sections() for part in (*section, Text(""))]
        return Group(*parts, Text(self._sentence()), Text(NEXT))

    def _sections(self) -> Iterable[tuple[RenderableType, RenderableType]]:
        yield _title("Topics"), self._topics()
        yield _title("Objects"), tree(self.bucket, self.objects)
        yield _title("Every version in the lake (history.sql)"), _rows(self.history)
        yield _title("The last version of each (latest.sql, ROW_NUMBER)"), _rows(self.latest)
        yield _title("Changes of addresses as each capture saw them"), self._sightings()
        yield _title("Compared with the database"), self._checks()

    def _topics(self) -> Table:
        rows = ((topic.name, topic.connector, f"{topic.records:,}") for topic in self.topics)
        return _table(("topic", "written by", "records"), rows)

    def _sightings(self) -> Table:
        keys = sorted({*self.by_query, *self.by_log})
        rows = ((str(key), _lines(self.by_query, key), _lines(self.by_log, key)) for key in keys)
        return _table(("address_id", "by query (JDBC source)", "by log (Debezium)"), rows)

    def _checks(self) -> Table:
        return _table(
            ("place", "rows", "missing", "different", "deleted, but there", ""),
            (
                (
                    *(check.place, f"{check.rows:,}", str(check.missing), str(check.different)),
                    ", ".join(map(str, check.left)),
                    "equal" if check.equal else "different",
                )
                for check in self.checks
            ),
        )

    def _sentence(self) -> str:
        if not self.equal:
            return "different: not every row matches the database"
        return (
            f"equal: every row matches the database, {self.seconds:.0f} s after the first connector. "
            "Rows that were deleted are gone only where the log was read."
        )


def _title(text: str) -> RenderableType:
    from rich.text import Text

    return Text(text, style="bold underline")


def _lines(seen: Mapping[int, Sequence[str]], key: int) -> str:
    return "\n".join(seen.get(key, ())) or "nothing"


def _rows(rows: Sequence[Row]) -> Table:
    names = [name for name in rows[0] if name not in NOT_SHOWN] if rows else ["no rows"]
    return _table(names, ([_cell(row[name]) for name in names] for row in rows))


def _table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold", justify="right" if name in NUMBERS else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _cell(value: object) -> str:
    return "NULL" if value is None else str(value)
