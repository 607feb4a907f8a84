"""The table that an output topic folds to, compared with the exact answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.queries import Query
from benchmarks.workloads import Answer


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many keys are absent, too many or wrong, and one of them."""

    missing: int
    unexpected: int
    different: int
    example: str | None

    @property
    def exact(self) -> bool:
        return not (self.missing or self.unexpected or self.different)

    def __str__(self) -> str:
        if self.exact:
            return "exact"
        counts = f"{self.missing} missing, {self.unexpected} unexpected, {self.different} different"
        return f"{counts}; e.g. {self.example}"


def fold(query: Query, values: Mapping[bytes, bytes | None]) -> Answer:
    """Rows by key; columns by name, so that an engine may write them in any order."""
    table: Answer = {}
    for key, value in values.items():
        if value is not None:
            row = json.loads(value)
            table[str(json.loads(key)[query.key])] = [row.get(name) for name in query.columns]
    return table


def compare(expected: Answer, found: Answer) -> Comparison:
    missing = expected.keys() - found.keys()
    unexpected = found.keys() - expected.keys()
    different = {key for key in expected.keys() & found.keys() if expected[key] != found[key]}
    return Comparison(
        len(missing),
        len(unexpected),
        len(different),
        _example(expected, found, missing, unexpected, different),
    )


def _example(expected: Answer, found: Answer, *groups: set[str]) -> str | None:
    key = min((min(group) for group in groups if group), default=None)
    return None if key is None else f"{key}: {found.get(key)} and not {expected.get(key)}"
