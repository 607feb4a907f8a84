"""Every error a user can meet, and what each one must carry.

    HeadraceError                     condition, summary, where, found, expected, cure
    ├── UserError                     exit 1: the script, an option or a query is wrong
    │   ├── SqlSyntaxError            PARSE_ERROR
    │   ├── UnsupportedSql            UNSUPPORTED_SQL        valid Flink SQL that Headrace does not run (yet)
    │   ├── UnknownName               UNKNOWN_TABLE, UNKNOWN_COLUMN, UNKNOWN_FUNCTION, …
    │   ├── InvalidSchema             INVALID_SCHEMA         primary key, watermark, column definitions
    │   ├── InvalidOption             MISSING_OPTION, UNKNOWN_OPTION, INVALID_OPTION, CONFLICTING_OPTIONS
    │   ├── TypeMismatch              TYPE_MISMATCH
    │   └── PlanError                 CHANGELOG_MISMATCH, …
    ├── DataError                     exit 1: a record cannot be read or written (topic/partition/offset)
    ├── EnvironmentFault              exit 3: Java, jars, broker, database or folder not usable
    └── InternalError                 exit 4: a defect of Headrace

An error is built from facts and prints at most five lines: condition and summary, place, found against expected,
cure. `TransientFault` marks those that may pass when tried again.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a script: 1-based line and column, and how many characters the offending text spans."""

    line: int
    column: int
    length: int = 1
    source: str = "<sql>"

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate spelled most like `name`, or None when nothing is close."""
    by_lower = {candidate.lower(): candidate for candidate in candidates}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.6)
    return by_lower[close[0]] if close else None


class TransientFault:
    """Mixin: the same call may succeed later, so a supervisor may retry it."""


class HeadraceError(Exception):
    """Base of all. Subclasses set a default condition; facts arrive as keyword arguments and stay readable."""

    condition: str = "ERROR"
    exit_code: ClassVar[int] = 1

    def __init__(
        self,
        summary: str,
        *,
        condition: str | None = None,
        where: Position | str | None = None,
        found: str | None = None,
        expected: str | None = None,
        cure: str | None = None,
    ) -> None:
        super().__init__(summary)
        self.summary = summary
        self.condition = condition or type(self).condition
        self.where = where
        self.found = found
        self.expected = expected
        self.cure = cure

    def at(self, where: Position | str) -> HeadraceError:
        """The same error with a place, kept when it already has one."""
        if self.where is None:
            self.where = where
        return self

    def render(self) -> str:
        lines = [f"[{self.condition}] {self.summary}"]
        if self.where is not None:
            lines.append(f"  at: {self.where}")
        if self.found is not None:
            lines.append(f"  found: {self.found}")
        if self.expected is not None:
            lines.append(f"  expected: {self.expected}")
        if self.cure is not None:
            lines.append(f"  cure: {self.cure}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        facts = {
            "condition": self.condition,
            "message": self.summary,
            "where": None if self.where is None else str(self.where),
            "found": self.found,
            "expected": self.expected,
            "cure": self.cure,
        }
        return {key: value for key, value in facts.items() if value is not None}

    def __str__(self) -> str:
        return self.render()


class UserError(HeadraceError):
    condition = "USER_ERROR"


class SqlSyntaxError(UserError):
    condition = "PARSE_ERROR"


class UnsupportedSql(UserError):
    condition = "UNSUPPORTED_SQL"


class UnknownName(UserError):
    """A name that nothing answers to; says what exists, nearest spelling first."""

    def __init__(
        self,
        kind: str,
        name: str,
        candidates: Iterable[str],
        *,
        where: Position | str | None = None,
        context: str = "",
    ) -> None:
        known = sorted(candidates)
        close = nearest(name, known)
        shown = ([close] if close else []) + [item for item in known if item != close]
        listed = ", ".join(shown[:8]) + (f", … ({len(shown)} in all)" if len(shown) > 8 else "")
        super().__init__(
            f"{kind} '{name}' does not exist{context}",
            condition=f"UNKNOWN_{kind.upper().replace(' ', '_')}",
            where=where,
            expected=listed or f"no {kind} is known here",
            cure=f"did you mean '{close}'?" if close else None,
        )
        self.name = name
        self.candidates = known


class InvalidSchema(UserError):
    condition = "INVALID_SCHEMA"


class InvalidOption(UserError):
    condition = "INVALID_OPTION"


class TypeMismatch(UserError):
    condition = "TYPE_MISMATCH"


class PlanError(UserError):
    condition = "PLAN_ERROR"


class DataError(HeadraceError):
    condition = "DATA_ERROR"


class EnvironmentFault(HeadraceError):
    condition = "ENVIRONMENT"
    exit_code = 3


class InternalError(HeadraceError):
    condition = "INTERNAL_ERROR"
    exit_code = 4
