"""A checked configuration of the JDBC source, as its parts use it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from headrace.connect.jdbc.config import (
    BULK,
    INCREMENTING,
    ISOLATIONS,
    KEY_COMPARE,
    OPTIONS,
    TIMESTAMP,
    TIMESTAMP_INCREMENTING,
)
from headrace.connect.regex.translation import matches
from headrace.errors import InvalidOption

# Rows that a poll holds in the worker before tasks of Spark read the answer instead: a few megabytes of most tables.
HELD_ROWS = 20_000

# Rows of one round trip to the database where `batch.max.rows` does not say so.
FETCHED_ROWS = 5_000


# Quoted texts and names, comments, the ends of statements, and single characters.
_TOKEN = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\$(\w*)\$.*?\$\1\$"""
    r"""|(?P<comment>--[^\n]*|/\*.*?\*/)|(?P<end>;)|\s+|.""",
    re.DOTALL,
)


def without_end(query: str) -> str:
    """A query up to the semicolon at its end, behind which comments may stand."""
    last = end = 0
    for token in _TOKEN.finditer(query):
        if token["end"]:
            end = end or token.start()
        elif not token["comment"] and not token[0].isspace():
            last, end = token.end(), 0
    # What a backslash before a quote means is each database's own.
    if end and "\\'" not in query:
        return query[:last]
    return re.sub(r"[;\s]+\Z", "", query)


@dataclass(frozen=True)
class SourceSettings:
    config: Mapping[str, str] = field(repr=False)

    @cached_property
    def values(self) -> dict[str, Any]:
        return OPTIONS.defaults(self.config)

    @property
    def url(self) -> str:
        return str(self.values["connection.url"])

    @property
    def login(self) -> dict[str, str]:
        """What the driver is given; its own settings begin with `connection.` as well, as in Connect."""
        known = {"url", "attempts", "backoff.ms"}
        given = {
            name.removeprefix("connection."): text
            for name, text in self.config.items()
            if name.startswith("connection.")
        }
        return {name: text for name, text in given.items() if name not in known}

    @property
    def mode(self) -> str:
        return str(self.values["mode"])

    @property
    def is_bulk(self) -> bool:
        return self.mode == BULK

    @property
    def by_time(self) -> bool:
        return self.mode in (TIMESTAMP, TIMESTAMP_INCREMENTING)

    @property
    def by_number(self) -> bool:
        return self.mode in (INCREMENTING, TIMESTAMP_INCREMENTING)

    @property
    def query(self) -> str | None:
        """Without the semicolon that ends a statement: it becomes part of others."""
        given = str(self.values["query"] or self.values["query.masked"] or "")
        return without_end(given) or None

    @property
    def quoting(self) -> bool:
        return bool(
            self.values["quote.sql.identifiers"].lower() == "always"
            and self.values["sql.quote.identifiers"]
        )

    @property
    def isolation(self) -> int:
        return ISOLATIONS[self.values["transaction.isolation.mode"]]

    @property
    def zone(self) -> str:
        return str(self.values["db.timezone"])

    @property
    def initial_timestamp(self) -> int | None:
        """Milliseconds since 1970; None for the database's present time."""
        given = self.values["timestamp.initial"]
        if given is None:
            given = self.values["timestamp.initial.ms"]
        if given is None:
            return 0
        return None if given == -1 else int(given)

    @property
    def held_rows(self) -> int:
        return self.values["max.buffer.size"] or HELD_ROWS

    @property
    def fetch_size(self) -> int:
        """Connect's default makes a long table a great many round trips."""
        chosen: int = self.values["batch.max.rows"]
        return chosen if "batch.max.rows" in self.config else max(chosen, FETCHED_ROWS)

    @property
    def detects_deletes(self) -> bool:
        return bool(self.values["headrace.delete.detection"] == KEY_COMPARE)

    def topic(self, table: str) -> str:
        prefix: str = self.values["topic.prefix"]
        return prefix if self.query else prefix + table

    def timestamp_columns(self, full_name: str) -> list[str]:
        if not self.by_time:
            return []
        mapped = self._mapped("timestamp.columns.mapping", full_name)
        if mapped is None:
            return list(self.values["timestamp.column.name"])
        return [name.strip() for name in mapped.strip("[]").split("|")]

    def incrementing_column(self, full_name: str) -> str | None:
        """None to take the one that the database counts."""
        mapped = self._mapped("incrementing.column.mapping", full_name)
        named: str = self.values["incrementing.column.name"]
        return mapped or named or None

    def _mapped(self, option: str, full_name: str) -> str | None:
        """What a mapping says of a table: exactly one of its entries has to match."""
        entries = [text.rpartition(":")[::2] for text in self.values[option]]
        if not entries:
            return None
        matching = [columns for pattern, columns in entries if matches([pattern], full_name)]
        if len(matching) != 1:
            raise InvalidOption(
                f"{option} must have exactly one entry for every table",
                where=full_name,
                found=f"{len(matching)} that match",
            )
        return str(matching[0])
