"""Reads back the facts of a write that went wrong, from the text Spark passes to the driver."""

from __future__ import annotations

import re

from headrace.errors import DataError, EnvironmentFault, HeadraceError

_REFUSED = re.compile(
    r"topic=(?P<topic>\S+) servers=(?P<servers>\S+) unwritten: (?P<reason>[^\r\n]*)"
)
_WRONG_TOPIC = re.compile(
    r"WRONG_TOPIC (?P<option>[\w-]+)=(?P<allowed>.*?) found=(?P<found>NULL|'[^'\r\n]*')"
)


def write_fault_from(message: str) -> HeadraceError | None:
    """The first write that `message` reports as gone wrong, or None when it reports none."""
    misled = _WRONG_TOPIC.search(message)
    if misled is not None:
        return _wrong_topic(misled)
    facts = _REFUSED.search(message)
    if facts is None:
        return None
    return _long_transaction(facts) or EnvironmentFault(
        f"Kafka did not take a record for topic '{facts['topic']}'",
        condition="WRITE_FAILED",
        where=facts["servers"],
        found=facts["reason"],
        cure="the job continues from the failed batch when started again",
    )


def _wrong_topic(facts: re.Match[str]) -> DataError:
    several = facts["option"] == "topic"
    return DataError(
        "a row names no topic that its sink may write",
        condition="WRONG_TOPIC",
        found=f"topic {facts['found']}",
        expected=f"one of {facts['allowed']}" if several else f"a match of '{facts['allowed']}'",
        cure=f"select such a topic into the sink's metadata column, or widen '{facts['option']}'",
    )


def _long_transaction(facts: re.Match[str]) -> EnvironmentFault | None:
    if "transaction.max.timeout.ms" not in facts["reason"]:
        return None
    return EnvironmentFault(
        f"Kafka refused the transactions for topic '{facts['topic']}'",
        condition="TRANSACTION_TIMEOUT",
        where=facts["servers"],
        found=facts["reason"],
        cure="'properties.transaction.timeout.ms' = '900000', or raise the broker's transaction.max.timeout.ms",
    )
