"""Reads back the facts of what a source or a sink met, from the text Spark passes to the driver."""

from __future__ import annotations

import re
from collections.abc import Callable

from headrace.connectors.kafka.options import ON_DATA_LOSS
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


GO_ON = f"start the job afresh: headrace run --fresh; or go on with what is left: '{ON_DATA_LOSS}' = 'continue'"


def read_fault_from(message: str) -> HeadraceError | None:
    """Why a source could not start or go on, or None when `message` does not say."""
    for form, told in _SOURCE_FACTS:
        facts = form.search(message)
        if facts is not None:
            return told(facts)
    return None


def _gone(facts: re.Match[str]) -> DataError:
    first, end = int(facts["first"]), int(facts["end"])
    return DataError(
        f"records of topic '{facts['topic']}' that were to be read are not there",
        condition="OFFSETS_GONE",
        where=f"partition {facts['partition']}, offset {facts['offset']}",
        found=f"offsets {first} to {end - 1}" if end > first else "no records",
        cure=GO_ON,
    )


def _another_topic(facts: re.Match[str]) -> DataError:
    what = "deleted" if facts["what"] == "DELETED" else "deleted and made again"
    return DataError(
        f"topic '{facts['topic']}' was {what} while the job reads it",
        condition="OFFSETS_GONE",
        cure=GO_ON,
    )


def _never_committed(facts: re.Match[str]) -> EnvironmentFault:
    return EnvironmentFault(
        f"group '{facts['group']}' has committed no offset of topic '{facts['topic']}', "
        f"partition {facts['partition']}",
        condition="NO_COMMITTED_OFFSET",
        expected="a committed offset, or a place that does not need one",
        cure="'properties.auto.offset.reset' = 'earliest' for a start; or another 'scan.startup.mode' or "
        "'scan.bounded.mode'",
    )


_SOURCE_FACTS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], HeadraceError]], ...] = (
    (
        re.compile(
            r"SOURCE_GONE topic=(?P<topic>\S+) partition=(?P<partition>\d+) "
            r"offset=(?P<offset>\d+) first=(?P<first>\d+) end=(?P<end>\d+)"
        ),
        _gone,
    ),
    (
        re.compile(r"SOURCE_(?P<what>DELETED|MADE_ANEW) topic=(?P<topic>\S+)"),
        _another_topic,
    ),
    (
        re.compile(
            r"SOURCE_NEVER_COMMITTED topic=(?P<topic>\S+) partition=(?P<partition>\d+) "
            r"group='(?P<group>[^'\r\n]*)'"
        ),
        _never_committed,
    ),
)
