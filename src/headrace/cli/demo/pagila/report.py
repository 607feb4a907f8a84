"""The results of the demo, as two tables for people and as one document for programs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from headrace.cli.demo.pagila.bucket import Object
from headrace.cli.demo.pagila.changed_rows import DELETED, ChangedValue
from headrace.cli.demo.pagila.districts import ChangedCount
from headrace.cli.demo.pagila.verdict import Check

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

COUNTS = ("before", "PostgreSQL", "topic (SQL)")
NUMBERS = ("rows", "missing", "different")

NEXT = "Next: follow examples/pagila/README.md to run the same steps with curl and SQL."
ABOUT_DELETES = (
    "The JDBC source polls tables and cannot see a delete: its topics, and the objects written from them, keep the row. "
    "Debezium reads the database's log and reports the delete."
)


@dataclass(frozen=True, slots=True)
class Report:
    """`topics` are numbers of records; `seconds` runs from the start of the demo to the last row compared."""

    topics: Mapping[str, int]
    bucket: str
    objects: Sequence[Object]
    changed: Sequence[ChangedValue]
    counts: Sequence[ChangedCount]
    checks: Sequence[Check]
    seconds: float

    @property
    def equal(self) -> bool:
        return all(check.equal for check in self.checks)

    def facts(self) -> dict[str, Any]:
        return {
            "topics": dict(self.topics),
            "objects": {entry.key: entry.size for entry in self.objects},
            "changed": [value.to_dict() for value in self.changed],
            "counts": [count.to_dict() for count in self.counts],
            "checks": [check.to_dict() for check in self.checks],
            "seconds": round(self.seconds, 1),
            "equal": self.equal,
        }

    def text(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        return Group(
            Text(""),
            _title("Changed addresses in every copy"),
            self._changes(),
            Text(ABOUT_DELETES, style="dim"),
            Text(""),
            _title("Addresses per district, counted by the Flink SQL query"),
            self._changed_counts(),
            Text(""),
            _title("Every copy compared with PostgreSQL, row by row"),
            self._comparison(),
            Text(""),
            self._sentence(),
            Text(NEXT),
        )

    def _changes(self) -> Table:
        names = (
            *("id", "column", "before", "PostgreSQL", "topic (JDBC)"),
            *("topic (Debezium)", "lake (Parquet)"),
        )
        table = _table(names)
        for key, group in groupby(self.changed, lambda value: value.address_id):
            for number, value in enumerate(group):
                cells = (value.before, value.postgresql, value.by_query, value.lake)
                before, now, by_query, lake = (_cell(cell) for cell in cells)
                by_log = _lines([_cell(one) for one in value.by_log])
                name = str(key) if number == 0 else ""
                table.add_row(name, value.column, before, now, by_query, by_log, lake)
        return table

    def _changed_counts(self) -> Table:
        rows = [
            (one.district, *map(str, (one.before, one.postgresql, one.topic)))
            for one in self.counts
        ]
        return _table(("district", *COUNTS), rows, COUNTS)

    def _comparison(self) -> Table:
        names = ("copy", "rows", "missing", "different", "deleted rows kept", "result")
        return _table(
            names,
            (
                (
                    *(
                        _short(check.place),
                        f"{check.rows:,}",
                        str(check.missing),
                        str(check.different),
                    ),
                    ", ".join(map(str, check.left)),
                    _styled("as expected", "green") if check.equal else _styled("wrong", "red"),
                )
                for check in self.checks
            ),
        )

    def _sentence(self) -> Text:
        if not self.equal:
            return _styled("different: some rows do not match the database", "bold red")
        return _styled(
            f"equal: every copy has PostgreSQL's newest rows ({sum(self.topics.values()):,} records in {len(self.topics)} topics, "
            f"{len(self.objects):,} objects in s3://{self.bucket}) after {self.seconds:.0f} s.",
            "bold green",
        )


def _short(place: str) -> str:
    """So that the table fits into 80 columns."""
    return place.replace("objects topics/", "objects ").rstrip("/")


def _title(text: str) -> Text:
    return _styled(text, "bold underline")


def _styled(text: str, style: str) -> Text:
    from rich.text import Text

    return Text(text, style=style)


def _table(
    names: Sequence[str],
    rows: Iterable[Sequence[str | Text]] = (),
    numbers: Sequence[str] = NUMBERS,
) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in names:
        table.add_column(name, overflow="fold", justify="right" if name in numbers else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _cell(value: object) -> Text:
    if value is None or value == "":
        return _styled("NULL" if value is None else "''", "dim")
    return _styled(str(value), "red" if value == DELETED else "")


def _lines(cells: Sequence[Text]) -> Text:
    from rich.text import Text

    return Text("\nthen ").join(cells)
