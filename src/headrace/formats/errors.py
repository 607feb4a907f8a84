"""Reads back the facts of a record the JVM could not decode or encode, from the text Spark passes to the driver."""

from __future__ import annotations

import re

from headrace.errors import DataError

_FACTS = re.compile(
    r"(?:topic=(?P<topic>\S+) partition=(?P<partition>-?\d+) offset=(?P<offset>-?\d+)|unwritable row:)"
    r" format=(?P<format>\S+) part=(?P<part>key|value)"
    r' field="(?P<field>(?:[^"\\]|\\.)*)": (?P<reason>[^\r\n]*)'
)

SKIPPING = (
    "'headrace.errors.mode' = 'skip' passes such records by, 'dead-letter' keeps them in a topic"
)


def data_error_from(message: str) -> DataError | None:
    """The first record failure that `message` reports, or None when it reports none."""
    facts = _FACTS.search(message)
    if facts is None:
        return None
    decoding = facts["topic"] is not None
    return DataError(
        _summary(facts, "read" if decoding else "written"),
        where=_place(facts) if decoding else None,
        found=facts["reason"],
        cure=SKIPPING if decoding else None,
    )


def _summary(facts: re.Match[str], done: str) -> str:
    field = re.sub(r"\\(.)", r"\1", facts["field"])
    what = (
        f"field '{field}' of a record's {facts['part']}" if field else f"a record's {facts['part']}"
    )
    return f"{what} cannot be {done} as {facts['format']}"


def _place(facts: re.Match[str]) -> str:
    return f"topic {facts['topic']}, partition {facts['partition']}, offset {facts['offset']}"
