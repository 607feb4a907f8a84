"""The cases, by what they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from tools.conformance.records.case import Case
from tools.conformance.records.cases import (
    casts,
    chains,
    converters,
    fields,
    headers,
    shapes,
    times,
)


def _told_apart(cases: Iterable[Case]) -> Iterator[Case]:
    """Each once, under a name of its own."""
    names: dict[str, list[str]] = {}
    for case in cases:
        digests = names.setdefault(case.name, [])
        if case.digest() not in digests:
            digests.append(case.digest())
            number = len(digests)
            yield case if number == 1 else replace(case, name=f"{case.name} ({number})")


_MODULES = (casts, fields, shapes, times, headers, chains, converters)
CASES = tuple(_told_apart(case for module in _MODULES for case in module.CASES))
