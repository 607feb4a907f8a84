"""The Flink SQL query of the demo: it counts the addresses of each district while they move and disappear."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from headrace.cli.demo.pagila.database import Row, Rows
from headrace.cli.demo.pagila.example_files import sql
from headrace.cli.demo.pagila.lake import SETTINGS
from headrace.cli.demo.pagila.topics import Message
from headrace.runtime.environment import TableEnvironment
from headrace.sql.dialect import parse_script
from headrace.sql.statements import Insert

TOPIC = "pagila.districts"

# The columns of the topic. Nothing else is in its records.
DISTRICT, ADDRESSES = "district", "addresses"


class DistrictQuery:
    """The script examples/pagila/sql/districts.sql as a job of this process. `folder` keeps its checkpoint."""

    def __init__(self, servers: str, folder: Path) -> None:
        # Twenty groups need no second task.
        settings = {"execution.checkpointing.dir": str(folder), "parallelism.default": "1"}
        self._environment = TableEnvironment({**SETTINGS, **settings})
        variables = {"KAFKA_BOOTSTRAP_SERVERS": servers}
        self._statements = parse_script(sql("districts"), "districts.sql", variables)

    @property
    def text(self) -> str:
        """The INSERT statement."""
        return next(one.sql for one in self._statements if isinstance(one, Insert))

    def start(self) -> None:
        for statement in self._statements:
            self._environment.execute(statement)

    def require_running(self) -> None:
        """Raises the error of the job if it failed."""
        for job in self._environment.jobs:
            job.poll()

    def stop(self) -> None:
        self._environment.stop()


@dataclass(frozen=True, slots=True)
class ChangedCount:
    """A district whose number of addresses changed; 0 if it has none."""

    district: str
    before: int
    postgresql: int
    topic: int

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def counted(addresses: Rows) -> dict[str, Row]:
    """The query's answer, computed from the rows of PostgreSQL."""
    counts = Counter(row[DISTRICT] for row in addresses.values())
    return {name: {DISTRICT: name, ADDRESSES: count} for name, count in counts.items()}


def table_of(messages: Iterable[Message]) -> dict[str, Row]:
    """The table in the topic: the last record of each key counts, and a tombstone deletes the row."""
    found = {message.key[DISTRICT]: message.value for message in messages}
    return {name: row for name, row in found.items() if row is not None}


def changed_counts(
    before: Mapping[str, Row], postgresql: Mapping[str, Row], topic: Mapping[str, Row]
) -> list[ChangedCount]:
    def addresses(rows: Mapping[str, Row], name: str) -> int:
        return int(rows.get(name, {}).get(ADDRESSES, 0))

    return [
        ChangedCount(name, *(addresses(rows, name) for rows in (before, postgresql, topic)))
        for name in sorted(before.keys() | postgresql.keys())
        if before.get(name) != postgresql.get(name)
    ]
